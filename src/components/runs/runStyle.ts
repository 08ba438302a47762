import { svg } from "../page/element.js";

/** How a run's line looks. */
export interface LineStyle {
  stroke: string;
  strokeWidth: number;
  strokeDasharray?: string;
  className: string;
}

const colors = 6;
/** Told apart without any colour; as many as there are colours, so that a seventh run differs from the first in width. */
const dashes = [undefined, "7 3", "3 3", "9 3 2 3", "1 3", "14 4"];

/** How the run at a place among several is drawn, everywhere: by colour and by dash. */
export function runStyle(index: number): LineStyle {
  const i = index % colors;
  return {
    stroke: `var(--run-${i + 1})`,
    strokeWidth: 1.75 + Math.floor(index / colors),
    ...(dashes[i] && { strokeDasharray: dashes[i] }),
    className: `run run-${index + 1}`,
  };
}

/** A piece of a line, for a legend. */
export function lineSwatch({ stroke, strokeWidth, strokeDasharray = "none" }: LineStyle): SVGElement {
  const attributes = { "stroke-width": strokeWidth, "stroke-dasharray": strokeDasharray, style: `stroke: ${stroke}` };
  const line = svg("line", { x1: 0, x2: 28, y1: 5, y2: 5, ...attributes });
  return svg("svg", { width: 28, height: 10, "aria-hidden": "true" }, line);
}
