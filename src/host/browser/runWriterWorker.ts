// Writes the files of a run in a worker, since many blobs take a while.
import { frameFile, runFiles } from "../../engine/files/runFiles.js";
import { hashImage, toImage } from "../../engine/image/image.js";
import { lossOf, psnrOfLoss } from "../../engine/image/metrics.js";
import { reduceImage } from "../../engine/image/reduce.js";
import { sha256 } from "../../engine/sha256.js";
import { frameSize } from "../../engine/training/film.js";
import { serveRequests } from "./browserWorker.js";
import { encodePng } from "./encodeBitmap.js";
import { type RunContents, tablesOf, type WrittenRun, writtenRun } from "./writtenRun.js";

/** Longer side of a thumbnail in pixels, for screens with a pixel ratio of 2. */
const thumbnailSize = 192;

serveRequests(write);

async function write(contents: RunContents): Promise<WrittenRun> {
  const { description, target, state, film, render, splat2d } = contents;
  const files = tablesOf(contents);
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
  return {
    ...writtenRun(files, fullDescription),
    ...(render && { thumbnail: await encodePng(reduceImage(toImage(render), thumbnailSize)) }),
  };
}

async function hashOf(blob: Blob): Promise<string> {
  return sha256(new Uint8Array(await blob.arrayBuffer()));
}
