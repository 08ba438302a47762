/** One channel of an image: width·height float64 values, row by row from the top. */
export interface Plane {
  width: number;
  height: number;
  data: Float64Array;
}

/** Similarity of two planes: means over all positions of the window, each at most 1. */
interface Similarity {
  /** Luminance times contrast and structure: the SSIM index. */
  ssim: number;
  /** Contrast and structure alone. */
  contrast: number;
}

/** The pixels across the window. */
export const windowSize = 11;

const sigma = 1.5;

/** Keep the quotients finite: (K·range)², for values of range 1. */
const luminanceFloor = 0.01 ** 2;
const contrastFloor = 0.03 ** 2;

/** Weights of the window along one axis from the middle outwards; a Gaussian that sums to 1. */
const windowWeights = gaussian();

/** The exponent of each scale in MS-SSIM, from the finest to the coarsest. */
export const scaleWeights: readonly number[] = [0.0448, 0.2856, 0.3001, 0.2363, 0.1333];

/**
 * Returns the SSIM of two planes of one size, values 0..1, over all positions of the window inside them.
 * Wang, Bovik, Sheikh, Simoncelli: Image quality assessment: from error visibility to structural similarity, 2004.
 */
export function similarity(x: Plane, y: Plane): Similarity {
  const meanX = windowMeans(x).data;
  const meanY = windowMeans(y).data;
  const meanXY = windowMeans(combine(x, y, (a, b) => a * b)).data;
  // Only the sum of the two variances is needed, so one pass covers both.
  const meanSquares = windowMeans(combine(x, y, (a, b) => a * a + b * b)).data;
  let ssim = 0;
  let contrast = 0;
  for (let i = 0; i < meanX.length; i++) {
    const product = meanX[i] * meanY[i];
    const squares = meanX[i] * meanX[i] + meanY[i] * meanY[i];
    const covariance = meanXY[i] - product;
    const variances = meanSquares[i] - squares;
    const contrastTerm = (2 * covariance + contrastFloor) / (variances + contrastFloor);
    contrast += contrastTerm;
    ssim += (contrastTerm * (2 * product + luminanceFloor)) / (squares + luminanceFloor);
  }
  return { ssim: ssim / meanX.length, contrast: contrast / meanX.length };
}

/**
 * Returns the MS-SSIM of two planes of one size, values 0..1: the product of the contrast term of each scale and the
 * SSIM of the coarsest, each to its exponent. Negative factors count as 0, because their powers are not real.
 * Wang, Simoncelli, Bovik: Multiscale structural similarity for image quality assessment, 2003.
 */
export function multiScaleSimilarity(x: Plane, y: Plane): number {
  let product = 1;
  for (const [scale, weight] of scaleWeights.entries()) {
    if (scale > 0) {
      x = halve(x);
      y = halve(y);
    }
    const { ssim, contrast } = similarity(x, y);
    product *= Math.max(scale === scaleWeights.length - 1 ? ssim : contrast, 0) ** weight;
  }
  return product;
}

/**
 * Returns the means of 2×2 pixels. An odd side starts with a row or column of zeros, which darkens that edge, as in
 * pytorch-msssim.
 */
function halve({ width, height, data }: Plane): Plane {
  const means: Plane = emptyPlane(Math.ceil(width / 2), Math.ceil(height / 2));
  const left = width % 2;
  const top = height % 2;
  for (let y = 0; y < height; y++) {
    const row = ((y + top) >> 1) * means.width;
    for (let x = 0; x < width; x++) means.data[row + ((x + left) >> 1)] += data[y * width + x] / 4;
  }
  return means;
}

/** Returns the mean under the window at each position inside the plane: windowSize − 1 fewer per axis. */
function windowMeans({ width, height, data }: Plane): Plane {
  const along = emptyPlane(width - windowSize + 1, height);
  for (let y = 0; y < height; y++) filter(data, y * width, 1, along.data, y * along.width, along.width);
  const means = emptyPlane(along.width, height - windowSize + 1);
  // Row by row as well: columns would miss the cache.
  for (let y = 0; y < means.height; y++) {
    filter(along.data, y * along.width, along.width, means.data, y * means.width, means.width);
  }
  return means;
}

/** Filters `count` values of a row; the values under the window are `stride` apart. */
function filter(from: Float64Array, start: number, stride: number, to: Float64Array, at: number, count: number): void {
  const half = (windowSize - 1) / 2;
  for (let i = 0; i < count; i++) {
    const middle = start + i + half * stride;
    let sum = windowWeights[0] * from[middle];
    for (let distance = 1, offset = stride; distance <= half; distance++, offset += stride) {
      sum += windowWeights[distance] * (from[middle - offset] + from[middle + offset]);
    }
    to[at + i] = sum;
  }
}

function combine(x: Plane, y: Plane, value: (a: number, b: number) => number): Plane {
  const values = emptyPlane(x.width, x.height);
  for (let i = 0; i < values.data.length; i++) values.data[i] = value(x.data[i], y.data[i]);
  return values;
}

function emptyPlane(width: number, height: number): Plane {
  return { width, height, data: new Float64Array(width * height) };
}

function gaussian(): Float64Array {
  const values = Float64Array.from({ length: (windowSize + 1) / 2 }, (_, distance) =>
    Math.exp(-((distance / sigma) ** 2) / 2),
  );
  const sum = 2 * values.reduce((a, b) => a + b) - values[0];
  return values.map((value) => value / sum);
}
