/**
 * Returns the Morton code of a position: the interleaved bits of x and y. Positions with close codes are close, so the
 * codes of a sorted set differ by little.
 * @param x integer 0 ≤ x < 2²⁶, as is y
 */
function mortonCode(x: number, y: number): number {
  let code = 0;
  for (let unit = 1; x > 0 || y > 0; unit *= 4, x >>= 1, y >>= 1) code += unit * ((x & 1) + 2 * (y & 1));
  return code;
}

/** Returns the Morton codes of integer positions relative to an origin with their lowest coordinates. */
export function mortonCodes([xs, ys]: Float64Array[]): { origin: number[]; codes: Float64Array } {
  const origin = [xs, ys].map((values) =>
    values.reduce((low, value) => Math.min(low, value), Number.POSITIVE_INFINITY),
  );
  return { origin, codes: xs.map((x, i) => mortonCode(x - origin[0], ys[i] - origin[1])) };
}

/** Returns the position of a Morton code below 2⁵². */
export function mortonPosition(code: number): { x: number; y: number } {
  let [x, y] = [0, 0];
  for (let unit = 1; code > 0; unit *= 2, code = Math.floor(code / 4)) {
    const bits = code % 4;
    x += unit * (bits & 1);
    y += unit * (bits >> 1);
  }
  return { x, y };
}
