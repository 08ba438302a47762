import { SingleBar } from "cli-progress";
import { duration } from "../engine/duration.js";
import { printable } from "../engine/quoted.js";
import type { Snapshot } from "../engine/training/snapshot.js";
import { colored } from "./color.js";
import { psnrText } from "./formatCount.js";

/** Reports the progress of a run. */
export interface Progress {
  update(snapshot: Snapshot): void;
  stop(): void;
}

/** Milliseconds between lines if stderr is not a terminal. */
const lineInterval = 3000;

/** Seconds of training before the remaining time is estimated. */
const minimumSpeedSeconds = 1;

/** The start and the end of a run, in steps or in seconds of training. */
export interface Span {
  unit: "step" | "seconds";
  from: number;
  until: number;
}

/** Reports progress on stderr: a bar on a terminal, otherwise a line every few seconds. */
export function showProgress(span: Span): Progress {
  return process.stderr.isTTY ? showBar(span) : showLines(span);
}

/** Prints a line to stderr. On a terminal, it replaces the progress bar, which is drawn again below it. */
export function showLine(text: string, color?: Parameters<typeof colored>[0]): void {
  const line = color ? colored(color, printable(text), "stderr") : printable(text);
  // A bar that ends returns to the position that was saved last.
  process.stderr.write(process.stderr.isTTY ? `\r\x1b[J${line}\n\x1b7` : `${line}\n`);
}

/**
 * Returns a progress bar on stderr. Ctrl-C is handled by the command.
 * @param clearOnComplete whether it leaves no line at its end
 */
export function newBar(format: string, clearOnComplete = false): SingleBar {
  return new SingleBar({
    stream: process.stderr,
    format: `{bar} ${format}`,
    barsize: 24,
    hideCursor: true,
    gracefulExit: false,
    clearOnComplete,
  });
}

export const noProgress: Progress = { update() {}, stop() {} };

function showBar(span: Span): Progress {
  const progressBar = newBar("step {step}  {psnr}  {speed}  {left}");
  progressBar.start(span.until, span.from, { step: "", psnr: "", speed: "", left: "starting" });
  return {
    update: (snapshot) => progressBar.update(Math.min(snapshot[span.unit], span.until), describe(snapshot, span)),
    stop: () => progressBar.stop(),
  };
}

function showLines(span: Span): Progress {
  let lastLineAt = Number.NEGATIVE_INFINITY;
  return {
    update(snapshot) {
      const now = performance.now();
      const isLast = snapshot[span.unit] >= span.until;
      if (now - lastLineAt < lineInterval && !isLast) return;
      lastLineAt = now;
      const { step, psnr, speed, left } = describe(snapshot, span);
      process.stderr.write(`${[`step ${step}`, psnr, speed, ...(left ? [left] : [])].join(", ")}\n`);
    },
    stop() {},
  };
}

function describe(snapshot: Snapshot, { unit, until }: Span) {
  const { step, seconds, psnr, stepsPerSecond } = snapshot;
  const left = Math.max(0, until - snapshot[unit]) / (unit === "step" ? stepsPerSecond : 1);
  return {
    step: unit === "step" ? `${step}/${until}` : String(step),
    psnr: `training PSNR ${psnrText(psnr)}`,
    speed: `${stepsPerSecond >= 100 ? stepsPerSecond.toFixed(0) : stepsPerSecond.toPrecision(3)} steps/s`,
    left: left > 0 && seconds < minimumSpeedSeconds ? "" : `${duration(left)} left`,
  };
}
