import { SingleBar } from "cli-progress";
import { duration } from "../engine/duration.js";
import type { Snapshot } from "../engine/training/snapshot.js";

/** Reports the progress of a run. */
export interface Progress {
  update(snapshot: Snapshot): void;
  stop(): void;
}

/** Milliseconds between lines if stderr is not a terminal. */
const lineInterval = 3000;

/** Seconds of training before the remaining time is estimated. */
const minimumSpeedSeconds = 1;

/** The end of a run, as a step or as seconds of training. */
export type Span = { from: number; until: number } | { seconds: number };

/** Reports progress on stderr: a bar on a terminal, otherwise a line every few seconds. */
export function showProgress(span: Span): Progress {
  return process.stderr.isTTY ? showBar(span) : showLines(span);
}

/** Prints a line to stderr. On a terminal it replaces a progress bar, which is drawn again below it. */
export function showLine(text: string): void {
  process.stderr.write(`${process.stderr.isTTY ? "\r\x1b[K" : ""}${text}\n`);
}

/** Returns a progress bar on stderr. Ctrl-C is handled by the command. */
export function newBar(format: string): SingleBar {
  return new SingleBar({
    stream: process.stderr,
    format: `{bar} ${format}`,
    barsize: 24,
    hideCursor: true,
    gracefulExit: false,
  });
}

export const noProgress: Progress = { update() {}, stop() {} };

function showBar(span: Span): Progress {
  const total = "until" in span ? span.until : span.seconds;
  const progressBar = newBar("step {step}  {psnr}  {speed}  {left}");
  progressBar.start(total, "from" in span ? span.from : 0, { step: "", psnr: "", speed: "", left: "starting" });
  return {
    update: (snapshot) =>
      progressBar.update("until" in span ? snapshot.step : Math.min(snapshot.seconds, total), describe(snapshot, span)),
    stop: () => progressBar.stop(),
  };
}

function showLines(span: Span): Progress {
  let lastLineAt = Number.NEGATIVE_INFINITY;
  return {
    update(snapshot) {
      const now = performance.now();
      const isLast = "until" in span ? snapshot.step >= span.until : snapshot.seconds >= span.seconds;
      if (now - lastLineAt < lineInterval && !isLast) return;
      lastLineAt = now;
      const { step, psnr, speed, left } = describe(snapshot, span);
      process.stderr.write(`${[`step ${step}`, psnr, speed, ...(left ? [left] : [])].join(", ")}\n`);
    },
    stop() {},
  };
}

function describe({ step, seconds, psnr, stepsPerSecond }: Snapshot, span: Span) {
  const left = "until" in span ? (span.until - step) / stepsPerSecond : Math.max(0, span.seconds - seconds);
  return {
    step: "until" in span ? `${step}/${span.until}` : String(step),
    psnr: `training PSNR ${psnr.toFixed(2)} dB`,
    speed: `${stepsPerSecond >= 100 ? stepsPerSecond.toFixed(0) : stepsPerSecond.toPrecision(3)} steps/s`,
    left: left > 0 && seconds < minimumSpeedSeconds ? "" : `${duration(left)} left`,
  };
}
