import { html, svg } from "htl";
import { boxPath, ellipsePath, path, uvGroup } from "../figures/shapes.js";
import { type GridPicker, gridPicker } from "../inputs/gridPicker.js";
import type { Run } from "../training/run.js";
import { outlinesOf } from "./heaviest.js";
import { maxListed } from "./listedBlobs.js";
import { runInFrames } from "./runInFrames.js";
import { colorOf, decodeScene, type Scene } from "./scene.js";
import { type TileList, tileList } from "./tileList.js";

/** Returns an input that chooses a tile, the one with the longest list at first, once the run has built its lists. */
export async function tilePicker(run: Run): Promise<GridPicker> {
  while (!run.inspection && !run.isOver) await run.changed;
  // The cell runs again only after this promise has settled.
  if (!run.inspection) throw new Error("The run ended before its tile lists were built.");
  const { tiles } = run.inspection;
  const { width, height } = run.target.image;
  const fullest = tiles.lengths.indexOf(tiles.lengths.reduce((a, b) => Math.max(a, b)));
  return gridPicker(html`<canvas width=${width} height=${height}></canvas>`, {
    width,
    height,
    cell: tiles.size,
    value: { column: fullest % tiles.across, row: Math.floor(fullest / tiles.across) },
    label: "Tiles of the image; the list of the chosen tile is next to it",
    hovers: true,
  });
}

/** Returns the decoded blobs of an inspection. */
export function sceneOf(run: Run, inspection: NonNullable<Run["inspection"]>): Promise<Scene> {
  return runInFrames(decodeScene(run, inspection));
}

/** Returns the list of a tile, built by the CPU reference. */
export function listOf(scene: Scene, { column, row }: GridPicker["value"]): Promise<TileList> {
  return runInFrames(tileList(scene, row * scene.inspection.tiles.across + column));
}

/** Returns the 1σ ellipses and 4σ boxes of a list's blobs, and the outlines of the pointed and the pinned blob. */
export function listShapes(
  scene: Scene,
  { passes }: TileList,
  pointed: number | null = null,
  pinned: number | null = null,
): SVGElement[] {
  const blobs = passes.flatMap((pass) => Array.from(pass)).slice(0, maxListed);
  const boxes = blobs.map((blob) => scene.boxes[blob]);
  const ellipses = blobs.map((blob, index) => {
    const opacity = 0.15 + (0.75 * scene.colors[4 * blob + 3]) / 255;
    const d = ellipsePath(boxes[index], 1);
    return svg`<path stroke="white" vector-effect="non-scaling-stroke" d=${d} fill=${colorOf(scene, blob)} fill-opacity=${opacity}></path>`;
  });
  return [
    uvGroup(
      scene.target,
      path("outline faint", boxes.map(boxPath).join("")),
      ...ellipses,
      ...outlinesOf(scene, pointed, pinned),
    ),
  ];
}
