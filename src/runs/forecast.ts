import type { TrainConfig } from "../engine/config.js";
import { roughDuration } from "../engine/duration.js";
import type { Size } from "../engine/image/image.js";
import { activeFraction, lastDensification } from "../engine/training/densification.js";
import type { Snapshot } from "../engine/training/snapshot.js";
import { formatCount } from "../terminal/formatCount.js";
import type { Job } from "./job.js";

/** Seconds of training before the speed is measured, while code is still being compiled, and of the measurement. */
const [warmUpSeconds, measuredSeconds] = [1, 1];

/** Fraction of a step's time that is proportional to the active blobs. */
const activeCost = 0.5;

/** Remaining seconds from which a quick run is suggested, and seconds that it should take. */
const [longSeconds, quickSeconds] = [300, 60];

/** Returns the seconds per step, from the first snapshots of a training; undefined until enough steps are measured. */
export function secondsPerStep(snapshots: readonly Pick<Snapshot, "step" | "seconds">[]): number | undefined {
  const [start] = snapshots;
  const from = snapshots.find(({ seconds }) => seconds - start.seconds >= warmUpSeconds);
  const last = snapshots.at(-1);
  if (!from || !last || last.seconds - from.seconds < measuredSeconds) return undefined;
  return (last.seconds - from.seconds) / (last.step - from.step);
}

/** Returns the time of a config's step relative to one with all blobs active. */
export function costAt(config: TrainConfig, step: number, horizon = config.steps): number {
  return 1 - activeCost + activeCost * activeFraction(config, step, horizon);
}

/** Returns the sum of `costAt` over the remaining steps of a run. */
export function costAfter(config: TrainConfig, step: number, horizon = config.steps): number {
  const { steps } = config;
  // The cost rises linearly up to the last densification.
  const rampEnd = Math.min(Math.max(step, lastDensification(config, horizon)), steps);
  const mean = (from: number, to: number) => (costAt(config, from, horizon) + costAt(config, to, horizon)) / 2;
  return (rampEnd - step) * mean(step, rampEnd) + (steps - rampEnd) * mean(rampEnd, steps);
}

/** Returns what a job is about to do: image size, blobs, and steps or limit. */
export function describeJob({ config, image, goal, choosesBlobs, resumedFrom: before }: Job): string {
  const pixels = `${image.width}×${image.height} pixels`;
  const steps = config.steps === 1 ? "1 step" : `${formatCount(config.steps)} steps`;
  if (goal?.kind === "seconds") {
    const limitPrefix = choosesBlobs ? "up to " : "";
    return `${pixels}, ${limitPrefix}${formatCount(config.blobs)} blobs, ${goal.value} s`;
  }
  const stepRange = before ? `steps ${formatCount(before.state.step + 1)} to ${formatCount(config.steps)}` : steps;
  const limit = goal ? ` or ${goal.value} dB` : "";
  return `${pixels}, ${formatCount(config.blobs)} blobs, ${stepRange}${limit}`;
}

/** What a quick run can change about a job. */
export interface QuickRun {
  image: Size;
  /** Blobs to scale with the image; absent if the image determines them. */
  blobs?: number | undefined;
  /** Whether the run can be limited in time. */
  takesSeconds: boolean;
}

/**
 * Returns an estimate in words.
 * @param quickRun absent if there is nothing to suggest
 */
export function describeEstimate(seconds: number, quickRun?: QuickRun): string {
  const sentence = `Estimated time: about ${roughDuration(seconds)}`;
  if (seconds <= longSeconds || !quickRun) return sentence;
  const { image, blobs, takesSeconds } = quickRun;
  const longerSide = Math.max(image.width, image.height);
  // With constant blobs per pixel, time is proportional to the pixels.
  const scaledSide = 32 * Math.floor((longerSide * Math.sqrt(quickSeconds / seconds)) / 32);
  const scaledBlobs = blobs && Math.max(1, Math.round(blobs * (scaledSide / longerSide) ** 2));
  const options = [
    ...(takesSeconds ? [`--seconds ${quickSeconds}`] : []),
    ...(scaledSide > 0 ? [`--longest ${scaledSide}${scaledBlobs ? ` --blobs ${scaledBlobs}` : ""}`] : []),
  ];
  return options.length > 0 ? `${sentence}. For a quick run, use ${options.join(" or ")}.` : sentence;
}
