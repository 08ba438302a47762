import { join } from "node:path";
import { ConfigError } from "../engine/config.js";
import { isSweepJson, type SweepJson } from "../engine/files/sweepJson.js";
import { withPresentNames } from "../engine/oldNames.js";
import { describeSweep, type SweepSettings, sweepOf } from "../engine/sweep/sweep.js";
import { readText } from "../runs/inputFile.js";
import { loadImage, parseSweepJson, readSweepJob, type SweepJob } from "../runs/sweepJob.js";
import { usageFailure } from "../terminal/failure.js";
import { alternativeTo } from "../terminal/removed.js";
import { withConfigFile } from "./configFile.js";
import { type ConfigOptions, givenConfig } from "./configFlags.js";
import type { FarmOptions } from "./farmOptions.js";
import { imageNameOf, runNameOf } from "./fitOptions.js";
import { refuseOptions } from "./options.js";

/** Options of `splatbook sweep`. */
export interface SweepOptions extends ConfigOptions, FarmOptions {
  /** Values by field. They are not checked. */
  vary?: Record<string, string>;
  longest?: number;
  recordEvery?: number;
  recordGradientsEvery?: number;
  resume?: string;
  out?: string;
  json?: boolean;
  quiet?: boolean;
}

/**
 * Returns the sweep that a command line asks for.
 * @throws Failure, ConfigError, or an Error of one sentence about the image
 */
export async function sweepJobOf(path: string | undefined, options: SweepOptions): Promise<SweepJob> {
  const { resume, workers, redis, runs, json, quiet, ...settings } = options;
  if (resume !== undefined) {
    if (path !== undefined) throw usageFailure("A resumed sweep already has its image. Leave it out.");
    const given = Object.keys(settings) as (keyof SweepOptions)[];
    refuseOptions(options, given, "given with --resume: the sweep keeps its settings");
    if (resume.trim() === "") throw new ConfigError("resume", resume, "the folder of a sweep");
    return { ...(await readSweepJob(join(resume, "sweep.json"))), out: resume };
  }
  if (path === undefined)
    throw usageFailure("sweep needs an image, such as splatbook sweep photo.jpg --vary blobs=100,200.");
  if (path.endsWith(".json")) throw usageFailure(alternativeTo("sweep", ".json")!);
  const { others, described } = await withSweepFile(settings);
  const vary = { ...described.vary, ...withPresentNames(others.vary ?? {}) };
  if (Object.keys(vary).length === 0)
    throw usageFailure("sweep needs a setting to vary, such as --vary learning-rate=0.001,0.01.");
  const given = await withConfigFile(others, Object.keys(vary));
  const { recordEvery, recordGradientsEvery, longest } = { ...described, ...given };
  return {
    sweep: sweepOf({ ...described.config, ...givenConfig(given) }, vary),
    recordEvery,
    recordGradientsEvery,
    ...(await loadImage(path, imageNameOf(path), longest)),
    out: given.out ?? join("runs", `${runNameOf(path)}-sweep`),
  };
}

/** Returns the sweep in the file of `--config` and the other options; an empty sweep if the file has none. */
async function withSweepFile(options: SweepOptions) {
  const { config: path, ...others } = options;
  const text = path === undefined ? undefined : await readText(path);
  if (text === undefined || !isSweepJson(text))
    return { others: options, described: {} as Partial<SweepSettings & SweepJson> };
  const { sweep, ...described } = parseSweepJson(text, path!);
  return { others, described: { ...describeSweep(sweep), ...described } };
}
