import { html } from "htl";

/**
 * Returns a small field of one colour.
 * @param color red, green and blue, 0..1, premultiplied
 * @param transmittance fraction of the checkerboard behind that shows through
 * @param sizeClass an additional class, such as "is-large"
 */
export function swatch(color: readonly number[], transmittance = 0, sizeClass = ""): HTMLElement {
  return html`<span class="swatch ${sizeClass}" style="--color: ${cssColor(color, transmittance)}" aria-hidden="true">`;
}

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
