import type { TrainConfig } from "../engine/config.js";
import { roughDuration } from "../engine/duration.js";
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
export function costAt(config: TrainConfig, step: number): number {
  return 1 - activeCost + activeCost * activeFraction(config, step, config.steps);
}

/** Returns the sum of `costAt` over the steps of a run. */
export function totalCost(config: TrainConfig): number {
  const { steps } = config;
  // The cost rises linearly up to the last densification.
  const rampEnd = Math.min(lastDensification(config, steps), steps);
  const mean = (from: number, to: number) => (costAt(config, from) + costAt(config, to)) / 2;
  return rampEnd * mean(0, rampEnd) + (steps - rampEnd) * mean(rampEnd, steps);
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

/**
 * Returns the estimated time of a job and what makes it quick, in words; "" if it is not long, and undefined until enough
 * steps are measured.
 * @param snapshots the first ones of its training
 */
export function adviseQuickRun(
  { config, image, goal, choosesBlobs }: Job,
  snapshots: Parameters<typeof secondsPerStep>[0],
): string | undefined {
  const stepSeconds = secondsPerStep(snapshots);
  if (stepSeconds === undefined) return undefined;
  const seconds = (stepSeconds * totalCost(config)) / costAt(config, snapshots.at(-1)!.step);
  if (seconds <= longSeconds) return "";
  const longerSide = Math.max(image.width, image.height);
  // With constant blobs per pixel, time is proportional to the pixels.
  const scaledSide = 32 * Math.floor((longerSide * Math.sqrt(quickSeconds / seconds)) / 32);
  const scaledBlobs = Math.max(1, Math.round(config.blobs * (scaledSide / longerSide) ** 2));
  const options = [
    ...(goal ? [] : [`--seconds ${quickSeconds}`]),
    ...(scaledSide > 0 ? [`--longest ${scaledSide}${choosesBlobs ? "" : ` --blobs ${scaledBlobs}`}`] : []),
  ];
  const advice = options.length > 0 ? ` For a quick run, use ${options.join(" or ")}.` : "";
  return `Estimated time: about ${roughDuration(seconds)}.${advice}`;
}
