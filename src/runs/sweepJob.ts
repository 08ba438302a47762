import { basename, dirname, resolve } from "node:path";
import { ConfigError } from "../engine/config.js";
import { type Checked, isObject, object, optional, text } from "../engine/files/fieldChecks.js";
import { hashImage, type Image } from "../engine/image/image.js";
import { withPresentNames } from "../engine/oldNames.js";
import { mustBe } from "../engine/quoted.js";
import { type Sweep, sweepOf } from "../engine/sweep/sweep.js";
import { asSentence, type Failure, usageFailure } from "../terminal/failure.js";
import { checkCount } from "../terminal/flags.js";
import { readTarget } from "./readTarget.js";
import { readText } from "./readText.js";

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

/**
 * The fields of a .json file: the image's path relative to the file, its name if another, the config, values by field.
 */
const fields = { image: optional(text), name: optional(text), config: optional(object({})), vary: object({}) };
const checkFields = object(fields);
/** Whole numbers above 0. */
const counts = ["random", "halving", "longest", "recordEvery", "recordGradientsEvery"] as const;
const fieldNames = [...Object.keys(fields), ...counts];

export type SweepJson = Checked<typeof checkFields> & Partial<Record<(typeof counts)[number], number>>;

/**
 * Reads a sweep from a .json file.
 * @throws Failure that names the file
 */
export async function readSweepJson(path: string): Promise<Omit<SweepJob, "out">> {
  const { image, name, longest, ...sweepFields } = parseSweepJson(await readText(path), path);
  if (image === undefined) throw sweepFailure(path, "it names no image");
  return { ...sweepFields, ...(await loadImage(resolve(dirname(path), image), name ?? basename(image), longest)) };
}

/**
 * Returns the settings in the text of a .json file.
 * @param path of the file, for errors
 * @throws Failure that names the file
 */
export function parseSweepJson(json: string, path: string) {
  const { image, name, config = {}, vary, ...numbers } = readFields(json, path);
  try {
    for (const count of counts) if (numbers[count] !== undefined) checkCount(count, numbers[count]);
    const { random, halving, ...others } = numbers;
    return {
      image,
      name,
      sweep: sweepOf(withPresentNames(config), withPresentNames(vary), { random, halving }),
      ...others,
    };
  } catch (error) {
    throw error instanceof ConfigError ? sweepFailure(path, error.message) : error;
  }
}

/** Returns whether a text is the JSON of a sweep, valid or not. */
export function isSweepJson(json: string): boolean {
  try {
    return isObject(JSON.parse(json)?.vary);
  } catch {
    return false;
  }
}

function readFields(json: string, path: string): SweepJson {
  try {
    const value = JSON.parse(json);
    checkFields("", value);
    const unknownField = Object.keys(value).find((name) => !fieldNames.includes(name));
    if (unknownField === undefined) return value;
    throw new Error(mustBe("each field", `one of ${fieldNames.join(", ")}`, unknownField));
  } catch (error) {
    throw sweepFailure(path, error instanceof SyntaxError ? "it is not JSON" : (error as Error).message);
  }
}

function sweepFailure(path: string, reason: string): Failure {
  return usageFailure(asSentence(`The sweep in ${path} cannot be used: ${reason}`));
}

/** Decodes an image, reduces its longer side to at most `longest` pixels, and returns it with its name and its hash. */
export async function loadImage(path: string, imageName: string, longest = Number.POSITIVE_INFINITY) {
  const image = await readTarget(path, longest);
  return { image, imageName, imageHash: await hashImage(image) };
}
