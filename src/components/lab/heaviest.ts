import { svg } from "htl";
import { decode, modelOf } from "../../engine/model/blob.js";
import type { OrientedBox } from "../../engine/model/bounds.js";
import { calcUV } from "../../engine/model/uv.js";
import { ellipsePath } from "../figures/shapes.js";
import { blendSteps, blobAt } from "../learn/pixelStack.js";
import type { Scene } from "./scene.js";

/**
 * Returns the blob with the largest weight αT in a pixel by its name for pointing, such as "blob:12"; undefined if no blob
 * reaches it. The position is a fraction of the image's sides.
 */
export function heaviestThing({ config, target, inspection, boxes }: Scene, x: number, y: number): string | undefined {
  const { scaleX, scaleY, offsetX, offsetY } = calcUV(target, target);
  const [u, v] = [Math.floor(x * target.width) * scaleX + offsetX, Math.floor(y * target.height) * scaleY + offsetY];
  const model = modelOf(config, target);
  const blobs = boxes.flatMap((box, index) =>
    contains(box, u, v) ? [blobAt(index, decode(inspection.state.parameters, index, model), u, v)] : [],
  );
  const heaviest = blendSteps(blobs, config.blend).toSorted((a, b) => b.weight - a.weight)[0];
  return heaviest && `blob:${heaviest.index}`;
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
    const names = ["outline dark", `outline ${index === 0 ? "pointed" : "pinned"}`];
    return names.map((name) => svg`<path class=${name} d=${d}></path>`);
  });
}
