/** Returns a whole number with thousands separators, such as "12,345". */
export const formatCount = (value: number) => value.toLocaleString("en-US");

/** Returns a PSNR with its unit; it is infinite if nothing differs. */
export function psnrText(psnr: number): string {
  return Number.isFinite(psnr) ? `${psnr.toFixed(2)} dB` : "∞ dB";
}
