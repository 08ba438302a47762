import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Image, maxPixels, type Size } from "../engine/image/image.js";
import { reducedSize, reduceImage } from "../engine/image/reduce.js";
import { areaOf } from "../engine/regions/plan.js";
import { decodeImage, stdin } from "../host/node/imageFile.js";
import type { StagedImage } from "../host/node/stagedImage.js";
import { Failure } from "../terminal/failure.js";
import { stoppedExitCode } from "../terminal/interrupt.js";
import { isFile } from "./inputFile.js";

/**
 * Returns the image of a file with its longer side reduced to at most `longest` pixels. It is never enlarged. If only
 * the reduced image fits into memory, the file is decoded to a temporary file.
 * @throws Failure if the signal aborts, or an Error of one sentence as `decodeImage`
 */
export async function readTarget(
  path: string,
  longest = Number.POSITIVE_INFINITY,
  signal?: AbortSignal,
): Promise<Image> {
  if (!(await isLarge(path, longest))) return reduceImage(await decodeImage(path), longest);
  const folder = await mkdtemp(join(tmpdir(), "splatbook-"));
  try {
    const reduced = await stageImage(path, longest, folder, signal);
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

/** Decodes an image to a folder, with its longer side reduced to at most `longest` pixels. */
export async function stageImage(
  path: string,
  longest: number,
  folder: string,
  signal?: AbortSignal,
): Promise<StagedImage> {
  const { StagedImage } = await import("../host/node/stagedImage.js");
  const whole = await StagedImage.open(path, join(folder, "image.v"), signal);
  if (Math.max(whole.width, whole.height) <= longest) return whole;
  return whole.reduced(longest, join(folder, "reduced.v"), signal).finally(() => whole.close());
}

/** Returns whether a file has too many pixels to read at once, unlike its reduced image. */
async function isLarge(path: string, longest: number): Promise<boolean> {
  const size = Number.isFinite(longest) ? await sizeInFile(path) : undefined;
  return size !== undefined && areaOf(size) > maxPixels && areaOf(reducedSize(size, longest)) <= maxPixels;
}

/** Returns the size of an image file; undefined if there is none, or if it is a pipe, which can be read only once. */
export async function sizeInFile(path: string): Promise<Size | undefined> {
  if (path === stdin || !(await isFile(path))) return undefined;
  const { imageSize } = await import("../host/node/stagedImage.js");
  return imageSize(path).catch(() => undefined);
}
