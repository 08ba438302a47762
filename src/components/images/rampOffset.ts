/** Number of colours in a ramp. */
export const levels = 256;

/** Returns the offset of a value's colour in the bytes of a ramp. Values are clamped to 0..1. */
export function rampOffset(value: number): number {
  return 4 * Math.round(Math.min(Math.max(value, 0), 1) * (levels - 1));
}
