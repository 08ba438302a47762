import { evenlySpacedIndices } from "../../../engine/evenlySpaced.js";
import type { Scene } from "../../lab/scene.js";
import { tileList } from "../../lab/tileList.js";
import { blendSteps, pixelStack } from "../pixelStack.js";

/** A pixel of an image, counted from the upper left corner. */
export interface Pixel {
  x: number;
  y: number;
}

/** Finds a notable pixel; yields between batches of work. */
export type PixelSearch = (scene: Scene) => Generator<void, Pixel>;

export const pixelSearches: Record<string, PixelSearch> = {
  "most layers": findMostLayered,
  "lowest transmittance": (scene) => findBest(scene, (data, offset) => -data[offset + 3]),
  "highest transmittance": (scene) => findBest(scene, (data, offset) => data[offset + 3]),
  "largest error": (scene) => findBest(scene, (data, offset) => errorAt(scene, data, offset)),
};

/** Tiles that the search for the most layers tests at most. */
const maxTiles = 64;

/** Finds the centre of a tile with the most layers, by the entropy of the blobs' weights. */
export function* findMostLayered(scene: Scene): Generator<void, Pixel> {
  const { size, across, down } = scene.inspection.tiles;
  const { width, height } = scene.target;
  let found = { x: 0, y: 0 };
  let highest = Number.NEGATIVE_INFINITY;
  for (const tile of evenlySpacedIndices(across * down, maxTiles)) {
    const list = yield* tileList(scene, tile);
    const x = Math.min(list.x + (size[0] >> 1), width - 1);
    const y = Math.min(list.y + (size[1] >> 1), height - 1);
    const steps = blendSteps(pixelStack(scene, list, x, y).blobs, scene.config.blend);
    const entropy = steps.reduce((sum, { weight }) => (weight > 0 ? sum - weight * Math.log(weight) : sum), 0);
    if (entropy > highest) [found, highest] = [{ x, y }, entropy];
    yield;
  }
  return found;
}

/** Finds the pixel with the highest score; a score reads red, green, blue and transmittance at an offset of the render. */
function* findBest(
  { inspection: snapshot }: Scene,
  score: (data: Float32Array, offset: number) => number,
): Generator<void, Pixel> {
  const { width, data } = snapshot.render;
  let [found, highest] = [0, Number.NEGATIVE_INFINITY];
  for (let at = 0; at < data.length; at += 4) {
    const value = score(data, at);
    if (value > highest) [found, highest] = [at / 4, value];
    if (at % 65_536 === 0) yield;
  }
  return { x: found % width, y: Math.floor(found / width) };
}

function errorAt({ target }: Scene, data: Float32Array, offset: number): number {
  const error = (channel: number) => (data[offset + channel] - target.data[offset + channel] / 255) ** 2;
  return error(0) + error(1) + error(2);
}
