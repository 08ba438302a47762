import { extname, join } from "node:path";
import { ConfigError } from "../engine/config.js";
import { parseNumber } from "../engine/fields.js";
import { isSweepJson, type SweepJson } from "../engine/files/sweepJson.js";
import { withPresentNames } from "../engine/oldNames.js";
import { toSingleLine } from "../engine/quoted.js";
import { defaultHalving } from "../engine/sweep/halving.js";
import { describeSweep, type SweepSettings, sweepOf } from "../engine/sweep/sweep.js";
import { readText } from "../runs/readText.js";
import { loadImage, parseSweepJson, readSweepJob, type SweepJob } from "../runs/sweepJob.js";
import { usageFailure } from "../terminal/failure.js";
import { checkPath, flagOf, optionalCount } from "../terminal/flags.js";
import { withConfigFile } from "./configFile.js";
import { type ConfigOptions, typedConfig } from "./configFlags.js";
import { imageNameOf, runNameOf } from "./fitOptions.js";

/** Options of `splatbook sweep`, as they were typed. */
export interface SweepOptions extends ConfigOptions {
  vary?: string[];
  random?: string;
  /** True for the default number. */
  halving?: string | true;
  longest?: string;
  recordEvery?: string;
  recordGradientsEvery?: string;
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
  const halving = halvingOf(options.halving);
  if (options.resume !== undefined) {
    const { json: _, quiet: _q, resume, ...rest } = options;
    if (path !== undefined) throw usageFailure("A resumed sweep already has its image. Leave it out.");
    refuseOptions(rest, "--resume: the sweep keeps its settings");
    if (resume.trim() === "") throw new ConfigError("resume", resume, "the folder of a sweep");
    return { ...(await readSweepJob(join(resume, "sweep.json"))), out: resume };
  }
  if (path === undefined) {
    throw usageFailure("sweep needs an image or a .json file, such as splatbook sweep photo.jpg --vary blobs=100,200.");
  }
  if (extname(path).toLowerCase() === ".json") {
    const { json: _, quiet: _q, out, ...rest } = options;
    refuseOptions(rest, `${path}, which has the settings`);
    const job = await readSweepJob(path);
    return { ...job, out: sweepFolderOf(out, job.imageName) };
  }
  const { settings, described }: Described = await withSweepFile(options);
  const vary = { ...described.vary, ...withPresentNames(parseVary(options.vary ?? [])) };
  if (Object.keys(vary).length === 0)
    throw usageFailure("sweep needs a setting to vary, such as --vary learning-rate=0.001,0.01.");
  const withValues = await withConfigFile(settings, Object.keys(vary));
  const search = {
    random: optionalCount("random", options.random) ?? described.random,
    halving: halving ?? described.halving,
  };
  const { recordEvery, recordGradientsEvery, longest } = described;
  return {
    sweep: sweepOf({ ...described.config, ...typedConfig(withValues) }, vary, search),
    recordEvery: optionalCount("recordEvery", options.recordEvery) ?? recordEvery,
    recordGradientsEvery: optionalCount("recordGradientsEvery", options.recordGradientsEvery) ?? recordGradientsEvery,
    ...(await loadImage(path, imageNameOf(path), optionalCount("longest", options.longest) ?? longest)),
    out: sweepFolderOf(options.out, path),
  };
}

/** Returns the number of --halving. An image right after it would be read as its value. */
function halvingOf(typed: string | true | undefined): number | undefined {
  if (typed === undefined || typed === true) return typed && defaultHalving;
  const count = parseNumber(typed);
  if (typeof count === "number") return count;
  throw new ConfigError("halving", typed, "a whole number of at least 2, or absent, with the image before it");
}

interface Described {
  settings: SweepOptions;
  described: Partial<SweepSettings & Omit<SweepJson, "image" | "name" | "sweep">>;
}

/** Returns the sweep in the file of `--config` and the other options; an empty sweep if the file has none. */
async function withSweepFile({ config: path, ...settings }: SweepOptions): Promise<Described> {
  const text = path === undefined ? undefined : await readText(path);
  if (text === undefined || !isSweepJson(text)) return { settings: { config: path, ...settings }, described: {} };
  const { sweep, image: _, name: _n, ...others } = parseSweepJson(text, path!);
  return { settings, described: { ...describeSweep(sweep), ...others } };
}

/** Returns the values of --vary by field, as they were typed. */
function parseVary(texts: string[]): Record<string, string> {
  const vary = new Map<string, string>();
  for (const text of texts) {
    const [, name, values] = /^\s*(?:--)?([^=]+?)\s*=(.*)$/s.exec(text) ?? [];
    if (name === undefined)
      throw new ConfigError("vary", text, "a field and its values, such as learning-rate=0.001,0.01");
    const field = name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
    if (vary.has(field)) throw usageFailure(`--vary names ${toSingleLine(field)} twice.`);
    vary.set(field, values);
  }
  return Object.fromEntries(vary);
}

function refuseOptions(options: object, context: string): void {
  const [firstOption] = Object.keys(options);
  if (firstOption !== undefined) throw usageFailure(`${flagOf(firstOption)} cannot be given with ${context}.`);
}

function sweepFolderOf(out: string | undefined, imagePath: string): string {
  return checkPath(out ?? join("runs", `${runNameOf(imagePath)}-sweep`));
}
