import { checkVersion, formatVersion } from "./arrow.js";
import type { TrainConfig } from "./config.js";
import {
  ascending,
  bool,
  date,
  from0,
  listOf,
  number,
  numberOrNull,
  object,
  oneOf,
  optional,
  recordOf,
  text,
  whole,
} from "./fieldChecks.js";
import type { Attempt, Goal } from "./goal.js";
import { checkPixels } from "./image.js";
import { parseConfig } from "./parseConfig.js";

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
  /** Steps done. */
  step: number;
  /** The steps after which metrics were recorded: every this many; 0 if at irregular steps, as a page shows them. */
  recordEvery: number;
  /** The same for gradients; absent if only the last ones were asked for. */
  recordGradientsEvery?: number;
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
    /** Milliseconds of each kernel of a step, where the adapter has timestamps. */
    stageTimes?: Record<string, number>;
  };
  /** What the run was to reach, and whether it did. */
  goal?: Goal & { reached: boolean };
  /** The numbers of blobs that were tried for it, this run's among them. */
  attempts?: Attempt[];
  /** Of the final parameters. */
  result: {
    loss: number;
    /** Decibels; infinite where nothing differs, which JSON tells as null. */
    psnr: number;
    /** Of blobs.splat2d; absent in runs from before there was one. */
    file?: FileResult;
  };
}

/** What a .splat2d file costs, and what it keeps. */
export interface FileResult {
  bytes: number;
  /** Of the file, by the target's pixels. */
  bitsPerPixel: number;
  /** Decibels, of what is read back from the file. */
  psnr: number;
}

/** What run.json must hold besides the version and the config. */
const checkFields = object({
  image: object({ name: text, width: whole(1), height: whole(1), hash: text }),
  step: whole(0),
  recordEvery: whole(0),
  recordGradientsEvery: optional(whole(1)),
  film: optional(ascending),
  host: text,
  adapter: text,
  fallback: optional(text),
  versions: recordOf(text),
  timings: object({
    finishedAt: date,
    seconds: from0,
    stepsPerSecond: numberOrNull,
    stageTimes: optional(recordOf(number)),
  }),
  goal: optional(object({ kind: oneOf("psnr", "seconds", "bitsPerPixel"), value: number, reached: bool })),
  attempts: optional(listOf(object({ blobs: whole(1), psnr: numberOrNull, bitsPerPixel: number }))),
  result: object({
    loss: number,
    psnr: numberOrNull,
    file: optional(object({ bytes: whole(0), bitsPerPixel: number, psnr: numberOrNull })),
  }),
});

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
  checkVersion(value.version, file);
  try {
    checkFields("", value);
  } catch (error) {
    throw new Error(`${file} cannot be used: ${(error as Error).message}`);
  }
  checkPixels(`The picture of ${file}`, value.image);
  return { ...value, config: parseConfig(() => value.config, file) };
}
