import type { TrainConfig } from "../engine/config.js";
import { roughDuration } from "../engine/duration.js";
import type { Size } from "../engine/image/image.js";
import { mostRuns } from "../engine/training/goal.js";
import { activeShare, lastGrowth } from "../engine/training/growth.js";
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
  take(snapshot: Snapshot): number | undefined {
    if (this.#isDone) return undefined;
    const { step, seconds } = snapshot;
    this.#start ??= snapshot;
    if (!this.#first) {
      if (seconds - this.#start.seconds >= warmUpSeconds) this.#first = snapshot;
      return undefined;
    }
    const measured = seconds - this.#first.seconds;
    if (measured < measuredSeconds) return undefined;
    this.#isDone = true;
    return (measured / (step - this.#first.step)) * this.workAfter(step);
  }
}

/** Returns the time of a config's step relative to one with all blobs active. */
export function costAt(config: TrainConfig, step: number, horizon = config.steps): number {
  return 1 - activeCost + activeCost * activeShare(config, step, horizon);
}

/** Returns the sum of `costAt` over the steps of a run that follow a step. */
export function costAfter(config: TrainConfig, step: number, horizon = config.steps): number {
  const { steps } = config;
  // It rises linearly up to there.
  const bend = Math.min(Math.max(step, lastGrowth(config, horizon)), steps);
  const mean = (from: number, to: number) => (costAt(config, from, horizon) + costAt(config, to, horizon)) / 2;
  return (bend - step) * mean(step, bend) + (steps - bend) * mean(bend, steps);
}

/** Returns the time of a step with some pixels and blobs, relative to others on the same machine. */
export function sizeCost({ pixels, blobs }: { pixels: number; blobs: number }): number {
  return pixels + pixelsPerBlob * blobs;
}

/** A whole number with thousands separators. */
export const grouped = (value: number) => value.toLocaleString("en-US");

/** Returns what a job is about to do: image size, blobs, and steps or limit. */
export function outline({ config, image, goal, choosesBlobs, before }: Job): string {
  const pixels = `${image.width}×${image.height} pixels`;
  const steps = config.steps === 1 ? "1 step" : `${grouped(config.steps)} steps`;
  if (goal?.kind === "seconds") {
    const most = choosesBlobs ? "up to " : "";
    return `${pixels}, ${most}${grouped(config.blobs)} blobs, ${goal.value} s`;
  }
  if (goal) {
    const wanted = goal.kind === "psnr" ? `PSNR of ${goal.value} dB` : `file of ${goal.value} bits per pixel`;
    return `${pixels}, up to ${mostRuns(goal)} runs of ${steps} for a ${wanted}`;
  }
  const todo = before ? `steps ${grouped(before.state.step + 1)} to ${grouped(config.steps)}` : steps;
  return `${pixels}, ${grouped(config.blobs)} blobs, ${todo}`;
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
export function estimated(seconds: number, quickLook?: QuickLook, unit?: string): string {
  const words = `Estimated time: about ${roughDuration(seconds)}${unit ? ` per ${unit}` : ""}`;
  if (seconds <= longSeconds || !quickLook) return words;
  const { image, blobs, takesSeconds } = quickLook;
  const longer = Math.max(image.width, image.height);
  // With as many blobs per pixel, time is proportional to the pixels.
  const longest = 32 * Math.floor((longer * Math.sqrt(quickSeconds / seconds)) / 32);
  const scaled = blobs && Math.max(1, Math.round(blobs * (longest / longer) ** 2));
  const options = [
    ...(takesSeconds ? [`--seconds ${quickSeconds}`] : []),
    ...(longest > 0 ? [`--longest ${longest}${scaled ? ` --blobs ${scaled}` : ""}`] : []),
  ];
  return options.length > 0 ? `${words}. For a quick look, use ${options.join(" or ")}.` : words;
}
