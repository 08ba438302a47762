/** Returns the value in low..high that is nearest to a number; NaN for NaN. */
export function clamp(value: number, low: number, high: number): number {
  return Math.min(Math.max(value, low), high);
}
