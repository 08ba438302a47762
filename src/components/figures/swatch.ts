import { html } from "htl";
import { clamp } from "../../engine/clamp.js";

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

/** Returns a colour, 0..1, as an input of colours has it: "#ff8000". */
export function hexOf(color: readonly number[]): string {
  const bytes = color.map((c) => Math.round(255 * clamp(c, 0, 1)));
  return `#${bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

/** Returns red, green and blue, 0..1, of such a text. */
export function channelsOf(hex: string): number[] {
  return hex.match(/[^#]{2}/g)!.map((byte) => Number.parseInt(byte, 16) / 255);
}

/** Formats a colour: "0.4120, 0.3903, 0.2815". */
export function colorText(color: readonly number[]): string {
  return color.map((c) => c.toFixed(4).replace("-", "−")).join(", ");
}
