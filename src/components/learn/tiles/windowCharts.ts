import { html } from "htl";
import { type FloatImage, toImage } from "../../../engine/image/image.js";
import { sentinel } from "../../../engine/model/shortList.js";
import { tileArea } from "../../../engine/model/uv.js";
import { imageCanvas } from "../../figures/imageCanvas.js";
import { count, counted } from "../../page/format.js";
import { imageDifference, type WindowAttempt } from "./overflow.js";
import { slotItem, slotList } from "./strideTables.js";
import { type TileScene, tileText } from "./tileScene.js";

/** Returns a window of blob indices that a tile tried, as a sentence. */
export function describeWindow(attempts: WindowAttempt[], capacity: number, index: number): string {
  const { start, end, list, pass } = attempts[index];
  const { blobCount } = list;
  const next = attempts[index + 1];
  const head = `Blobs ${count(start)} to ${count(end - 1)}: ${count(blobCount)} of them ${blobCount === 1 ? "meets" : "meet"} the tile`;
  if (pass === undefined) {
    return `${head}, and ${capacity} fit. Retry with ${count(next.end - next.start)} indices.`;
  }
  const outcome = next
    ? "The list is sorted and composited. The next window begins after it."
    : "The list is sorted and composited. No index is left.";
  return `${head}: they fit, as pass ${pass}. ${outcome}`;
}

/** Returns the slots of a list after a window. */
export function windowSlots({ pass, list: { blobs, blobCount } }: WindowAttempt): HTMLElement {
  const capacity = blobs.length;
  const excess = blobCount - capacity;
  const description =
    pass === undefined
      ? `Its ${capacity} slots are full, and ${counted(excess, "blob")} more ${excess === 1 ? "was" : "were"} counted, not stored:`
      : `Its ${capacity} slots, sorted: ${counted(blobCount, "blob")} and ${counted(-excess, "sentinel")}, 0xFFFFFFFF:`;
  const nodes = Array.from(blobs, (blob) =>
    blob === sentinel
      ? slotItem("FF…", { class: "empty", title: "Sentinel, 0xFFFFFFFF" })
      : slotItem(String(blob), { class: pass ? "now" : "given-up" }, `blob:${blob}`),
  );
  return html`<div class="window-slots"><p>${description}</p>${slotList("The list’s slots", nodes)}</div>`;
}

/** Returns a tile with its complete list, with its truncated list, and the difference of both. */
export function closeUps(
  scene: TileScene,
  tile: number,
  fullImage: FloatImage,
  cutImage: FloatImage,
  capacity: number,
): HTMLElement {
  const { left, top, right, bottom } = tileArea(tile, scene.across, scene.tile, scene.size);
  const name = `Tile ${tileText(scene, tile)}`;
  const { mean } = imageDifference(fullImage, cutImage);
  const closeUp = (title: string, description: string, ...images: FloatImage[]) => {
    const size = { x: left, y: top, width: right - left, height: bottom - top };
    const [canvas, other] = images.map((image) => imageCanvas(toImage(image), description, size));
    if (other) {
      const context = canvas.getContext("2d")!;
      context.globalCompositeOperation = "difference";
      context.drawImage(other, 0, 0);
    }
    return html`<div><p>${title}</p>${canvas}</div>`;
  };
  const differenceText = `Their difference; over the whole image it is ${mean.toFixed(1)} levels of 255`;
  return html`<div class="close-ups">${[
    closeUp("The tile", `${name} with its complete list`, fullImage),
    closeUp("Truncated", `${name} with its list truncated at ${capacity}`, cutImage),
    closeUp("Difference", differenceText, fullImage, cutImage),
  ]}</div>`;
}
