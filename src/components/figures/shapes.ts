import { svg } from "../page/element.js";

// The shapes of drawings in SVG, by their class and where they are.

export function rect(name: string, x: number, y: number, width: number, height: number, rx = 0): SVGElement {
  return svg("rect", { class: name, x, y, width, height, rx });
}

export function line(name: string, x1: number, y1: number, x2: number, y2: number): SVGElement {
  return svg("line", { class: name, x1, y1, x2, y2 });
}

export function path(name: string, d: string): SVGElement {
  return svg("path", { class: name, d });
}

export function circle(name: string, cx: number, cy: number, r: number): SVGElement {
  return svg("circle", { class: name, cx, cy, r });
}

/** Words with their middle at x. */
export function label(name: string, x: number, y: number, words: string | number): SVGElement {
  return svg("text", { class: name, x, y, "text-anchor": "middle" }, String(words));
}

/** Words that begin at x. */
export function text(name: string, x: number, y: number, words: string | number): SVGElement {
  return svg("text", { class: name, x, y }, String(words));
}

export function group(name: string, ...parts: SVGElement[]): SVGElement {
  return svg("g", { class: name }, ...parts);
}

/** A drawing with a width of its own: where the page is narrower, a box scrolls it. */
export function drawing(width: number, height: number, ...parts: SVGElement[]): SVGElement {
  const style = `width: ${width}px; min-width: ${0.95 * width}px`;
  return svg("svg", { viewBox: `0 0 ${width} ${height}`, style, "aria-hidden": "true" }, group("", ...parts));
}

/** Numbers of what is drawn: 0, 1, 2 and so on. */
export function upTo(count: number): number[] {
  return Array.from({ length: count }, (_, number) => number);
}
