import { html } from "htl";
import type { OrientedBox } from "../../../engine/model/bounds.js";
import { tileOrigin } from "../../../engine/model/uv.js";
import { linkThings } from "../../figures/pointing.js";
import { boxPath, ellipsePath, gridPath, uvGroup } from "../../figures/shapes.js";
import { svg } from "../../page/element.js";
import { nameOfBlob, nameOfTile, type TileMembers, type TileScene } from "./tileScene.js";

/** What outlines a blob: the box around its 4σ ellipse, the ellipse, or both. */
export type Outline = "boxes" | "ellipses" | "both";

/** By the relation of a blob to a tile: in the list, a false positive, left out, tested before; and under another line. */
const strokes = {
  in: { stroke: "#ffd27a", "stroke-opacity": 0.6 },
  idle: { stroke: "#ff8f4d", "stroke-opacity": 0.9, "stroke-dasharray": "5 3" },
  out: { stroke: "white", "stroke-opacity": 0.75, "stroke-dasharray": "1.5 3" },
  passed: { stroke: "white", "stroke-opacity": 0.18 },
  under: { stroke: "black", "stroke-width": 4.5 },
};

/** Attributes of the outline that stands out. */
export const strongStroke = { "stroke-width": 2.6, "stroke-opacity": 1 };

/** Returns an outline from a path in UV. */
export function outlineOf(kind: keyof typeof strokes, d: string, style: object = {}): SVGElement {
  return svg("path", { class: "outline", fill: "none", "stroke-width": 1.2, ...strokes[kind], ...style, d });
}

type TileGrid = Pick<TileScene, "source" | "size" | "tile" | "across" | "down">;

/** Returns the grid of tiles, and the outlines of the blobs by their relation to one tile. */
export function tileShapes(
  scene: TileScene,
  { tile, list, idle, added, nearest }: TileMembers,
  chosen: number,
  outline: Outline,
): SVGElement[] {
  const path = (blob: number, kind: keyof typeof strokes, style: object = {}) => {
    const d = pathOf(scene.boxes[blob], blob === chosen ? "both" : outline);
    return linkThings(outlineOf(kind, d, style), nameOfBlob(scene, blob));
  };
  const kindOf = (blob: number) => (idle.has(blob) ? "idle" : list.includes(blob) ? "in" : "out");
  const others = new Set([...added, ...nearest, ...list]);
  others.delete(chosen);
  return [
    ...gridShapes(scene, tile),
    uvGroup(
      scene.size,
      ...Array.from(others, (blob) => path(blob, kindOf(blob))),
      // Dark below light, to be visible on any image.
      path(chosen, "under"),
      path(chosen, kindOf(chosen), strongStroke),
    ),
  ];
}

/** Returns the lines between tiles, and one tile that can be pointed at. */
export function gridShapes(scene: TileGrid, tile: number): SVGElement[] {
  const { across, down, size, tile: cell } = scene;
  const [width, height] = cell;
  const tileRect = svg("rect", { fill: "transparent", width, height, ...tileOrigin(tile, across, cell) });
  return [
    svg("path", { class: "outline", stroke: "rgb(128 128 128 / 0.55)", d: gridPath(across, down, cell, size) }),
    linkThings(tileRect, nameOfTile(scene, tile)),
  ];
}

function pathOf(box: OrientedBox, outline: Outline): string {
  return (outline === "ellipses" ? "" : boxPath(box)) + (outline === "boxes" ? "" : ellipsePath(box));
}

/** Returns a legend of the outlines. */
export function outlineLegend(): HTMLElement {
  const lines = {
    "in the list": "solid #d9971f",
    "false positive": "dashed #d9601f",
    "left out": "dotted var(--theme-foreground-muted)",
  };
  const keys = Object.entries(lines).map(([name, line]) => html`<span style="--line: 2px ${line}">${name}</span>`);
  return html`<p class="tile-legend">${keys}</p>`;
}
