import { readFile } from "node:fs/promises";
import { basename, dirname, resolve } from "node:path";
import { ConfigError } from "../engine/config.js";
import { isObject } from "../engine/files/fieldChecks.js";
import { hashImage, type Image } from "../engine/image/image.js";
import { withPresentNames } from "../engine/oldNames.js";
import { toSingleLine } from "../engine/quoted.js";
import { type PartialConfig, type Sweep, sweepOf } from "../engine/sweep/sweep.js";
import { decodeImage } from "../host/node/imageFile.js";
import { asSentence, Failure, isSystemError, reasonOf, usageFailure } from "../terminal/failure.js";
import { checkCount } from "../terminal/flags.js";

/** A sweep to train: its settings, image and output folder. */
export interface SweepJob {
  sweep: Sweep;
  image: Image;
  imageName: string;
  imageHash: string;
  /** Steps between rows of metrics; the default of `splatbook fit` if absent. */
  recordEvery?: number;
  recordGradientsEvery?: number;
  out: string;
}

/** Returns whether a sweep compares pipelines, so that the CPU must not replace a GPU pipeline. */
export function comparesPipelines({ sweep }: SweepJob): boolean {
  return sweep.vary.some(({ field }) => field === "pipeline");
}

/** The contents of a .json file: the image's path relative to the file, config fields, values by field. */
interface SweepJson {
  image?: unknown;
  /** Name of the image, if not that of its file. */
  name?: unknown;
  config?: PartialConfig;
  vary?: Record<string, unknown>;
  recordEvery?: number;
  recordGradientsEvery?: number;
}

/**
 * Reads a sweep from a .json file.
 * @throws Failure that names the file
 */
export async function readSweepJson(path: string): Promise<Omit<SweepJob, "out">> {
  const { image, name, ...sweepFields } = parseSweepJson(await readText(path), path);
  return { ...sweepFields, ...(await loadImage(resolve(dirname(path), image), name ?? basename(image))) };
}

/**
 * Returns the settings in the text of a .json file.
 * @param path of the file, for errors
 * @throws Failure that names the file
 */
export function parseSweepJson(text: string, path: string) {
  const { image, name, config = {}, vary, recordEvery, recordGradientsEvery, ...otherFields } = parseObject(text, path);
  const [unknownField] = Object.keys(otherFields);
  if (unknownField !== undefined) {
    throw sweepFailure(
      path,
      `it has an unknown field ${toSingleLine(unknownField)}; allowed are image, name, config, vary, recordEvery and recordGradientsEvery`,
    );
  }
  if (name !== undefined && typeof name !== "string") throw sweepFailure(path, "its name is not a text");
  if (typeof image !== "string") throw sweepFailure(path, "its image is not a path");
  if (!isObject(config)) throw sweepFailure(path, "its config is not an object");
  if (!isObject(vary)) throw sweepFailure(path, "its vary is not an object of values by field");
  try {
    return {
      image,
      name,
      sweep: sweepOf(withPresentNames(config), withPresentNames(vary)),
      recordEvery: recordEvery === undefined ? undefined : checkCount("recordEvery", recordEvery),
      recordGradientsEvery:
        recordGradientsEvery === undefined ? undefined : checkCount("recordGradientsEvery", recordGradientsEvery),
    };
  } catch (error) {
    throw error instanceof ConfigError ? sweepFailure(path, error.message) : error;
  }
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw new Failure(
      error.code === "ENOENT" ? `There is no file ${path}.` : `${path} cannot be read: ${reasonOf(error)}.`,
    );
  }
}

function parseObject(text: string, path: string): SweepJson {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw sweepFailure(path, "it is not JSON");
  }
  if (!isObject(value)) throw sweepFailure(path, "it is not an object");
  return value;
}

function sweepFailure(path: string, reason: string): Failure {
  return usageFailure(asSentence(`The sweep in ${path} cannot be used: ${reason}`));
}

/** Decodes an image, and returns it with its name and its hash. */
export async function loadImage(path: string, imageName: string) {
  const image = await decodeImage(path);
  return { image, imageName, imageHash: await hashImage(image) };
}

/** Returns a run's name in words: "learningRate 0.01, tile 8x4". */
export function readableName(name: string): string {
  return name.replaceAll("=", " ").replaceAll(",", ", ");
}
