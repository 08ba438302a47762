import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Image, maxPixels } from "../engine/image/image.js";
import { reducedSize, reduceImage } from "../engine/image/reduce.js";
import { areaOf } from "../engine/regions/plan.js";
import { decodeImage, stdin } from "../host/node/imageFile.js";
import { Failure } from "../terminal/failure.js";
import { stoppedExitCode } from "../terminal/interrupt.js";

/**
 * Returns the image of a file with its longer side reduced to at most `longest` pixels. It is never enlarged. If only
 * the reduced image fits into memory, the file is decoded to a temporary file.
 * @throws Failure if the signal aborts, or an Error of one sentence as `decodeImage`
 */
export async function readTarget(path: string, longest: number, signal?: AbortSignal): Promise<Image> {
  if (!(await isLarge(path, longest))) return reduceImage(await decodeImage(path), longest);
  const { StagedImage } = await import("../host/node/stagedImage.js");
  const folder = await mkdtemp(join(tmpdir(), "splatbook-"));
  try {
    const fullImage = await StagedImage.open(path, join(folder, "whole.v"), signal);
    const reduced = await fullImage
      .reduced(longest, join(folder, "reduced.v"), signal)
      .finally(() => fullImage.close());
    return await reduced
      .crop({ x: 0, y: 0, width: reduced.width, height: reduced.height })
      .finally(() => reduced.close());
  } catch (error) {
    if (!signal?.aborted || (error as Error).name !== "AbortError") throw error;
    throw new Failure("Stopped while the image was read. Nothing was saved.", stoppedExitCode(signal));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Returns whether a file has too many pixels to read at once, unlike its reduced image. */
async function isLarge(path: string, longest: number): Promise<boolean> {
  // Unlike a file, a pipe can be read only once.
  if (longest === Number.POSITIVE_INFINITY || path === stdin || !(await stat(path).catch(() => undefined))?.isFile())
    return false;
  const { imageSize } = await import("../host/node/stagedImage.js");
  const size = await imageSize(path).catch(() => undefined);
  return size !== undefined && areaOf(size) > maxPixels && areaOf(reducedSize(size, longest)) <= maxPixels;
}
