import { readFile, stat } from "node:fs/promises";
import { ConfigError, type TrainConfig } from "../engine/config.js";
import type { Steps } from "../engine/files/splat2d/precision.js";
import { decodeSplat2d } from "../engine/files/splat2d/splat2d.js";
import { stateOf } from "../engine/model/blobs.js";
import type { Image, Picture, Size } from "../engine/picture/image.js";
import { Failure, isSystemError } from "./failure.js";
import { withTrainer } from "./openRun.js";
import { reasonOf } from "./staging.js";

/** Blobs as a run keeps them, or a file. */
export interface BlobSource {
  config: TrainConfig;
  /** The target's, in pixels. */
  size: Size;
  /** 9·N raw parameters, field-major. */
  parameters: Float32Array;
  /** What they were rounded to, in a file. */
  steps?: Steps;
  /** What they learned; a file does not hold it. */
  target?: () => Promise<Image>;
}

/** What a command that draws blobs takes, in its help. */
export const sourceHelp = "a folder that splatbook fit wrote, or a .splat2d file";

/**
 * Opens a run's folder or a .splat2d file.
 * @throws Failure that says what is wrong with it
 */
export async function openBlobs(path: string): Promise<BlobSource> {
  if ((await stat(path).catch(() => undefined))?.isFile()) return openFile(path);
  const { openRunFolder } = await import("./runFolder.js");
  const run = await openRunFolder(path);
  const { config, image } = run.description;
  const { parameters } = await run.parameters();
  return { config, size: { width: image.width, height: image.height }, parameters, target: () => run.target() };
}

async function openFile(path: string): Promise<BlobSource> {
  try {
    return decodeSplat2d(await readFile(path), path);
  } catch (error) {
    if (isSystemError(error)) throw new Failure(`${path} cannot be read: ${reasonOf(error)}.`);
    throw error;
  }
}

/**
 * Draws blobs at a size, on the engine that their config names.
 * @throws ConfigError if the size is too large
 */
export function renderBlobs({ config, size, parameters }: BlobSource, at: Size): Promise<Picture> {
  // A render asks of the target only how large it is.
  const blank = { ...size, data: new Uint8ClampedArray(4 * size.width * size.height) };
  return withTrainer(config, stateOf(parameters), blank, (trainer) => {
    checkSize(at, () => trainer.backend.check(trainer.config, at));
    return trainer.render(at);
  });
}

/** An adapter speaks of the image that is too large; here that is the size asked for. */
function checkSize(size: Size, check: () => void): void {
  try {
    check();
  } catch (error) {
    if (!(error instanceof ConfigError) || error.field !== "image") throw error;
    throw new ConfigError("size", `${size.width}x${size.height}`, error.allowed);
  }
}
