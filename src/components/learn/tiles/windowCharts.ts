import { type Picture, toImage } from "../../../engine/image/image.js";
import { sentinel } from "../../../engine/model/shortList.js";
import { tileArea } from "../../../engine/model/uv.js";
import { canvasOf } from "../../figures/canvasOf.js";
import { element } from "../../page/element.js";
import { count, counted } from "../../page/format.js";
import { placeWords } from "./blobList.js";
import { type Attempt, differenceOf } from "./overflow.js";
import { slot, slotList } from "./strideTables.js";
import type { TileScene } from "./tileScene.js";

/** A window of blob indices that a tile tried, as a sentence. */
export function windowWords(attempts: Attempt[], cap: number, index: number): string {
  const { start, end, list, pass } = attempts[index];
  const { blobCount } = list;
  const next = attempts[index + 1];
  const head = `Blobs ${count(start)} to ${count(end - 1)}: ${count(blobCount)} of them ${blobCount === 1 ? "meets" : "meet"} the tile`;
  if (pass === undefined) {
    return `${head}, and ${cap} fit. Retry with ${count(next.end - next.start)} indices: as many as should fit by that count, less a tenth.`;
  }
  const rest = next
    ? "The list is sorted and composited. The next window begins after it."
    : "The list is sorted and composited. No index is left.";
  return `${head}: they fit, as pass ${pass}. ${rest}`;
}

/** The slots of a list as a window left them. */
export function windowSlots({ pass, list: { blobs, blobCount } }: Attempt): HTMLElement {
  const cap = blobs.length;
  const more = blobCount - cap;
  const words =
    pass === undefined
      ? `Its ${cap} slots are full, and ${counted(more, "blob")} more ${more === 1 ? "was" : "were"} counted, not stored:`
      : `Its ${cap} slots, sorted: ${counted(blobCount, "blob")} and ${counted(-more, "sentinel")}, 0xFFFFFFFF:`;
  const nodes = Array.from(blobs, (blob) =>
    blob === sentinel
      ? slot("FF…", { class: "empty", title: "Sentinel, 0xFFFFFFFF" })
      : slot(String(blob), { class: pass ? "now" : "given-up" }, `blob:${blob}`),
  );
  return element("div", { class: "window-slots" }, element("p", {}, words), slotList("The list’s slots", nodes));
}

/** A tile by itself: with nothing dropped, with its list cut, and the difference. */
export function closeUps(scene: TileScene, tile: number, whole: Picture, cut: Picture, cap: number): HTMLElement {
  const { left, top, right, bottom } = tileArea(tile, scene.across, scene.tile, scene.size);
  const name = `Tile ${placeWords(scene, tile)}`;
  const { mean } = differenceOf(whole, cut, { left: 0, top: 0, right: scene.size.width, bottom: scene.size.height });
  const close = (title: string, words: string, ...pictures: Picture[]) => {
    const attributes = { width: right - left, height: bottom - top, role: "img", "aria-label": words };
    const canvas = element("canvas", attributes);
    const context = canvas.getContext("2d")!;
    for (const picture of pictures) {
      context.drawImage(canvasOf(toImage(picture)), -left, -top);
      // The next one is taken from it, whichever is greater.
      context.globalCompositeOperation = "difference";
    }
    return element("div", {}, element("p", {}, title), canvas);
  };
  return element(
    "div",
    { class: "close-ups" },
    close("The tile", `${name} with its complete list`, whole),
    close("Truncated", `${name} with its list truncated at ${cap}`, cut),
    close("Difference", `Their difference; over the whole image it is ${mean.toFixed(1)} levels of 255`, whole, cut),
  );
}
