import { svg } from "htl";
import type { Size } from "../../engine/image/image.js";
import { deviations, type OrientedBox } from "../../engine/model/bounds.js";

// SVG shapes.

export function path(name: string, d: string): SVGElement {
  return svg`<path class=${name} d=${d} />`;
}

/** Returns a group of shapes in UV units, for a drawing in pixels. */
export function uvGroup({ width, height }: Size, ...shapes: SVGElement[]): SVGElement {
  return svg`<g transform=${`scale(${width} ${height})`}>${shapes}</g>`;
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

function indices(count: number): number[] {
  return Array.from({ length: count }, (_, number) => number);
}
