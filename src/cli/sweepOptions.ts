import { extname, join } from "node:path";
import { ConfigError } from "../engine/config.js";
import { withPresentNames } from "../engine/oldNames.js";
import { toSingleLine } from "../engine/quoted.js";
import { sweepOf } from "../engine/sweep/sweep.js";
import { loadImage, readSweepJson, type SweepJob } from "../runs/sweepJob.js";
import { usageFailure } from "../terminal/failure.js";
import { checkPath, flagOf, optionalCount } from "../terminal/flags.js";
import { withConfigFile } from "./configFile.js";
import { type ConfigOptions, typedConfig } from "./configFlags.js";
import { imageNameOf, runNameOf } from "./fitOptions.js";

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

/**
 * Returns the sweep that a command line asks for.
 * @throws Failure, ConfigError, or an Error of one sentence about the image
 */
export async function sweepJobOf(path: string | undefined, options: SweepOptions): Promise<SweepJob> {
  if (options.resume !== undefined) {
    const { json: _, quiet: _q, resume, ...rest } = options;
    if (path !== undefined) throw usageFailure("A resumed sweep already has its image. Leave it out.");
    refuseOptions(rest, "--resume: the sweep keeps its settings");
    if (resume.trim() === "") throw new ConfigError("resume", resume, "the folder of a sweep");
    return { ...(await readSweepJson(join(resume, "sweep.json"))), out: resume };
  }
  if (path === undefined) {
    throw usageFailure("sweep needs an image or a .json file, such as splatbook sweep photo.jpg --vary blobs=100,200.");
  }
  if (extname(path).toLowerCase() === ".json") {
    const { json: _, quiet: _q, out, ...rest } = options;
    refuseOptions(rest, `${path}, which has the settings`);
    const job = await readSweepJson(path);
    return { ...job, out: sweepFolderOf(out, job.imageName) };
  }
  if (!options.vary) throw usageFailure("sweep needs a setting to vary, such as --vary learning-rate=0.001,0.01.");
  const vary = withPresentNames(parseVary(options.vary));
  const settings = await withConfigFile(options, Object.keys(vary));
  return {
    sweep: sweepOf(typedConfig(settings), vary),
    recordEvery: optionalCount("recordEvery", options.recordEvery),
    recordGradientsEvery: optionalCount("recordGradientsEvery", options.recordGradientsEvery),
    ...(await loadImage(path, imageNameOf(path))),
    out: sweepFolderOf(options.out, path),
  };
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
