/** Slopes of a function at a point, by differences on one side of it; undefined if that side bends or jumps too. */
export interface OneSidedSlopes {
  left?: number;
  right?: number;
}

/** On a smooth side, slopes over a distance and over half of it differ by less than this fraction. */
const smoothTolerance = 0.01;

/**
 * Returns the slopes on either side. A central difference is meaningless within `h` of a kink, where the slope changes
 * or the function jumps; the side on which the function is smooth still has a slope.
 * @param riseAt f(x + offset) − f(x), and the offset after rounding
 * @param h the distance; offsets up to twice as large are evaluated
 * @param scale a slope below which all count as equal
 */
export function estimateOneSidedSlopes(
  riseAt: (offset: number) => [rise: number, offset: number],
  h: number,
  scale: number,
): OneSidedSlopes {
  const slopeOnSide = (side: number): number | undefined => {
    const [half, full, twice] = [0.5 * h, h, 2 * h].map((offset) => riseAt(side * offset));
    const [far, near] = [parabolaSlope(full, twice), parabolaSlope(half, full)];
    // The error falls with the square of the distance.
    const slope = near + (near - far) / 3;
    return Math.abs(near - far) <= smoothTolerance * Math.max(Math.abs(slope), scale) ? slope : undefined;
  };
  return { left: slopeOnSide(-1), right: slopeOnSide(1) };
}

/** Returns the slope at 0 of the parabola through 0 and two points. */
function parabolaSlope([near, a]: [number, number], [far, b]: [number, number]): number {
  return ((near * b) / a - (far * a) / b) / (b - a);
}

/** Returns the slope that is nearest to a value; undefined if neither side has one. */
export function nearestSlope({ left, right }: OneSidedSlopes, value: number): number | undefined {
  if (left === undefined || right === undefined) return left ?? right;
  return Math.abs(left - value) <= Math.abs(right - value) ? left : right;
}
