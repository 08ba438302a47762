import type { Size } from "../../engine/image/image.js";
import { deviations, type OrientedBox } from "../../engine/model/bounds.js";
import { svg } from "../page/element.js";

// SVG shapes, by their class and position.

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

/** Returns text that is centred at x. */
export function label(name: string, x: number, y: number, content: string | number): SVGElement {
  return svg("text", { class: name, x, y, "text-anchor": "middle" }, String(content));
}

/** Returns text that starts at x. */
export function text(name: string, x: number, y: number, content: string | number): SVGElement {
  return svg("text", { class: name, x, y }, String(content));
}

export function group(name: string, ...parts: SVGElement[]): SVGElement {
  return svg("g", { class: name }, ...parts);
}

/** Returns a drawing of a fixed width. On narrower pages it needs a scroll box. */
export function drawing(width: number, height: number, ...parts: SVGElement[]): SVGElement {
  const style = `width: ${width}px; min-width: ${0.95 * width}px`;
  return svg("svg", { viewBox: `0 0 ${width} ${height}`, style, "aria-hidden": "true" }, group("", ...parts));
}

/** Returns the numbers from 0 to `count` − 1. */
export function indices(count: number): number[] {
  return Array.from({ length: count }, (_, number) => number);
}

/** Returns a group of shapes in UV units, for a drawing in pixels. */
export function uvGroup({ width, height }: Size, ...shapes: SVGElement[]): SVGElement {
  return svg("g", { transform: `scale(${width} ${height})` }, ...shapes);
}

/** Returns the four corners of a box, in order around it. */
export function boxCorners({ centerX, centerY, axisX, axisY, halfLength, halfWidth }: OrientedBox): [number, number][] {
  return [
    [-1, -1],
    [1, -1],
    [1, 1],
    [-1, 1],
  ].map(([along, across]) => [
    centerX + along * halfLength * axisX - across * halfWidth * axisY,
    centerY + along * halfLength * axisY + across * halfWidth * axisX,
  ]);
}

/** Returns the path of a box. */
export function boxPath(box: OrientedBox): string {
  return `M${boxCorners(box).join("L")}Z`;
}

/** Returns the path of the ellipse in a blob's 4σ box, or of a smaller one. */
export function ellipsePath({ centerX, centerY, axisX, axisY, ...box }: OrientedBox, sigmas = deviations): string {
  const [length, width] = [box.halfLength, box.halfWidth].map((half) => (half * sigmas) / deviations);
  const angle = (Math.atan2(axisY, axisX) * 180) / Math.PI;
  const end = (sign: number) => `${centerX + sign * length * axisX} ${centerY + sign * length * axisY}`;
  const arc = `A${length} ${width} ${angle} 0 1 `;
  return `M${end(1)}${arc}${end(-1)}${arc}${end(1)}Z`;
}

/** Returns the path of the lines between the cells of a grid. */
export function gridPath(
  across: number,
  down: number,
  [width, height]: readonly number[],
  size = { width: across * width, height: down * height },
): string {
  const columns = indices(across - 1).map((x) => `M${(x + 1) * width} 0V${size.height}`);
  const rows = indices(down - 1).map((y) => `M0 ${(y + 1) * height}H${size.width}`);
  return [...columns, ...rows].join("");
}
