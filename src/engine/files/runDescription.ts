import type { TrainConfig } from "../config.js";
import { checkPixels } from "../image/image.js";
import {
  ascending,
  bool,
  type Checked,
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

const checkPlateau = object({ psnr: numberOrNull, end: optional(integerFrom(0)) });

const checkBudget = object({
  /** The step after which it ended. */
  step: integerFrom(0),
  /** The config's number of steps at the time. */
  steps: integerFrom(1),
  /** The step at which its schedule ended, if not at `steps`. */
  horizon: optional(integerFrom(0)),
});

const checkFile = object({
  bytes: integerFrom(0),
  /** Bits of the file per pixel of the target. */
  bitsPerPixel: number,
  /** PSNR in decibels of the blobs read back from the file. */
  psnr: numberOrNull,
});

const checkRegion = object({
  x: integerFrom(0),
  y: integerFrom(0),
  width: integerFrom(1),
  height: integerFrom(1),
  blobs: integerFrom(0),
});

const checkRegions = object({
  /** Most pixels of a region's side. */
  side: integerFrom(1),
  /** The pixels of each region and its number of blobs, planned or final, in the order of the record batches. */
  list: listOf(checkRegion),
  /** Number of windows over the seams between regions. */
  windows: integerFrom(0),
  /** Number of regions, then windows, that are done. */
  done: integerFrom(0),
  /** Loss near the seams and elsewhere, of a run that has ended. */
  seams: optional(object({ near: number, elsewhere: number })),
});

/** Checks run.json, except the version and the config. */
const checkFields = object({
  image: object({
    name: text,
    /** Pixels. */
    width: integerFrom(1),
    height: integerFrom(1),
    /** From `hashImage`. */
    hash: text,
  }),
  /** The regions and their progress, if the image was fitted in regions. */
  regions: optional(checkRegions),
  /** Steps done; fewer than the config's if the run was stopped or ended early. */
  step: integerFrom(0),
  /** Metrics were recorded every this many steps; 0 for the irregular steps of a page. */
  recordEvery: integerFrom(0),
  /** Gradients were recorded every this many steps; absent if only the last ones were. */
  recordGradientsEvery: optional(integerFrom(1)),
  /** The steps with a film frame, ascending; absent in older runs. */
  film: optional(ascending),
  /** The machine or browser. */
  host: text,
  /** The GPU, or "CPU". */
  adapter: text,
  /** Why the CPU engine ran instead of the GPU. */
  fallback: optional(text),
  /** Versions by package. */
  versions: recordOf(text),
  timings: object({
    /** When the files were written, as ISO 8601. */
    finishedAt: date,
    /** Seconds of training. */
    seconds: nonNegative,
    stepsPerSecond: numberOrNull,
    /** Median milliseconds of each kernel of a step, if the adapter has timestamps. */
    stageTimes: optional(recordOf(number)),
  }),
  /** Earlier step budgets in order; absent if the schedule does not depend on them. */
  earlier: optional(listOf(checkBudget)),
  /** SHA-256 of each of the run's other files in hexadecimal, by name; absent in older runs. */
  files: optional(recordOf(sha256)),
  /** State of early stopping, if the run uses it; its PSNR is null for a perfect render. */
  plateau: optional(checkPlateau),
  /** When the run was to end before its last step, and whether it did. Only earlier versions have `bitsPerPixel`. */
  goal: optional(object({ kind: oneOf("psnr", "seconds", "bitsPerPixel"), value: number, reached: bool })),
  /** The numbers of blobs that an earlier version tried for the goal. */
  attempts: optional(listOf(object({ blobs: integerFrom(1), psnr: numberOrNull, bitsPerPixel: number }))),
  /** What was reported during training, in order; absent if nothing was. Later versions may report other kinds. */
  alerts: optional(
    listOf(
      object({
        /** Such as diverged, stalled or goal. */
        kind: text,
        step: integerFrom(0),
        /** Null if the loss, a parameter or a moment is not finite. */
        loss: numberOrNull,
        sentence: text,
        /** Index of the region, or after them of the seam, that diverged: the step is one of its own. */
        part: optional(integerFrom(0)),
      }),
    ),
  ),
  /** Result of the saved parameters. */
  result: object({
    loss: number,
    /** Decibels; infinite for a perfect render, which JSON stores as null. */
    psnr: numberOrNull,
    /** Result of blobs.splat2d; absent in older runs. */
    file: optional(checkFile),
  }),
});

/** A part of a run with another step budget than the part after it. */
export type EarlierBudget = Checked<typeof checkBudget>;

/** Size and quality of a .splat2d file. */
export type FileResult = Checked<typeof checkFile>;

/** The regions of an image that was fitted in regions. */
type RegionsDescription = Checked<typeof checkRegions>;

/** The contents of run.json: everything about a run except its tables and images. */
export interface RunDescription extends Checked<typeof checkFields> {
  /** Format version of the run's files. */
  version: typeof formatVersion;
  /** With every default filled in. */
  config: TrainConfig;
  /** The step at which the schedule ends, if it did not move when the run got more steps. */
  horizon?: number;
}

/** Returns whether the run has used its step budget, or stopped early. */
export function hasEnded({ step, config, plateau }: RunDescription): boolean {
  return step >= (plateau?.end ?? config.steps);
}

/** Returns the progress of a run in regions, in words. */
export function regionProgress({ done, list, windows }: RegionsDescription): string {
  return `${done} of ${list.length + windows} regions and seams done`;
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
  // An image that was fitted in regions is never needed as a whole.
  if (!value.regions) checkPixels(`The image of ${file}`, value.image);
  return { ...value, version: formatVersion, config: parseConfig(() => value.config, file, version) };
}
