import { type Program, programs, unsupportedReason } from "../../../engine/bench/realtime/programs.js";
import type { TrainConfig } from "../../../engine/config.js";
import type { Size } from "../../../engine/image/image.js";
import type { BrowserEngine } from "../../../host/browser/engine.js";

/** What the programs race at. */
export type RaceJob = Pick<TrainConfig, "blobs" | "tile"> & { gaussiansPerBlock: number };

/** What a reader can choose from, and what stands at first. */
interface JobChoices {
  blobs: number[];
  longest: number[];
  gaussiansPerBlock: number[];
  defaults: { blobs: number; longest: number; gaussiansPerBlock: number };
}

/** The first article's job where there is a GPU, and one of seconds where a processor plays one. */
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

/** What there is to choose from on an engine. */
export function jobChoicesFor(kind: BrowserEngine["kind"]): JobChoices {
  return jobChoices[kind === "gpu" ? "gpu" : "other"];
}

/** Pairs of a pixel and a blob in a step beyond which a program that looks at all of them is left out at first. */
const maxDefaultPairs = 3e8;

/** Why a program does not take part unless it is asked to, as a sentence; undefined where it does. */
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

/** The programs that take part at first. */
export function defaultParticipants(job: Pick<RaceJob, "blobs">, size: Size): Program[] {
  return programs.filter((program) => exclusionReason(program, job, size) === undefined);
}
