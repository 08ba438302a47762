import type { TrainConfig } from "../../engine/config.js";
import { fields } from "../../engine/fields.js";
import type { BrowserEngine } from "../../host/browser/engine.js";

/** The job of a page without a link: small enough to show results within seconds. */
export interface StartingJob {
  config: Partial<TrainConfig>;
  /** Pixels of the image's longer side. */
  longest: number;
}

/** Returns the initial job of a page on an engine. Links store only the settings that differ from it. */
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
 * Returns the initial job for a preset, without the learning rate of small jobs, which only `baseline` needs.
 * @param preset other values change nothing
 */
export function presetStart(start: Partial<TrainConfig>, preset: unknown): Partial<TrainConfig> {
  const presetName = fields.preset.choices.find((choice) => choice === preset);
  if (presetName === undefined || presetName === fields.preset.default) return start;
  const { learningRate: _, ...size } = start;
  return { ...size, preset: presetName };
}
