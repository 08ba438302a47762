import type { TrainConfig } from "../../engine/config.js";
import { fields } from "../../engine/fields.js";
import type { BrowserEngine } from "../../host/browser/engine.js";

/** What a page begins with where its link gives nothing else: enough to see blobs learn within seconds. */
export interface StartingJob {
  config: Partial<TrainConfig>;
  /** Pixels of the image's longer side. */
  longest: number;
}

/** Returns the job that a page starts with on an engine, and that its links differ from. */
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
 * The same for a preset: what a small job needs of the learning rate of `baseline`, another preset does not.
 * @param preset what is none changes nothing
 */
export function presetStart(start: Partial<TrainConfig>, preset: unknown): Partial<TrainConfig> {
  const presetName = fields.preset.choices.find((choice) => choice === preset);
  if (presetName === undefined || presetName === fields.preset.default) return start;
  const { learningRate: _, ...size } = start;
  return { ...size, preset: presetName };
}
