import { formatCount } from "../terminal/formatCount.js";
import type { Job } from "./job.js";

/** Returns what a job is about to do: image size, blobs, and steps or limit. */
export function describeJob({ config, image, goal, resumedFrom: before }: Job): string {
  const pixels = `${image.width}×${image.height} pixels`;
  const steps = config.steps === 1 ? "1 step" : `${formatCount(config.steps)} steps`;
  if (goal?.kind === "seconds") {
    return `${pixels}, ${formatCount(config.blobs)} blobs, ${goal.value} s`;
  }
  const stepRange = before ? `steps ${formatCount(before.state.step + 1)} to ${formatCount(config.steps)}` : steps;
  const limit = goal ? ` or ${goal.value} dB` : "";
  return `${pixels}, ${formatCount(config.blobs)} blobs, ${stepRange}${limit}`;
}
