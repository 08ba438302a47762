import { duration } from "../engine/duration.js";
import { type RunDescription, regionProgress } from "../engine/files/runDescription.js";
import { runFiles } from "../engine/files/runFiles.js";
import { describeFileSize } from "../engine/files/splat2d/roundTrip.js";
import { divergedExitCode } from "../terminal/failure.js";
import { formatCount, psnrText } from "../terminal/formatCount.js";
import { stoppedExitCode } from "../terminal/interrupt.js";
import { printLines } from "../terminal/streams.js";
import type { FitOutput } from "./fitOutput.js";

/**
 * Prints the result of a run, or how far a stopped run is.
 * @param diverged whether the loss is far above its best at the end
 * @returns the exit code
 */
export function printResult(
  out: string,
  description: RunDescription,
  diverged: boolean,
  output: FitOutput,
  signal: AbortSignal,
): number {
  const { config, step, regions, goal } = description;
  const isUnfinished = goal !== undefined || step < config.steps;
  // A Ctrl-C during the last step stops nothing.
  const stopped = isUnfinished && (signal.aborted || regions !== undefined);
  const facts = { out, ...(stopped && { stopped }), ...description };
  output.end(facts, stopped ? undefined : summary(out, description));
  if (stopped) {
    const resume = `splatbook fit ${regions ? "IMAGE " : ""}--resume ${out}`;
    printLines(`Stopped${progressText(description)}. Resume with: ${resume}`, "stderr");
    return stoppedExitCode(signal);
  }
  if (!goal || goal.reached) return diverged ? divergedExitCode : 0;
  const missed = `The PSNR of ${goal.value} dB was not reached in ${formatCount(step)} steps`;
  printLines(`${missed}: it is ${psnrText(description.result.psnr)}. Use more --blobs or --steps.`, "stderr");
  return diverged ? divergedExitCode : 1;
}

function progressText({ config, step, regions, goal }: RunDescription): string {
  if (regions) return ` with ${regionProgress(regions)}`;
  return ` at step ${formatCount(step)}${goal?.kind === "seconds" ? "" : ` of ${formatCount(config.steps)}`}`;
}

function summary(out: string, { config, step, regions, timings, result }: RunDescription): string {
  const { psnr, file } = result;
  const regionsText = regions ? ` in ${formatCount(regions.list.length)} regions` : "";
  const blobsText = config.preset === "quality" || regions ? `${formatCount(config.blobs)} blobs${regionsText}, ` : "";
  const stepsText = `${formatCount(step)} steps${regions ? " each" : ""} in ${duration(timings.seconds)}`;
  const fileText = file ? `; ${runFiles.splat2d}: ${describeFileSize(file)}, PSNR ${psnrText(file.psnr)}` : "";
  const stagesText = timings.stageTimes ? `\n${stagesSummary(timings.stageTimes)}` : "";
  return `${out}: ${blobsText}${stepsText}, PSNR ${psnrText(psnr)}${fileText}${stagesText}`;
}

/** Returns the median times of a step's kernels in words. */
function stagesSummary(times: Record<string, number>): string {
  const stageTexts = Object.entries(times).map(([stage, milliseconds]) => `${stage} ${milliseconds.toPrecision(2)}`);
  return `Milliseconds per kernel: ${stageTexts.join(", ")}`;
}
