import type { FloatImage } from "../../../engine/image/image.js";
import { bitonicSort, type GatheredWindow, padBuffer, windows } from "../../../engine/model/shortList.js";
import { blobsOfTile } from "../../../engine/model/tileLists.js";
import { tileArea } from "../../../engine/model/uv.js";
import { count } from "../../page/format.js";
import { boundsOf, type TileScene } from "./tileScene.js";

/** A window of blob indices and the list that a tile gathered from it, padded and sorted if it fits. */
export interface WindowAttempt extends GatheredWindow {
  /** The number of the pass, counted from 1; undefined if the list overflows. */
  pass?: number;
}

/** Returns every window that a tile tries with a list of some capacity, in order, as shortListAfter does in WGSL. */
export function windowAttempts(scene: TileScene, tile: number, capacity: number): WindowAttempt[] {
  let passes = 0;
  return Array.from(windows(scene.boxes, boundsOf(scene, tile), capacity), (window) => {
    if (window.list.blobCount > capacity) return window;
    bitonicSort(padBuffer(window.list));
    return { ...window, pass: ++passes };
  });
}

/** Returns the mean and the largest difference of two images, or of an area, in 8-bit levels of red, green and blue. */
export function imageDifference(
  a: FloatImage,
  b: FloatImage,
  { left, top, right, bottom } = { left: 0, top: 0, right: a.width, bottom: a.height },
) {
  let sum = 0;
  let largest = 0;
  for (let y = top; y < bottom; y++) {
    for (let x = left; x < right; x++) {
      for (let channel = 0; channel < 3; channel++) {
        const offset = 4 * (y * a.width + x) + channel;
        const levels = 255 * Math.abs(a.data[offset] - b.data[offset]);
        sum += levels;
        largest = Math.max(largest, levels);
      }
    }
  }
  return { mean: sum / (3 * (right - left) * (bottom - top)), largest };
}

/** Returns how a tile list was gathered, in numbers. */
export function overflowFacts(scene: TileScene, tile: number, attempts: WindowAttempt[]): Record<string, string> {
  return {
    "blobs that meet the tile": `${count(blobsOfTile(scene.lists, tile).length)} of ${count(scene.blobs.length)}`,
    "windows tried": count(attempts.length),
    passes: count(attempts.filter(({ pass }) => pass !== undefined).length),
  };
}

/** Returns what the truncation of a tile list drops, and its error, in numbers. */
export function truncationFacts(
  scene: TileScene,
  tile: number,
  capacity: number,
  [fullImage, cutImage]: [FloatImage, FloatImage],
): Record<string, string> {
  const { length } = blobsOfTile(scene.lists, tile);
  const { mean, largest } = imageDifference(fullImage, cutImage, tileArea(tile, scene.across, scene.tile, scene.size));
  return {
    "dropped by truncation": count(Math.max(length - capacity, 0)),
    "mean error in the tile": largest < 0.5 ? "none" : `${mean.toFixed(1)} of 255`,
    "largest error": largest < 0.5 ? "none" : `${largest.toFixed(0)} of 255`,
  };
}
