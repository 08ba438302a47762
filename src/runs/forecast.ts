import type { TrainConfig } from "../engine/config.js";
import { roughDuration } from "../engine/duration.js";
import type { Size } from "../engine/image/image.js";
import { activeFraction, lastDensification } from "../engine/training/densification.js";
import { maxRuns } from "../engine/training/goal.js";
import type { Snapshot } from "../engine/training/snapshot.js";
import type { Job } from "./job.js";

/** Seconds of training before the speed is measured, in which code is still being compiled, and over which it is. */
const [warmUpSeconds, measuredSeconds] = [1, 1];

/** The share of a step's time that is proportional to the active blobs, as density control adds them. */
const activeCost = 0.5;

/** Pixels that take as long as a blob, if the blobs cover the image in any case. */
const pixelsPerBlob = 5;

/** Seconds of training that are left before a quick look is suggested, and that one should take. */
const [longSeconds, quickSeconds] = [300, 60];

/** Estimates how long training takes, from its first steps. */
export class Forecast {
  #start: Snapshot | undefined;
  #first: Snapshot | undefined;
  #isDone = false;

  /** @param workAfter returns the work that is left after a step, in steps that take as long as the next one */
  constructor(readonly workAfter: (step: number) => number) {}

  /** Takes a snapshot. Returns the seconds of training that are left, once, when enough steps have been measured. */
  update(snapshot: Snapshot): number | undefined {
    if (this.#isDone) return undefined;
    const { step, seconds } = snapshot;
    this.#start ??= snapshot;
    if (!this.#first) {
      if (seconds - this.#start.seconds >= warmUpSeconds) this.#first = snapshot;
      return undefined;
    }
    const elapsed = seconds - this.#first.seconds;
    if (elapsed < measuredSeconds) return undefined;
    this.#isDone = true;
    return (elapsed / (step - this.#first.step)) * this.workAfter(step);
  }
}

/** Returns the time of a config's step relative to one with all blobs active. */
export function costAt(config: TrainConfig, step: number, horizon = config.steps): number {
  return 1 - activeCost + activeCost * activeFraction(config, step, horizon);
}

/** Returns the sum of `costAt` over the steps of a run that follow a step. */
export function costAfter(config: TrainConfig, step: number, horizon = config.steps): number {
  const { steps } = config;
  // It rises linearly up to there.
  const rampEnd = Math.min(Math.max(step, lastDensification(config, horizon)), steps);
  const mean = (from: number, to: number) => (costAt(config, from, horizon) + costAt(config, to, horizon)) / 2;
  return (rampEnd - step) * mean(step, rampEnd) + (steps - rampEnd) * mean(rampEnd, steps);
}

/** Returns the time of a step with some pixels and blobs, relative to others on the same machine. */
export function sizeCost({ pixels, blobs }: { pixels: number; blobs: number }): number {
  return pixels + pixelsPerBlob * blobs;
}

/** A whole number with thousands separators. */
export const formatCount = (value: number) => value.toLocaleString("en-US");

/** Returns what a job is about to do: image size, blobs, and steps or limit. */
export function describeJob({ config, image, goal, choosesBlobs, resumedFrom: before }: Job): string {
  const pixels = `${image.width}×${image.height} pixels`;
  const steps = config.steps === 1 ? "1 step" : `${formatCount(config.steps)} steps`;
  if (goal?.kind === "seconds") {
    const limitPrefix = choosesBlobs ? "up to " : "";
    return `${pixels}, ${limitPrefix}${formatCount(config.blobs)} blobs, ${goal.value} s`;
  }
  if (goal) {
    const goalText = goal.kind === "psnr" ? `PSNR of ${goal.value} dB` : `file of ${goal.value} bits per pixel`;
    return `${pixels}, up to ${maxRuns(goal)} runs of ${steps} for a ${goalText}`;
  }
  const stepRange = before ? `steps ${formatCount(before.state.step + 1)} to ${formatCount(config.steps)}` : steps;
  return `${pixels}, ${formatCount(config.blobs)} blobs, ${stepRange}`;
}

/** What an estimate may suggest for a quick look. */
export interface QuickLook {
  image: Size;
  /** To be scaled with the image; absent if the image decides on them. */
  blobs?: number | undefined;
  /** Whether the run can be limited in time. */
  takesSeconds: boolean;
}

/**
 * Returns an estimate in words.
 * @param quickLook absent if there is nothing to suggest
 * @param unit what takes that long, if it is not all of the command
 */
export function describeEstimate(seconds: number, quickLook?: QuickLook, unit?: string): string {
  const sentence = `Estimated time: about ${roughDuration(seconds)}${unit ? ` per ${unit}` : ""}`;
  if (seconds <= longSeconds || !quickLook) return sentence;
  const { image, blobs, takesSeconds } = quickLook;
  const longerSide = Math.max(image.width, image.height);
  // With as many blobs per pixel, time is proportional to the pixels.
  const scaledSide = 32 * Math.floor((longerSide * Math.sqrt(quickSeconds / seconds)) / 32);
  const scaledBlobs = blobs && Math.max(1, Math.round(blobs * (scaledSide / longerSide) ** 2));
  const options = [
    ...(takesSeconds ? [`--seconds ${quickSeconds}`] : []),
    ...(scaledSide > 0 ? [`--longest ${scaledSide}${scaledBlobs ? ` --blobs ${scaledBlobs}` : ""}`] : []),
  ];
  return options.length > 0 ? `${sentence}. For a quick look, use ${options.join(" or ")}.` : sentence;
}
