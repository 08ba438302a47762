import { svg } from "htl";
import { decode, modelOf } from "../../engine/model/blob.js";
import type { OrientedBox } from "../../engine/model/bounds.js";
import { calcUV } from "../../engine/model/uv.js";
import { ellipsePath } from "../figures/shapes.js";
import { blendSteps, blobAt } from "../learn/pixelStack.js";

import type { Scene } from "./scene.js";

type DecodedScene = Pick<Scene, "config" | "target" | "boxes"> & {
  inspection: { state: Pick<Scene["inspection"]["state"], "parameters"> };
};

/** Returns the blob with the largest weight αT in a pixel, or undefined if no blob reaches it. */
export function heaviestAt(
  { config, target, inspection, boxes }: DecodedScene,
  x: number,
  y: number,
): number | undefined {
  const uv = calcUV(target, target);
  const [u, v] = [x * uv.scaleX + uv.offsetX, y * uv.scaleY + uv.offsetY];
  const model = modelOf(config, target);
  const blobs = boxes.flatMap((box, index) =>
    contains(box, u, v) ? [blobAt(index, decode(inspection.state.parameters, index, model), u, v)] : [],
  );
  const heaviest = blendSteps(blobs, config.blend).reduce((best, step) => (step.weight > best.weight ? step : best), {
    weight: 0,
    index: -1,
  });
  return heaviest.index < 0 ? undefined : heaviest.index;
}

/** Returns the name of that blob for pointing, such as "blob:12". The position is a fraction of the image's sides. */
export function heaviestThing(scene: DecodedScene, x: number, y: number): string | undefined {
  const { width, height } = scene.target;
  const blob = heaviestAt(scene, Math.floor(x * width), Math.floor(y * height));
  return blob === undefined ? undefined : `blob:${blob}`;
}

function contains(
  { centerX, centerY, axisX, axisY, halfLength, halfWidth }: OrientedBox,
  u: number,
  v: number,
): boolean {
  const [x, y] = [u - centerX, v - centerY];
  return Math.abs(x * axisX + y * axisY) <= halfLength && Math.abs(y * axisX - x * axisY) <= halfWidth;
}

/** Returns the 4σ ellipses of the pointed and the pinned blob, in UV. */
export function outlinesOf({ boxes }: Pick<Scene, "boxes">, ...blobs: [pointed: number | null, pinned: number | null]) {
  return blobs.flatMap((blob, index) => {
    if (blob === null || !boxes[blob]) return [];
    const d = ellipsePath(boxes[blob]);
    // A light line over a dark one is visible on any image.
    const names = ["blob-outline dark", `blob-outline ${index === 0 ? "pointed" : "pinned"}`];
    return names.map((name) => svg`<path class=${name} d=${d}></path>`);
  });
}
