import { evenChoice } from "../../../engine/evenChoice.js";
import type { Scene } from "../../lab/scene.js";
import { tileList } from "../../lab/tileList.js";
import { blendSteps, pixelStack } from "./pixelStack.js";

/** A pixel of a picture. */
export interface Pixel {
  x: number;
  y: number;
}

/** Finds a pixel that is worth a look, some of the work at a time. */
export type Place = (scene: Scene) => Generator<void, Pixel>;

export const places: Record<string, Place> = {
  "most layers": mostLayered,
  "lowest transmittance": (scene) => best(scene, (data, at) => -data[at + 3]),
  "highest transmittance": (scene) => best(scene, (data, at) => data[at + 3]),
  "largest error": (scene) => best(scene, (data, at) => errorAt(scene, data, at)),
};

/** Tiles whose middle is looked at for its layers. */
const mostTiles = 64;

/** The middle of a tile that shows the most blobs, each counted by its share: e to the entropy of the shares. */
export function* mostLayered(scene: Scene): Generator<void, Pixel> {
  const { size, across, down } = scene.look.tiles;
  const { width, height } = scene.target;
  let found = { x: 0, y: 0 };
  let highest = Number.NEGATIVE_INFINITY;
  for (const tile of evenChoice(across * down, mostTiles)) {
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

/** The pixel with the highest score, of the picture's RGB and transmittance. */
function* best({ look }: Scene, score: (data: Float32Array, at: number) => number): Generator<void, Pixel> {
  const { width, data } = look.picture;
  let [found, highest] = [0, Number.NEGATIVE_INFINITY];
  for (let at = 0; at < data.length; at += 4) {
    const value = score(data, at);
    if (value > highest) [found, highest] = [at / 4, value];
    if (at % 65_536 === 0) yield;
  }
  return { x: found % width, y: Math.floor(found / width) };
}

function errorAt({ target }: Scene, data: Float32Array, at: number): number {
  const error = (channel: number) => (data[at + channel] - target.data[at + channel] / 255) ** 2;
  return error(0) + error(1) + error(2);
}
