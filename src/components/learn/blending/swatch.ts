import { element } from "../../element.js";

/** A small field of one colour. */
export interface Swatch {
  readonly node: HTMLElement;
  /** Red, green and blue of 0..1; and how much of what is behind shows through. */
  show(color: readonly number[], transmittance?: number): void;
}

/** @param size a class beside "swatch", such as "is-large" */
export function swatch(size?: string): Swatch {
  const node = element("span", { class: size ? `swatch ${size}` : "swatch", "aria-hidden": "true" });
  return {
    node,
    show(color, transmittance = 0) {
      node.style.setProperty("--color", cssColor(color, transmittance));
    },
  };
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
