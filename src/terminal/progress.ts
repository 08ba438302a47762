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

/** Milliseconds between two bars on a terminal, and between two lines elsewhere. */
const [barInterval, lineInterval] = [100, 3000];

/** Characters of a bar. */
const barLength = 24;

/** Seconds of training before the remaining time is estimated. */
const minimumSpeedSeconds = 1;

/** The end of a run, in steps or in seconds of training. */
export interface Span {
  unit: "step" | "seconds";
  until: number;
}

/** What clears the last row of a terminal. */
const clearRow = "\r\x1b[J";

/** The bar in the last row of a terminal, below all lines. */
let bar = "";

/** Prints a line to stderr; on a terminal, above the bar. */
export function showLine(text: string, color?: Parameters<typeof colored>[0]): void {
  const line = color ? colored(color, printable(text), "stderr") : printable(text);
  process.stderr.write(process.stderr.isTTY ? `${clearRow}${line}\n${bar}` : `${line}\n`);
}

/**
 * Shows a bar and a text in the last row of a terminal.
 * @param done fraction of the work that is done
 */
export function showBar(done: number, text: string): void {
  const filled = Math.round(barLength * Math.min(done, 1));
  const row = `${"█".repeat(filled)}${"░".repeat(barLength - filled)} ${text}`;
  bar = row.slice(0, process.stderr.columns - 1);
  process.stderr.write(clearRow + bar);
}

/** Ends the bar, and leaves it on the terminal or clears it. */
export function endBar(leaves: boolean): void {
  if (bar) process.stderr.write(leaves ? "\n" : clearRow);
  bar = "";
}

export const noProgress: Progress = { update() {}, stop() {} };

/** Reports progress on stderr: a bar on a terminal, otherwise a line every few seconds. */
export function showProgress(span: Span): Progress {
  const { isTTY } = process.stderr;
  let shownAt = Number.NEGATIVE_INFINITY;
  return {
    update(snapshot) {
      const now = performance.now();
      const done = snapshot[span.unit] / span.until;
      if (now - shownAt < (isTTY ? barInterval : lineInterval) && done < 1) return;
      shownAt = now;
      const texts = describe(snapshot, span);
      if (isTTY) showBar(done, texts.join("  "));
      else process.stderr.write(`${texts.join(", ")}\n`);
    },
    stop: () => endBar(true),
  };
}

function describe(snapshot: Snapshot, { unit, until }: Span): string[] {
  const { step, seconds, psnr, stepsPerSecond } = snapshot;
  const left = Math.max(0, until - snapshot[unit]) / (unit === "step" ? stepsPerSecond : 1);
  return [
    `step ${step}${unit === "step" ? `/${until}` : ""}`,
    `training PSNR ${psnrText(psnr)}`,
    `${stepsPerSecond >= 100 ? stepsPerSecond.toFixed(0) : stepsPerSecond.toPrecision(3)} steps/s`,
    ...(left > 0 && seconds < minimumSpeedSeconds ? [] : [`${duration(left)} left`]),
  ];
}
