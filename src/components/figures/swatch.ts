/** Returns a premultiplied colour, 0..1, in CSS syntax. */
export function cssColor(color: readonly number[], transmittance = 0): string {
  const alpha = 1 - transmittance;
  const [red, green, blue] = color.map((c) => (alpha > 0 ? Math.min(Math.max((255 * c) / alpha, 0), 255) : 0));
  return `rgb(${red.toFixed(1)} ${green.toFixed(1)} ${blue.toFixed(1)} / ${alpha.toFixed(4)})`;
}

/** Returns red, green and blue, 0..1, of a colour such as "#ff8000". */
export function channelsOf(hex: string): number[] {
  return hex.match(/[^#]{2}/g)!.map((byte) => Number.parseInt(byte, 16) / 255);
}
