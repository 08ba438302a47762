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

/** A part of a run with another step budget than the part after it. */
export interface EarlierBudget {
  /** The step after which it ended. */
  step: number;
  /** The config's number of steps at the time. */
  steps: number;
  /** The step at which its schedule ended, if not at `steps`. */
  horizon?: number;
}

/** The contents of run.json: everything about a run except its tables and images. */
export interface RunDescription {
  /** Format version of the run's files. */
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
  /** Steps done; fewer than the config's if the run was stopped or ended early. */
  step: number;
  /** The step at which the schedule ends, if it did not move when the run got more steps. */
  horizon?: number;
  /** Earlier step budgets in order; absent if the schedule does not depend on them. */
  earlier?: EarlierBudget[];
  /** State of early stopping, if the run uses it; its PSNR is null for a perfect render. */
  plateau?: Plateau;
  /** Metrics were recorded every this many steps; 0 for the irregular steps of a page. */
  recordEvery: number;
  /** Gradients were recorded every this many steps; absent if only the last ones were. */
  recordGradientsEvery?: number;
  /** The regions and their progress, if the image was fitted by regions. */
  regions?: RegionsDescription;
  /** The steps with a film frame, ascending; absent in older runs. */
  film?: number[];
  /** The machine or browser. */
  host: string;
  /** The GPU, or "CPU". */
  adapter: string;
  /** Why the CPU engine ran instead of the GPU. */
  fallback?: string;
  /** Versions by package. */
  versions: Record<string, string>;
  timings: {
    /** When the files were written, as ISO 8601. */
    finishedAt: string;
    /** Seconds of training. */
    seconds: number;
    stepsPerSecond: number;
    /** Median milliseconds of each kernel of a step, if the adapter has timestamps. */
    stageTimes?: Record<string, number>;
  };
  /** The goal of the run, and whether it was reached. */
  goal?: Goal & { reached: boolean };
  /** The numbers of blobs that were tried for the goal, including this run's once it has ended; absent for seconds. */
  attempts?: Attempt[];
  /** SHA-256 of each of the run's other files in hexadecimal, by name; absent in older runs. */
  files?: Record<string, string>;
  /** Result of the saved parameters. */
  result: {
    loss: number;
    /** Decibels; infinite for a perfect render, which JSON stores as null. */
    psnr: number;
    /** Result of blobs.splat2d; absent in older runs. */
    file?: FileResult;
  };
}

/** The regions of an image that was fitted by regions. */
export interface RegionsDescription {
  /** Most pixels of a region's side. */
  side: number;
  /** The pixels of each region and its number of blobs, planned or final, in the order of the record batches. */
  list: (Size & { x: number; y: number; blobs: number })[];
  /** Number of windows over the seams between regions. */
  windows: number;
  /** Number of regions, then windows, that are done. */
  done: number;
  /** The next region or window, if it was interrupted: see `InterruptedFit`. */
  begun?: { step: number; seconds: number; boundAt: number; plateau?: Plateau };
  /** Loss near the seams and elsewhere, of a run that has ended. */
  seams?: { near: number; elsewhere: number };
}

/** Size and quality of a .splat2d file. */
export interface FileResult {
  bytes: number;
  /** Bits of the file per pixel of the target. */
  bitsPerPixel: number;
  /** PSNR in decibels of the blobs read back from the file. */
  psnr: number;
}

const checkPlateau = object({ psnr: numberOrNull, end: optional(integerFrom(0)) });

/** Checks run.json, except the version and the config. */
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

/** Returns whether the run has used its step budget, or stopped early. */
export function hasEnded({ step, config, plateau }: RunDescription): boolean {
  return step >= (plateau?.end ?? config.steps);
}

/** Returns the progress of a run by regions, in words. */
export function regionProgress({ done, list, windows, begun }: RegionsDescription): string {
  const next = begun ? `, and ${begun.step} steps of the next one` : "";
  return `${done} of ${list.length + windows} regions and seams done${next}`;
}

/** Returns the text of run.json. */
export function writeRunDescription(description: Omit<RunDescription, "version">): string {
  return `${JSON.stringify({ version: formatVersion, ...description }, null, 2)}\n`;
}

/**
 * Reads run.json.
 * @throws Error of one sentence if it is not JSON, of another version or has an invalid field
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
  // An image that was fitted by regions is never needed as a whole.
  if (!value.regions) checkPixels(`The image of ${file}`, value.image);
  return { ...value, version: formatVersion, config: parseConfig(() => value.config, file, version) };
}
