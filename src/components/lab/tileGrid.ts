import { deviations } from "../../engine/cpu/bounds.js";
import { type GridPicker, gridPicker } from "../inputs/gridPicker.js";
import { element, svg } from "../page/element.js";
import type { Run } from "../training/run.js";
import { inFrames } from "./inFrames.js";
import { colorOf, decodeScene, type Scene } from "./scene.js";
import { fullestTile, type TileList, tileList } from "./tileList.js";
import { mostListed } from "./tilePanel.js";

/** The tiles of a run's picture to choose from, the fullest at first; once the run has made its lists. */
export async function tileGrid(run: Run): Promise<GridPicker> {
  while (!run.look && !run.isOver) await run.changed;
  // Its cell runs again, and waits for this to settle.
  if (!run.look) throw new Error("The run ended before it had made its lists.");
  const { tiles } = run.look;
  const { width, height } = run.target.image;
  const fullest = fullestTile({ look: { tiles } });
  return gridPicker(element("canvas", { width, height }), {
    width,
    height,
    cell: tiles.size,
    value: { column: fullest % tiles.across, row: Math.floor(fullest / tiles.across) },
    label: "Tiles of the picture; the short-list of the chosen one stands beside it",
    hovers: true,
  });
}

/** The blobs of a run as it was looked at. */
export function sceneOf(run: Run, look: NonNullable<Run["look"]>): Promise<Scene> {
  return inFrames(decodeScene(run, look));
}

/** The short-list of a tile, as the twin of the kernels gathers it. */
export function listOf(scene: Scene, { column, row }: GridPicker["value"]): Promise<TileList> {
  return inFrames(tileList(scene, row * scene.look.tiles.across + column));
}

/** The 1σ ellipses of a list's blobs and their 4σ boxes, in pixels of the picture. */
export function listShapes(scene: Scene, { passes }: TileList): SVGElement[] {
  const { width, height } = scene.target;
  const blobs = passes.flatMap((pass) => Array.from(pass)).slice(0, mostListed);
  const boxes = blobs.map((blob) => scene.boxes[blob]);
  // A box is turned in UV, which is stretched where the picture is not square.
  const path = (points: (readonly [number, number])[]) =>
    `M${points.map(([x, y]) => `${(x * width).toFixed(2)},${(y * height).toFixed(2)}`).join("L")}Z`;
  const around = (box: (typeof boxes)[number], corners: (readonly [number, number])[]) =>
    path(
      corners.map(
        ([along, across]) =>
          [
            box.centerX + along * box.halfLength * box.axisX - across * box.halfWidth * box.axisY,
            box.centerY + along * box.halfLength * box.axisY + across * box.halfWidth * box.axisX,
          ] as const,
      ),
    );
  const corners = [
    [-1, -1],
    [1, -1],
    [1, 1],
    [-1, 1],
  ] as const;
  const circle = Array.from({ length: 24 }, (_, i) => {
    const angle = (2 * Math.PI * i) / 24;
    return [Math.cos(angle) / deviations, Math.sin(angle) / deviations] as const;
  });
  return [
    svg("path", { class: "list-boxes", d: boxes.map((box) => around(box, [...corners])).join("") }),
    ...blobs.map((blob, index) =>
      svg("path", {
        class: "list-ellipse",
        d: around(boxes[index], circle),
        fill: colorOf(scene, blob),
        "fill-opacity": 0.15 + (0.75 * scene.colors[4 * blob + 3]) / 255,
      }),
    ),
  ];
}
