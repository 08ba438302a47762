import type { OrientedBox } from "../../../engine/model/bounds.js";
import { tileOrigin } from "../../../engine/model/uv.js";
import { linkThings } from "../../figures/pointing.js";
import { boxPath, ellipsePath, gridPath, uvGroup } from "../../figures/shapes.js";
import { element, svg } from "../../page/element.js";
import { nameOfBlob, nameOfTile, type TileMembers, type TileScene } from "./tileScene.js";

/** What is drawn of a blob: the box around its 4σ ellipse, the ellipse, or both. */
export type Outline = "boxes" | "ellipses" | "both";

/** What a blob is to a tile: in its list, there for nothing, left out, or out of question; and the shade of another line. */
type OutlineKind = keyof typeof strokes;

const strokes = {
  in: { stroke: "#ffd27a", "stroke-opacity": 0.6 },
  idle: { stroke: "#ff8f4d", "stroke-opacity": 0.9, "stroke-dasharray": "5 3" },
  out: { stroke: "white", "stroke-opacity": 0.75, "stroke-dasharray": "1.5 3" },
  passed: { stroke: "white", "stroke-opacity": 0.18 },
  under: { stroke: "black", "stroke-width": 4.5 },
};

/** Of the outline that counts. */
export const strongStroke = { "stroke-width": 2.6, "stroke-opacity": 1 };

/** A blob's outline, in UV. */
export function outlineOf(kind: OutlineKind, d: string, style: object = {}): SVGElement {
  return svg("path", { class: "outline", fill: "none", "stroke-width": 1.2, ...strokes[kind], ...style, d });
}

/** Tiles over a picture, of no matter which blobs. */
type TileGrid = Pick<TileScene, "source" | "size" | "tile" | "across" | "down">;

/** The grid of tiles over a picture, one of them as a thing to point at, and the outlines of blobs as they are to it. */
export function tileShapes(
  scene: TileScene,
  { tile, list, idle, added, nearest }: TileMembers,
  chosen: number,
  outline: Outline,
): SVGElement[] {
  const path = (blob: number, kind: OutlineKind, style: object = {}) => {
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
      // Dark below light, so that it can be seen on any picture.
      path(chosen, "under"),
      path(chosen, kindOf(chosen), strongStroke),
    ),
  ];
}

/** The lines between tiles, and one of them as a thing to point at. */
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

/** What the outlines of blobs mean. */
export function outlineLegend(): HTMLElement {
  const lines = {
    "in the list": "solid #d9971f",
    "false positive": "dashed #d9601f",
    "left out": "dotted var(--theme-foreground-muted)",
  };
  const keys = Object.entries(lines).map(([name, line]) => element("span", { style: `--line: 2px ${line}` }, name));
  return element("p", { class: "tile-legend" }, ...keys);
}
