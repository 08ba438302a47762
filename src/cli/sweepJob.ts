import { readFile } from "node:fs/promises";
import { basename, dirname, extname, join, resolve } from "node:path";
import { ConfigError, type TrainConfig } from "../engine/config.js";
import { hashImage, type Image } from "../engine/picture/image.js";
import { inLine } from "../engine/quoted.js";
import { type Given, type Sweep, sweepOf } from "../engine/sweep/sweep.js";
import { decodeImage } from "../host/imageFile.js";
import { type ConfigOptions, givenBy } from "./configFlags.js";
import { Failure, isSystemError, usageFailure } from "./failure.js";
import { count, flagOf, numeric, outPath } from "./flags.js";
import { reasonOf } from "./staging.js";

/** Options of `splatbook sweep`, as they were typed. */
export interface SweepOptions extends ConfigOptions {
  vary?: string[];
  recordEvery?: string;
  recordGradientsEvery?: string;
  resume?: string;
  out?: string;
  json?: boolean;
  quiet?: boolean;
}

/** What a sweep learns, and where it is kept. */
export interface SweepJob {
  sweep: Sweep;
  image: Image;
  imageName: string;
  imageHash: string;
  /** Steps between rows of a run's metrics; as `splatbook fit` has it if absent. */
  recordEvery?: number;
  /** Steps between recorded gradients. */
  recordGradientsEvery?: number;
  out: string;
}

/**
 * The sweep that a command line asks for.
 * @throws Failure, ConfigError, or an Error of one sentence about the picture
 */
export async function sweepJobOf(path: string | undefined, options: SweepOptions): Promise<SweepJob> {
  if (options.resume !== undefined) {
    const { json: _, quiet: _q, resume, ...rest } = options;
    if (path !== undefined) throw usageFailure("A sweep that goes on with --resume has its picture already.");
    refuse(rest, "--resume, since a sweep goes on as it was told");
    if (resume.trim() === "") throw new ConfigError("resume", resume, "the folder of a sweep");
    return { ...(await readSweepJson(join(resume, "sweep.json"))), out: resume };
  }
  if (path === undefined) {
    throw usageFailure(
      "sweep needs a picture or a .json file, such as splatbook sweep photo.jpg --vary blobs=100,200.",
    );
  }
  if (extname(path).toLowerCase() === ".json") {
    const { json: _, quiet: _q, out, ...rest } = options;
    refuse(rest, `${path}, which says what to do`);
    const job = await readSweepJson(path);
    return { ...job, out: folderOf(out, job.imageName) };
  }
  if (!options.vary) throw usageFailure("Say what changes from run to run, such as --vary learning-rate=0.001,0.01.");
  const { recordEvery: every, recordGradientsEvery: gradientsEvery } = options;
  const sweep = sweepOf(givenBy(options), varied(options.vary));
  return {
    sweep,
    ...(every !== undefined && { recordEvery: count("recordEvery", numeric(every)) }),
    ...(gradientsEvery !== undefined && {
      recordGradientsEvery: count("recordGradientsEvery", numeric(gradientsEvery)),
    }),
    ...(await pictureOf(path, basename(path))),
    out: folderOf(options.out, path),
  };
}

/** Whether no pipeline may stand in for another. */
export function comparesPipelines({ sweep }: SweepJob): boolean {
  return sweep.vary.some(({ field }) => field === "pipeline");
}

/** What a .json file tells: the picture's path from there, fields of the config, values by field. */
interface SweepJson {
  image?: unknown;
  /** What the picture is called, if not as its file. */
  name?: unknown;
  config?: Given;
  vary?: Record<string, unknown>;
  recordEvery?: number;
  recordGradientsEvery?: number;
}

/**
 * Reads a sweep that is told as JSON.
 * @throws Failure that names the file
 */
export async function readSweepJson(path: string): Promise<Omit<SweepJob, "out">> {
  const { image, name, ...told } = sweepToldBy(await textOf(path), path);
  return { ...told, ...(await pictureOf(resolve(dirname(path), image), name ?? basename(image))) };
}

/**
 * What such a text tells, but for the picture's pixels.
 * @param path of its file, for the errors
 * @throws Failure that names the file
 */
export function sweepToldBy(text: string, path: string) {
  const { image, name, config = {}, vary, recordEvery, recordGradientsEvery, ...others } = parse(text, path);
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) {
    throw unusable(
      path,
      `it knows no ${inLine(unknown)}, but image, name, config, vary, recordEvery and recordGradientsEvery`,
    );
  }
  if (name !== undefined && typeof name !== "string") throw unusable(path, "its name is not a text");
  if (typeof image !== "string") throw unusable(path, "its image is not the path of a picture");
  if (!isObject(config)) throw unusable(path, "its config is not an object");
  if (!isObject(vary)) throw unusable(path, "its vary is not an object of values by field");
  try {
    return {
      image,
      name,
      sweep: sweepOf(config, vary),
      ...(recordEvery !== undefined && { recordEvery: count("recordEvery", recordEvery) }),
      ...(recordGradientsEvery !== undefined && {
        recordGradientsEvery: count("recordGradientsEvery", recordGradientsEvery),
      }),
    };
  } catch (error) {
    throw error instanceof ConfigError ? unusable(path, error.message.replace(/\.$/, "")) : error;
  }
}

async function textOf(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw new Failure(
      error.code === "ENOENT" ? `There is no file ${path}.` : `${path} cannot be read: ${reasonOf(error)}.`,
    );
  }
}

function parse(text: string, path: string): SweepJson {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw unusable(path, "it is not JSON");
  }
  if (!isObject(value)) throw unusable(path, "it is not an object");
  return value;
}

function unusable(path: string, why: string): Failure {
  return usageFailure(`The sweep in ${path} cannot be used: ${why}.`);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What was typed after --vary: the values' text by field. */
function varied(texts: string[]): Record<string, string> {
  const vary = new Map<string, string>();
  for (const text of texts) {
    const [, name, values] = /^\s*(?:--)?([^=]+?)\s*=(.*)$/s.exec(text) ?? [];
    if (name === undefined)
      throw new ConfigError("vary", text, "a field and its values, such as learning-rate=0.001,0.01");
    const field = name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
    if (vary.has(field)) throw usageFailure(`--vary names ${inLine(field)} twice.`);
    vary.set(field, values);
  }
  return Object.fromEntries(vary);
}

function refuse(options: object, where: string): void {
  const [given] = Object.keys(options);
  if (given !== undefined) throw usageFailure(`${flagOf(given as keyof TrainConfig)} cannot be given with ${where}.`);
}

async function pictureOf(path: string, imageName: string) {
  const image = await decodeImage(path);
  return { image, imageName, imageHash: await hashImage(image) };
}

function folderOf(out: string | undefined, picture: string): string {
  return outPath(out ?? join("runs", `${basename(picture, extname(picture))}-sweep`));
}

/** A run's name for people: "learningRate 0.01, tile 8x4". */
export function inWords(name: string): string {
  return name.replaceAll("=", " ").replaceAll(",", ", ");
}
