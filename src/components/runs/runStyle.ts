import { html, svg } from "htl";

/** The style of a run's line. */
export interface LineStyle {
  stroke: string;
  strokeWidth: number;
  strokeDasharray?: string;
}

const colors = 6;
/** Distinguishable without colour. As many as colours, so the seventh run differs from the first in its width. */
const dashes = [undefined, "7 3", "3 3", "9 3 2 3", "1 3", "14 4"];

/** Returns the style of the n-th of several runs, the same in all charts: a colour and a dash pattern. */
export function runStyle(index: number): LineStyle {
  const i = index % colors;
  return {
    stroke: `var(--run-${i + 1})`,
    strokeWidth: 1.75 + Math.floor(index / colors),
    ...(dashes[i] && { strokeDasharray: dashes[i] }),
  };
}

/** Returns a piece of a line for a legend. */
export function lineSwatch({ stroke, strokeWidth, strokeDasharray = "none" }: LineStyle): SVGElement {
  return svg`<svg width="28" height="10" aria-hidden="true">
    <line x2="28" y1="5" y2="5" stroke-width=${strokeWidth} stroke-dasharray=${strokeDasharray} style=${`stroke: ${stroke}`}></line>
  </svg>`;
}

/** Returns the legend of several runs. */
export function runLegend(names: readonly string[]): HTMLElement {
  return html`<ul class="row" aria-label="Legend">${names.map((name, i) => html`<li>${lineSwatch(runStyle(i))}${name}</li>`)}</ul>`;
}
