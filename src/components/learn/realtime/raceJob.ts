import { type Program, programs, unsupportedReason } from "../../../engine/bench/realtime/programs.js";
import type { TrainConfig } from "../../../engine/config.js";
import type { Size } from "../../../engine/image/image.js";
import type { BrowserEngine } from "../../../host/browser/engine.js";

/** The job of the race. */
export type RaceJob = Pick<TrainConfig, "blobs" | "tile"> & { gaussiansPerBlock: number };

/** Settings of the job to choose from, and the defaults. */
interface JobChoices {
  blobs: number[];
  longest: number[];
  gaussiansPerBlock: number[];
  defaults: { blobs: number; longest: number; gaussiansPerBlock: number };
}

/** On a GPU the default is the job of the first article; on a software adapter, a job that takes seconds. */
const jobChoices: Record<"gpu" | "other", JobChoices> = {
  gpu: {
    blobs: [50, 200, 512, 2000, 10_000, 40_960],
    longest: [64, 128, 256, 512],
    gaussiansPerBlock: [64, 128, 256, 512],
    defaults: { blobs: 200, longest: 512, gaussiansPerBlock: 256 },
  },
  other: {
    blobs: [8, 24, 60, 200, 600],
    longest: [16, 24, 32, 48],
    gaussiansPerBlock: [16, 32, 64, 256],
    defaults: { blobs: 24, longest: 24, gaussiansPerBlock: 32 },
  },
};

/** Returns the settings to choose from on an engine. */
export function jobChoicesFor(kind: BrowserEngine["kind"]): JobChoices {
  return jobChoices[kind === "gpu" ? "gpu" : "other"];
}

/** Pixel–blob pairs per step above which programs without tiles are not selected at first. */
const maxDefaultPairs = 3e8;

/** Returns the reason why a program is not selected by default; undefined if it is. */
export function exclusionReason(
  program: Program,
  { blobs }: Pick<RaceJob, "blobs">,
  { width, height }: Size,
): string | undefined {
  const refusalReason = unsupportedReason(program, { blobs });
  if (refusalReason !== undefined) return refusalReason;
  const isLong = program.pipeline === "simple" && blobs * width * height > maxDefaultPairs;
  return isLong ? "Not selected at first, because it is slow." : undefined;
}

/** Returns the programs that are selected by default. */
export function defaultParticipants(job: Pick<RaceJob, "blobs">, size: Size): Program[] {
  return programs.filter((program) => exclusionReason(program, job, size) === undefined);
}
