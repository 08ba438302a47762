/** A part of the work on one pair of a pixel and a blob: what it is, and its operations on the way there and back. */
export interface PairWork {
  what: string;
  formula: string;
  forward: number;
  backward: number;
}

/**
 * What one pair of a pixel and a blob costs at the least, as the kernels of `binned` write it: additions,
 * multiplications, divisions and powers of two on float32, one each, so that a fused multiply-add counts two. Not
 * counted: comparisons, minima, addresses, loads and stores, and what is done once a blob, a pixel or a list entry.
 */
export const pairWork: readonly PairWork[] = [
  { what: "the pixel in standard deviations from the centre", formula: "p = (pixel − c) · s", forward: 4, backward: 4 },
  { what: "the squared distance", formula: "x² + y² − 2ρxy", forward: 7, backward: 7 },
  { what: "the falloff", formula: "2^(b · distance)", forward: 2, backward: 2 },
  { what: "the opacity there", formula: "α = o · falloff", forward: 1, backward: 1 },
  { what: "its weight", formula: "w = α · T", forward: 1, backward: 1 },
  { what: "the colour so far", formula: "C + w · c", forward: 6, backward: 0 },
  { what: "what it lets through", formula: "T · (1 − α)", forward: 2, backward: 2 },
  { what: "the colour along the loss's gradient", formula: "g = d · c", forward: 0, backward: 5 },
  { what: "what is still behind the blob", formula: "r − w · g", forward: 0, backward: 2 },
  { what: "the gradient of the power", formula: "(T · g − r / (1 − α)) · α", forward: 0, backward: 4 },
  { what: "its moments", formula: "times x, y, x², xy, y²", forward: 0, backward: 6 },
  { what: "the gradient of the colour", formula: "w · d", forward: 0, backward: 3 },
  { what: "nine sums over the pixels", formula: "+", forward: 0, backward: 9 },
];

/** Operations on one pair in a training step, there and back. */
export const operationsPerPair = {
  forward: sum(({ forward }) => forward),
  backward: sum(({ backward }) => backward),
};

function sum(operations: (work: PairWork) => number): number {
  return pairWork.reduce((total, work) => total + operations(work), 0);
}

/**
 * The share of the measured peak that a rate of blended pairs is: pairs × operations a pair, over two operations a
 * multiply-add.
 * @param pairsPerSecond pairs that are blended, each of them there and back
 */
export function shareOfPeak(pairsPerSecond: number, multiplyAddsPerSecond: number): number {
  const { forward, backward } = operationsPerPair;
  return (pairsPerSecond * (forward + backward)) / (2 * multiplyAddsPerSecond);
}
