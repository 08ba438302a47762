import type { TrainConfig } from "../../engine/config.js";
import type { ChosenImage } from "../../host/browser/images.js";

const key = "splatbook.frozenStep";

/** Identifies a job. Runs of the same job have the same blobs at a step. */
function jobText(config: TrainConfig, { name, image }: ChosenImage): string {
  return JSON.stringify([config, name, image.width, image.height]);
}

/** Returns the step of a job at which the reader froze the figures in this tab; undefined if they follow the run. */
export function storedStep(config: TrainConfig, target: ChosenImage): number | undefined {
  try {
    const { job, step } = JSON.parse(sessionStorage.getItem(key) ?? "{}") ?? {};
    return job === jobText(config, target) && Number.isInteger(step) ? step : undefined;
  } catch {
    return undefined;
  }
}

/** Stores the step of a job at which the figures are frozen, for other chapters in this tab. */
export function storeStep(config: TrainConfig, target: ChosenImage, step: number | undefined): void {
  try {
    if (step === undefined) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, JSON.stringify({ job: jobText(config, target), step }));
  } catch {
    // Without storage, the next chapter follows its run.
  }
}
