import type { TrainConfig } from "../../engine/config.js";
import { fields } from "../../engine/fields.js";
import type { BrowserEngine } from "../../host/browser/engine.js";

/** What the page begins with: enough to see blobs learn within seconds, on the engine that there is. */
export interface StartingJob {
  config: Partial<TrainConfig>;
  /** Pixels of the picture's longer side. */
  longest: number;
}

/**
 * Returns the job that a page starts with on an engine. On a software adapter it uses the CPU engine, which is a hundred
 * times as fast there.
 */
export function startingJob(kind: BrowserEngine["kind"]): StartingJob {
  if (kind === "gpu") return { config: { blobs: 8192 }, longest: 512 };
  const config: Partial<TrainConfig> = {
    blobs: 400,
    steps: 1000,
    learningRate: 0.01,
    tile: [8, 8],
    pipeline: "cpu",
  };
  return { config, longest: 96 };
}

/**
 * The same for a preset: what a small job needs of the seeds' learning rate, another preset does not.
 * @param preset what is none changes nothing
 */
export function startOf(start: Partial<TrainConfig>, preset: unknown): Partial<TrainConfig> {
  const named = fields.preset.choices.find((choice) => choice === preset);
  if (named === undefined || named === fields.preset.default) return start;
  const { learningRate: _, ...size } = start;
  return { ...size, preset: named };
}

/** Returns sentences that say which engine trains, and which job the page starts with. */
export function describeEngine({ kind, description, because }: BrowserEngine): string {
  if (kind === "gpu") return `The blobs train on your GPU: ${description}.`;
  const { config, longest } = startingJob(kind);
  const small = `begins with a small job unless its address says otherwise: ${config.blobs} blobs and a picture of ${longest} pixels`;
  if (kind === "cpu") return `${because} The blobs train on the CPU, so the page ${small}.`;
  return `The only adapter here is a CPU that plays a GPU (${description}), so the page trains on the CPU engine and ${small}.`;
}
