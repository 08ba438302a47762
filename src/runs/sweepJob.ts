import { basename, dirname, resolve } from "node:path";
import { ConfigError } from "../engine/config.js";
import { type Checked, object, optional, text } from "../engine/files/fieldChecks.js";
import { hashImage, type Image } from "../engine/image/image.js";
import { withPresentNames } from "../engine/oldNames.js";
import { mustBe } from "../engine/quoted.js";
import { type Sweep, sweepOf } from "../engine/sweep/sweep.js";
import { decodeImage } from "../host/node/imageFile.js";
import { asSentence, type Failure, usageFailure } from "../terminal/failure.js";
import { checkCount } from "../terminal/flags.js";
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

/** The fields of a .json file: the image's path relative to the file, its name if another, the config, values by field. */
const fields = { image: text, name: optional(text), config: optional(object({})), vary: object({}) };
const checkFields = object(fields);
const fieldNames = [...Object.keys(fields), "recordEvery", "recordGradientsEvery"];

type SweepJson = Checked<typeof checkFields> & { recordEvery?: number; recordGradientsEvery?: number };

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
export function parseSweepJson(json: string, path: string) {
  const { image, name, config = {}, vary, recordEvery, recordGradientsEvery } = readFields(json, path);
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

/** Decodes an image, and returns it with its name and its hash. */
export async function loadImage(path: string, imageName: string) {
  const image = await decodeImage(path);
  return { image, imageName, imageHash: await hashImage(image) };
}

/** Returns a run's name in words: "learningRate 0.01, tile 8x4". */
export function readableName(name: string): string {
  return name.replaceAll("=", " ").replaceAll(",", ", ");
}
