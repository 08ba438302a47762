// Writes the files of a run in a worker, since many blobs take a while.
import {
  gradientsFile,
  type MetricsRow,
  metricsFile,
  optimizerFile,
  parametersFile,
} from "../../engine/files/arrow.js";
import {
  type FileResult,
  type RunDescription,
  readRunDescription,
  writeRunDescription,
} from "../../engine/files/runDescription.js";
import { frameFile, runFiles } from "../../engine/files/runFiles.js";
import { type FloatImage, hashImage, type Image, toImage } from "../../engine/image/image.js";
import { lossOf, psnrOfLoss } from "../../engine/image/metrics.js";
import { reduceImage } from "../../engine/image/reduce.js";
import type { TrainingState } from "../../engine/model/blobs.js";
import { sha256 } from "../../engine/sha256.js";
import { frameSize } from "../../engine/training/film.js";
import { serveRequests } from "./browserWorker.js";
import { encodePng } from "./encodeBitmap.js";
import type { RunBlobs } from "./runStore.js";

export interface RunContents {
  /** Description without the image's hash and, if there is a render, without the result. Both are added. */
  description: Omit<RunDescription, "version">;
  target: Image;
  metrics: MetricsRow[];
  state: TrainingState;
  /** Film frames by step, without that of the current state. */
  film: Map<number, Image>;
  /** dL/draw at the state's parameters, if known. */
  gradients?: Float32Array;
  /** Render of the state, if known. */
  render?: FloatImage;
  /** The .splat2d file and its size and PSNR, if known. */
  splat2d?: { bytes: Uint8Array; file: FileResult };
}

export interface WrittenRun {
  description: RunDescription;
  files: RunBlobs;
  thumbnail?: Blob;
}

/** Longer side of a thumbnail in pixels, for screens with a pixel ratio of 2. */
const thumbnailSize = 192;

serveRequests(write);

async function write(contents: RunContents): Promise<WrittenRun> {
  const { description, target, metrics, state, film, gradients, render, splat2d } = contents;
  const { config } = description;
  const files: RunBlobs = {};
  const arrowBlob = (bytes: Uint8Array) =>
    new Blob([bytes as Uint8Array<ArrayBuffer>], { type: "application/vnd.apache.arrow.file" });
  files[runFiles.parameters] = arrowBlob(parametersFile(config, target, state));
  files[runFiles.optimizer] = arrowBlob(optimizerFile(config, state));
  files[runFiles.metrics] = arrowBlob(metricsFile(config, metrics));
  // Step t updates the parameters after t − 1 steps.
  if (gradients) files[runFiles.gradients] = arrowBlob(gradientsFile(config, [{ step: state.step + 1, gradients }]));
  files[runFiles.target] = await encodePng(target);
  const frames = new Map(film);
  let { result } = description;
  if (render) {
    const image = toImage(render);
    files[runFiles.render] = await encodePng(image);
    const { width, height } = frameSize(target);
    frames.set(state.step, reduceImage(image, Math.max(width, height)));
    const loss = lossOf(render, target);
    result = { loss, psnr: psnrOfLoss(loss) };
  }
  if (splat2d) {
    files[runFiles.splat2d] = new Blob([splat2d.bytes as Uint8Array<ArrayBuffer>]);
    result = { ...result, file: splat2d.file };
  }
  for (const [step, frame] of frames) files[frameFile(step)] = await encodePng(frame);
  const image = { ...description.image, hash: await hashImage(target) };
  const steps = [...frames.keys()].sort((a, b) => a - b);
  const hashes = Object.entries(files).map(async ([name, blob]) => [name, await hashOf(blob)] as const);
  const fullDescription = {
    ...description,
    image,
    film: steps,
    result,
    files: Object.fromEntries(await Promise.all(hashes)),
  };
  const text = writeRunDescription(fullDescription);
  files[runFiles.description] = new Blob([text], { type: "application/json" });
  return {
    description: readRunDescription(text),
    files,
    ...(render && { thumbnail: await encodePng(reduceImage(toImage(render), thumbnailSize)) }),
  };
}

async function hashOf(blob: Blob): Promise<string> {
  return sha256(new Uint8Array(await blob.arrayBuffer()));
}
