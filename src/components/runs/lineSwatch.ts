import type { LineStyle } from "./runLines.js";

/** A piece of a line, for a legend. */
export function lineSwatch({ stroke, strokeWidth, strokeDasharray = "none" }: LineStyle): SVGElement {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const line = document.createElementNS(svg.namespaceURI, "line") as SVGLineElement;
  set(svg, { width: 28, height: 10, "aria-hidden": "true" });
  set(line, { x1: 0, x2: 28, y1: 5, y2: 5, "stroke-width": strokeWidth, "stroke-dasharray": strokeDasharray });
  line.setAttribute("style", `stroke: ${stroke}`);
  svg.append(line);
  return svg;
}

function set(node: SVGElement, attributes: Record<string, string | number>): void {
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, String(value));
}
