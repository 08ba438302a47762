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
export async function estimateOneSidedSlopes(
  riseAt: (offset: number) => Promise<[rise: number, offset: number]>,
  h: number,
  scale: number,
): Promise<OneSidedSlopes> {
  const slopeOnSide = async (side: number): Promise<number | undefined> => {
    const half = await riseAt(0.5 * side * h);
    const full = await riseAt(side * h);
    const [far, near] = [parabolaSlope(full, await riseAt(2 * side * h)), parabolaSlope(half, full)];
    // The error falls with the square of the distance.
    const slope = near + (near - far) / 3;
    return Math.abs(near - far) <= smoothTolerance * Math.max(Math.abs(slope), scale) ? slope : undefined;
  };
  return { left: await slopeOnSide(-1), right: await slopeOnSide(1) };
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
