import type { TrainConfig } from "../../config.js";
import { drawBlobs } from "../../draw.js";
import type { FloatImage, Image } from "../../image/image.js";
import type { Backend } from "../../pipeline.js";
import type { Splat2d } from "./splat2d.js";

/** Draws the blobs of a file at the target's size. */
export type DrawFile = (read: Splat2d) => Promise<FloatImage>;

/** Returns a function that draws the files of a job, which may have fewer blobs, on the engine that trains it. */
export function drawWith(backend: Backend, config: TrainConfig, target: Image): DrawFile {
  return ({ config: { blobs }, parameters }) =>
    drawBlobs(backend, { config: { ...config, blobs }, size: target, parameters, renderSize: target });
}
