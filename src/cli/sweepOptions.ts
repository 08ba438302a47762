import { basename, extname, join } from "node:path";
import { ConfigError, type TrainConfig } from "../engine/config.js";
import { numeric } from "../engine/fields.js";
import { withPresentNames } from "../engine/oldNames.js";
import { inLine } from "../engine/quoted.js";
import { sweepOf } from "../engine/sweep/sweep.js";
import { pictureOf, readSweepJson, type SweepJob } from "../runs/sweepJob.js";
import { usageFailure } from "../terminal/failure.js";
import { count, flagOf, outPath } from "../terminal/flags.js";
import { type ConfigOptions, givenBy } from "./configFlags.js";

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
  const sweep = sweepOf(givenBy(options), withPresentNames(varied(options.vary)));
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

function folderOf(out: string | undefined, picture: string): string {
  return outPath(out ?? join("runs", `${basename(picture, extname(picture))}-sweep`));
}
