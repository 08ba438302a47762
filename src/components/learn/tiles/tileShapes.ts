import { html } from "htl";
import type { OrientedBox } from "../../../engine/model/bounds.js";
import { tileOrigin } from "../../../engine/model/uv.js";
import { linkThings } from "../../figures/pointing.js";
import { boxPath, ellipsePath, gridPath, uvGroup } from "../../figures/shapes.js";
import { type GridPicker, gridPicker } from "../../inputs/gridPicker.js";
import { svg } from "../../page/element.js";
import {
  cellOfTile,
  nameOfBlob,
  nameOfTile,
  type Relation,
  relationOf,
  relations,
  type TileMembers,
  type TileScene,
} from "./tileScene.js";

/** What outlines a blob: the box around its 4σ ellipse, the ellipse, or both. */
export type Outline = "boxes" | "ellipses" | "both";

/** Attributes by the relation of a blob to a tile; of one that was tested before; and under another line. */
const strokes = {
  in: { stroke: "#ffd27a", "stroke-opacity": 0.6 },
  "false-positive": { stroke: "#ff8f4d", "stroke-opacity": 0.9, "stroke-dasharray": "5 3" },
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
export function tileShapes(members: TileMembers, chosen: number, outline: Outline): SVGElement[] {
  const { scene, tile, list, added, nearest } = members;
  const path = (blob: number, kind: keyof typeof strokes, style: object = {}) => {
    const d = pathOf(scene.boxes[blob], blob === chosen ? "both" : outline);
    return linkThings(outlineOf(kind, d, style), nameOfBlob(scene, blob));
  };
  const others = new Set([...added, ...nearest, ...list]);
  others.delete(chosen);
  return [
    ...gridShapes(scene, tile),
    uvGroup(
      scene.size,
      ...Array.from(others, (blob) => path(blob, relationOf(members, blob))),
      // Dark below light, to be visible on any image.
      path(chosen, "under"),
      path(chosen, relationOf(members, chosen), strongStroke),
    ),
  ];
}

/**
 * Returns an input of a tile, without an image.
 * @param tile the one that is chosen at first
 */
export function tilePicker(grid: TileGrid, tile: number, label: string, hovers = false): GridPicker {
  const { size, tile: cell } = grid;
  return gridPicker(html`<canvas>`, { ...size, cell, hovers, label, value: cellOfTile(grid, tile) });
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
    in: "solid #d9971f",
    "false-positive": "dashed #d9601f",
    out: "dotted var(--theme-foreground-muted)",
  };
  const keys = Object.entries(lines).map(([relation, line]) => {
    return html`<span style="--line: 2px ${line}">${relations[relation as Relation]}</span>`;
  });
  return html`<p class="tile-legend">${keys}</p>`;
}
