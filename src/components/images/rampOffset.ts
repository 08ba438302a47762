/** Colours of a ramp. */
export const levels = 256;

/** Where the colour of a value from 0 to 1 begins in a ramp's bytes; values beyond are clamped. */
export function rampOffset(value: number): number {
  return 4 * Math.round(Math.min(Math.max(value, 0), 1) * (levels - 1));
}
