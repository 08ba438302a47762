import { element } from "../../page/element.js";

/**
 * A small field of one colour.
 * @param color red, green and blue of 0..1
 * @param transmittance how much of what is behind shows through
 * @param sizeClass a class beside "swatch", such as "is-large"
 */
export function swatch(color: readonly number[], transmittance = 0, sizeClass = ""): HTMLElement {
  const style = `--color: ${cssColor(color, transmittance)}`;
  return element("span", { class: `swatch ${sizeClass}`, style, "aria-hidden": "true" });
}

/** A premultiplied colour of 0..1 for CSS. */
export function cssColor(color: readonly number[], transmittance = 0): string {
  const alpha = 1 - transmittance;
  const [red, green, blue] = color.map((c) => (alpha > 0 ? Math.min(Math.max((255 * c) / alpha, 0), 255) : 0));
  return `rgb(${red.toFixed(1)} ${green.toFixed(1)} ${blue.toFixed(1)} / ${alpha.toFixed(4)})`;
}

/** Three channels in numbers: "0.4120, 0.3903, 0.2815". */
export function colorText(color: readonly number[]): string {
  return color.map((c) => c.toFixed(4).replace("-", "−")).join(", ");
}

/** A state's colour over squares where light is left, with lines of text beside it. */
export function colorPanel(color: readonly number[], transmittance: number, ...lines: string[]): HTMLElement {
  const texts = lines.flatMap((line) => [element("span", { class: "swatch-text" }, line), element("br")]);
  const colorBox = swatch(color, transmittance, "is-large");
  return element("div", { class: "state-color" }, colorBox, element("div", {}, ...texts));
}
