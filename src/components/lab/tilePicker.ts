import { boxPath, ellipsePath, path, uvGroup } from "../figures/shapes.js";
import { type GridPicker, gridPicker } from "../inputs/gridPicker.js";
import { element, svg } from "../page/element.js";
import type { Run } from "../training/run.js";
import { outlinesOf } from "./heaviest.js";
import { runInFrames } from "./runInFrames.js";
import { colorOf, decodeScene, type Scene } from "./scene.js";
import { fullestTile, type TileList, tileList } from "./tileList.js";
import { maxListed } from "./tilePanel.js";

/** The tiles of a run's picture to choose from, the fullest at first; once the run has made its lists. */
export async function tilePicker(run: Run): Promise<GridPicker> {
  while (!run.inspection && !run.isOver) await run.changed;
  // Its cell runs again, and waits for this to settle.
  if (!run.inspection) throw new Error("The run ended before its tile lists were built.");
  const { tiles } = run.inspection;
  const { width, height } = run.target.image;
  const fullest = fullestTile({ inspection: { tiles } });
  return gridPicker(element("canvas", { width, height }), {
    width,
    height,
    cell: tiles.size,
    value: { column: fullest % tiles.across, row: Math.floor(fullest / tiles.across) },
    label: "Tiles of the image; the list of the chosen tile is next to it",
    hovers: true,
  });
}

/** The blobs of a run as it was looked at. */
export function sceneOf(run: Run, inspection: NonNullable<Run["inspection"]>): Promise<Scene> {
  return runInFrames(decodeScene(run, inspection));
}

/** The short-list of a tile, as the twin of the kernels gathers it. */
export function listOf(scene: Scene, { column, row }: GridPicker["value"]): Promise<TileList> {
  return runInFrames(tileList(scene, row * scene.inspection.tiles.across + column));
}

/** The 1σ ellipses of a list's blobs and their 4σ boxes, over the picture, and the blob that is pointed at and the pinned one. */
export function listShapes(
  scene: Scene,
  { passes }: TileList,
  pointed: number | null = null,
  pinned: number | null = null,
): SVGElement[] {
  const blobs = passes.flatMap((pass) => Array.from(pass)).slice(0, maxListed);
  const boxes = blobs.map((blob) => scene.boxes[blob]);
  const ellipses = blobs.map((blob, index) =>
    svg("path", {
      class: "list-ellipse",
      d: ellipsePath(boxes[index], 1),
      fill: colorOf(scene, blob),
      "fill-opacity": 0.15 + (0.75 * scene.colors[4 * blob + 3]) / 255,
    }),
  );
  return [
    uvGroup(
      scene.target,
      path("list-boxes", boxes.map(boxPath).join("")),
      ...ellipses,
      ...outlinesOf(scene, pointed, pinned),
    ),
  ];
}
