import { basename, extname, join, resolve } from "node:path";
import type { GradientRecord, MetricsRow } from "../engine/arrow.js";
import { blobsFor } from "../engine/blobCount.js";
import type { TrainingState } from "../engine/blobs.js";
import type { TrainConfig } from "../engine/config.js";
import type { Goal } from "../engine/goal.js";
import { hashImage, type Image } from "../engine/image.js";
import { frameFile } from "../engine/runFiles.js";
import { decodeImage } from "../host/imageFile.js";
import { type ConfigOptions, configOf, continuedConfig } from "./configFlags.js";
import { usageFailure } from "./failure.js";
import { count, numeric, outPath } from "./flags.js";
import { type GoalOptions, goalOf } from "./goalFlags.js";

/** Options of `splatbook fit`, as they were typed. */
export interface FitOptions extends ConfigOptions, GoalOptions {
  recordEvery?: string;
  recordGradientsEvery?: string;
  resume?: string;
  out?: string;
  json?: boolean;
  quiet?: boolean;
}

/** What a run learns, from where, and where it is kept. */
export interface Job {
  config: TrainConfig;
  /** What it is to reach, besides its steps. */
  goal?: Goal;
  /** Whether the number of blobs was left to the picture. */
  choosesBlobs?: boolean;
  image: Image;
  imageName: string;
  imageHash: string;
  recordEvery: number;
  recordGradientsEvery?: number;
  out: string;
  /** The run that it continues. */
  before?: {
    state: TrainingState;
    metrics: MetricsRow[];
    gradients: GradientRecord[];
    /** The film's frames as PNG files, by their steps. */
    film: Map<number, Uint8Array>;
    seconds: number;
    /** Whether it is continued in its own folder. */
    inPlace: boolean;
  };
}

/** Metrics are recorded about this many times in a run, unless --record-every says otherwise. */
const records = 1000;

/** Steps between rows of metrics where none were asked for. */
export function recordEveryOf({ steps }: TrainConfig): number {
  return Math.max(1, Math.round(steps / records));
}

/**
 * The job that a command line asks for.
 * @throws Failure, ConfigError, or an Error of one sentence about the picture
 */
export async function jobOf(path: string | undefined, options: FitOptions): Promise<Job> {
  return options.resume === undefined ? newJob(path, options) : continuedJob(path, options, options.resume);
}

async function newJob(path: string | undefined, options: FitOptions): Promise<Job> {
  const asked = configOf(options);
  const goal = goalOf({ ...options });
  const { every, gradientsEvery } = recordOptions(options);
  if (path === undefined) throw usageFailure("fit needs a picture, such as splatbook fit data/images/astronaut.png.");
  const image = await decodeImage(path);
  const choosesBlobs = options.blobs === undefined && (asked.preset === "quality" || goal !== undefined);
  const config = choosesBlobs ? configOf({ ...options, blobs: String(blobsFor(image)) }) : asked;
  return {
    config,
    ...(goal && { goal }),
    choosesBlobs,
    image,
    imageName: basename(path),
    imageHash: await hashImage(image),
    recordEvery: every ?? recordEveryOf(config),
    recordGradientsEvery: gradientsEvery,
    out: outPath(options.out ?? join("runs", basename(path, extname(path)))),
  };
}

async function continuedJob(path: string | undefined, options: FitOptions, resume: string): Promise<Job> {
  goalOf({ ...options });
  const { every, gradientsEvery } = recordOptions(options);
  const { openRunFolder } = await import("./runFolder.js");
  const run = await openRunFolder(resume);
  const { description } = run;
  const config = continuedConfig(description.config, options);
  if (config.steps <= description.step) {
    throw usageFailure(
      `${resume} has done ${description.step} steps already; say with --steps at which later step it shall end.`,
    );
  }
  const state = await run.state();
  const metrics = await run.metrics();
  const gradients = await run.gradients();
  const film = new Map<number, Uint8Array>();
  for (const step of run.film) film.set(step, await run.file(frameFile(step)));
  const image = await run.target();
  if (path !== undefined && (await hashImage(await decodeImage(path))) !== description.image.hash) {
    throw usageFailure(`${path} is not the picture that ${resume} learned.`);
  }
  const out = outPath(options.out ?? resume);
  return {
    config,
    image,
    imageName: description.image.name,
    imageHash: description.image.hash,
    recordEvery: every ?? (description.recordEvery || recordEveryOf(config)),
    recordGradientsEvery: gradientsEvery ?? description.recordGradientsEvery,
    out,
    before: {
      state,
      metrics,
      // The last record is of the step that comes next, and is recorded anew.
      gradients: gradients.filter(({ step }) => step <= state.step),
      film,
      seconds: description.timings.seconds,
      inPlace: resolve(out) === resolve(resume),
    },
  };
}

function recordOptions({ recordEvery, recordGradientsEvery }: FitOptions) {
  return {
    every: recordEvery === undefined ? undefined : count("recordEvery", numeric(recordEvery)),
    gradientsEvery:
      recordGradientsEvery === undefined ? undefined : count("recordGradientsEvery", numeric(recordGradientsEvery)),
  };
}
