/** Slopes of a function at a place by differences that stay on one side of it; undefined where that side bends or jumps too. */
export interface OneSidedSlopes {
  left?: number;
  right?: number;
}

/** Slopes over a distance and over half of it differ by less than this share where a side counts as smooth. */
const smoothTolerance = 0.01;

/**
 * Returns the slopes from either side. A central difference means nothing within `h` of a kink, where the slope changes or
 * the function jumps; the side on which the function is smooth still has a slope.
 * @param riseAt f(x + offset) − f(x), and the offset as it was added
 * @param h the distance; up to twice as far is looked at
 * @param scale a slope below which none is told from another
 */
export function estimateOneSidedSlopes(
  riseAt: (offset: number) => [rise: number, offset: number],
  h: number,
  scale: number,
): OneSidedSlopes {
  const slopeOnSide = (side: number): number | undefined => {
    const [half, whole, twice] = [0.5 * h, h, 2 * h].map((offset) => riseAt(side * offset));
    const [far, near] = [parabolaSlope(whole, twice), parabolaSlope(half, whole)];
    // The error falls with the square of the distance.
    const slope = near + (near - far) / 3;
    return Math.abs(near - far) <= smoothTolerance * Math.max(Math.abs(slope), scale) ? slope : undefined;
  };
  return { left: slopeOnSide(-1), right: slopeOnSide(1) };
}

/** The slope at 0 of the parabola through 0 and two points. */
function parabolaSlope([near, a]: [number, number], [far, b]: [number, number]): number {
  return ((near * b) / a - (far * a) / b) / (b - a);
}

/** Returns the side whose slope is nearest to a value; undefined where no side has one. */
export function nearestSlope({ left, right }: OneSidedSlopes, value: number): number | undefined {
  if (left === undefined || right === undefined) return left ?? right;
  return Math.abs(left - value) <= Math.abs(right - value) ? left : right;
}
