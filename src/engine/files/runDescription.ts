import type { TrainConfig } from "../config.js";
import { checkPixels, type Size } from "../image/image.js";
import type { Plateau } from "../model/blobs.js";
import type { Attempt, Goal } from "../training/goal.js";
import {
  ascending,
  bool,
  date,
  integerFrom,
  listOf,
  nonNegative,
  number,
  numberOrNull,
  object,
  oneOf,
  optional,
  recordOf,
  sha256,
  text,
} from "./fieldChecks.js";
import { checkVersion, formatVersion } from "./formatVersion.js";
import { parseConfig } from "./parseConfig.js";

/** A part of a run that was planned for another number of steps than the parts after it. */
export interface EarlierBudget {
  /** The step after which it ended. */
  step: number;
  /** The config's number of steps at that time. */
  steps: number;
  /** The step at which its schedule ended, if not at that. */
  horizon?: number;
}

/** What run.json holds: all that is known of a run besides its columns. */
export interface RunDescription {
  /** Of the run's files. */
  version: typeof formatVersion;
  /** With every default filled in. */
  config: TrainConfig;
  image: {
    name: string;
    /** Pixels. */
    width: number;
    height: number;
    /** From `hashImage`. */
    hash: string;
  };
  /** Steps done: fewer than the config's where the run was stopped, or found a plateau. */
  step: number;
  /** The step at which the schedule ends, where it was held when the run was given more steps. */
  horizon?: number;
  /** Those that were trained towards another end, in order; absent where the schedule does not depend on it. */
  earlier?: EarlierBudget[];
  /** What the run has seen of a plateau, if it looks for one; its decibels are null where nothing differs. */
  plateau?: Plateau;
  /** The steps after which metrics were recorded: every this many; 0 if at irregular steps, as a page shows them. */
  recordEvery: number;
  /** The same for gradients; absent if only the last ones were asked for. */
  recordGradientsEvery?: number;
  /** Of a picture that was fitted by regions: they, and how far that came. */
  regions?: RegionsDescription;
  /** The steps of which the film has a frame, ascending; absent in runs from before there was one. */
  film?: number[];
  /** The machine or browser. */
  host: string;
  /** The GPU, or "CPU". */
  adapter: string;
  /** Why the CPU engine ran in place of the GPU. */
  fallback?: string;
  /** Versions by package. */
  versions: Record<string, string>;
  timings: {
    /** When the files were written, as ISO 8601. */
    finishedAt: string;
    /** Seconds of training. */
    seconds: number;
    stepsPerSecond: number;
    /** Milliseconds of each kernel of a step, the median of those timed, where the adapter has timestamps. */
    stageTimes?: Record<string, number>;
  };
  /** What the run was to reach, and whether it did. */
  goal?: Goal & { reached: boolean };
  /** The numbers of blobs that were tried for it, this run's among them once it has ended; absent for seconds. */
  attempts?: Attempt[];
  /** SHA-256 of each of the run's other files, in hexadecimal, by its name; absent in runs from before they were told. */
  files?: Record<string, string>;
  /** Of the parameters that are kept. */
  result: {
    loss: number;
    /** Decibels; infinite where nothing differs, which JSON tells as null. */
    psnr: number;
    /** Of blobs.splat2d; absent in runs from before there was one. */
    file?: FileResult;
  };
}

/** What is told of a picture that was fitted by regions. */
export interface RegionsDescription {
  /** Pixels of a region's side, at most. */
  side: number;
  /** In the order of the record batches: the pixels of each, and how many blobs it has, or is to have until it is done. */
  list: (Size & { x: number; y: number; blobs: number })[];
  /** Windows over the seams between them. */
  windows: number;
  /** Regions, and then windows, that are done. */
  done: number;
  /** Of the next one, where it was stopped: steps done, seconds of training, and as in the run and `Begun`. */
  begun?: { step: number; seconds: number; boundAt: number; plateau?: Plateau };
  /** Mean squared error near the seams, in which a pixel weighs as in the loss, and elsewhere; of a run that has ended. */
  seams?: { near: number; elsewhere: number };
}

/** What a .splat2d file costs, and what it keeps. */
export interface FileResult {
  bytes: number;
  /** Of the file, by the target's pixels. */
  bitsPerPixel: number;
  /** Decibels, of what is read back from the file. */
  psnr: number;
}

const checkPlateau = object({ psnr: numberOrNull, end: optional(integerFrom(0)) });

/** What run.json must hold besides the version and the config. */
const checkFields = object({
  image: object({ name: text, width: integerFrom(1), height: integerFrom(1), hash: text }),
  regions: optional(
    object({
      side: integerFrom(1),
      list: listOf(
        object({
          x: integerFrom(0),
          y: integerFrom(0),
          width: integerFrom(1),
          height: integerFrom(1),
          blobs: integerFrom(0),
        }),
      ),
      windows: integerFrom(0),
      done: integerFrom(0),
      begun: optional(
        object({
          step: integerFrom(1),
          seconds: nonNegative,
          boundAt: integerFrom(0),
          plateau: optional(checkPlateau),
        }),
      ),
      seams: optional(object({ near: number, elsewhere: number })),
    }),
  ),
  step: integerFrom(0),
  recordEvery: integerFrom(0),
  recordGradientsEvery: optional(integerFrom(1)),
  film: optional(ascending),
  host: text,
  adapter: text,
  fallback: optional(text),
  versions: recordOf(text),
  timings: object({
    finishedAt: date,
    seconds: nonNegative,
    stepsPerSecond: numberOrNull,
    stageTimes: optional(recordOf(number)),
  }),
  earlier: optional(listOf(object({ step: integerFrom(0), steps: integerFrom(1), horizon: optional(integerFrom(0)) }))),
  files: optional(recordOf(sha256)),
  plateau: optional(checkPlateau),
  goal: optional(object({ kind: oneOf("psnr", "seconds", "bitsPerPixel"), value: number, reached: bool })),
  attempts: optional(listOf(object({ blobs: integerFrom(1), psnr: numberOrNull, bitsPerPixel: number }))),
  result: object({
    loss: number,
    psnr: numberOrNull,
    file: optional(object({ bytes: integerFrom(0), bitsPerPixel: number, psnr: numberOrNull })),
  }),
});

/** Whether the run will train no more steps unless it is given some. */
export function hasEnded({ step, config, plateau }: RunDescription): boolean {
  return step >= (plateau?.end ?? config.steps);
}

/** How far a run by regions came, in words. */
export function regionProgress({ done, list, windows, begun }: RegionsDescription): string {
  const next = begun ? `, and ${begun.step} steps of the next one` : "";
  return `${done} of ${list.length + windows} regions and seams done${next}`;
}

/** run.json's text. */
export function writeRunDescription(description: Omit<RunDescription, "version">): string {
  return `${JSON.stringify({ version: formatVersion, ...description }, null, 2)}\n`;
}

/**
 * Reads run.json.
 * @throws Error of one sentence if it is not JSON, of another version, or has a field that no run has so
 */
export function readRunDescription(json: string): RunDescription {
  const file = "run.json";
  let value: RunDescription;
  try {
    value = JSON.parse(json);
  } catch {
    throw new Error(`${file} is not JSON.`);
  }
  if (typeof value !== "object" || value === null || !("version" in value)) {
    throw new Error(`${file} does not describe a run.`);
  }
  const version = checkVersion(value.version, file);
  try {
    checkFields("", value);
  } catch (error) {
    throw new Error(`${file} cannot be used: ${(error as Error).message}`);
  }
  // Of one that was fitted by regions nobody asks for all pixels at once.
  if (!value.regions) checkPixels(`The picture of ${file}`, value.image);
  return { ...value, version: formatVersion, config: parseConfig(() => value.config, file, version) };
}
