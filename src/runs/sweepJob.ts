import { basename, dirname, resolve } from "node:path";
import { readSweepJson, type SweepJson } from "../engine/files/sweepJson.js";
import { hashImage } from "../engine/image/image.js";
import type { Sweep } from "../engine/sweep/sweep.js";
import { asSentence, usageFailure } from "../terminal/failure.js";
import { readText } from "./inputFile.js";
import type { Job } from "./job.js";
import { readTarget } from "./readTarget.js";

/** A sweep to train: its settings, image and output folder. */
export interface SweepJob extends Pick<Job, "image" | "imageName" | "imageHash" | "recordGradientsEvery" | "out"> {
  sweep: Sweep;
  /** Steps between rows of metrics; the default of `splatbook fit` if absent. */
  recordEvery?: number;
}

/** Returns whether a sweep compares pipelines, so that the CPU must not replace a GPU pipeline. */
export function comparesPipelines({ sweep }: SweepJob): boolean {
  return sweep.vary.some(({ field }) => field === "pipeline");
}

/**
 * Reads a sweep from a .json file.
 * @throws Failure that names the file
 */
export async function readSweepJob(path: string): Promise<Omit<SweepJob, "out">> {
  const { image, name, longest, ...sweepFields } = parseSweepJson(await readText(path), path);
  if (image === undefined) throw usageFailure(`The sweep in ${path} names no image.`);
  return { ...sweepFields, ...(await loadImage(resolve(dirname(path), image), name ?? basename(image), longest)) };
}

/**
 * Returns the settings in the text of a .json file.
 * @param path of the file, for errors
 * @throws Failure that names the file
 */
export function parseSweepJson(json: string, path: string): SweepJson {
  try {
    return readSweepJson(json);
  } catch (error) {
    throw usageFailure(asSentence(`The sweep in ${path} cannot be used: ${(error as Error).message}`));
  }
}

/** Decodes an image, reduces its longer side to at most `longest` pixels, and returns it with its name and its hash. */
export async function loadImage(path: string, imageName: string, longest?: number) {
  const image = await readTarget(path, longest);
  return { image, imageName, imageHash: await hashImage(image) };
}
