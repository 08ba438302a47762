import { SingleBar } from "cli-progress";
import { duration } from "../engine/duration.js";
import type { Snapshot } from "../engine/trainer.js";

/** Tells of a run while it is under way. */
export interface Progress {
  update(snapshot: Snapshot): void;
  /** Leaves the terminal as it was. */
  stop(): void;
}

/** Milliseconds between lines where there is no terminal. */
const lineInterval = 3000;

/** Progress on stderr: a bar on a terminal, otherwise a line every few seconds. */
export function showProgress(from: number, until: number): Progress {
  return process.stderr.isTTY ? bar(from, until) : lines(until);
}

export const silence: Progress = { update() {}, stop() {} };

function bar(from: number, until: number): Progress {
  const single = new SingleBar({
    stream: process.stderr,
    format: "{bar} step {value}/{total}  {psnr}  {speed}  {left}",
    barsize: 24,
    hideCursor: true,
    // Ctrl-C is the run's.
    gracefulExit: false,
  });
  single.start(until, from, { psnr: "", speed: "", left: "starting" });
  return {
    update: (snapshot) => single.update(snapshot.step, describe(snapshot, until)),
    stop: () => single.stop(),
  };
}

function lines(until: number): Progress {
  let toldAt = Number.NEGATIVE_INFINITY;
  return {
    update(snapshot) {
      const now = performance.now();
      if (now - toldAt < lineInterval && snapshot.step < until) return;
      toldAt = now;
      const { psnr, speed, left } = describe(snapshot, until);
      process.stderr.write(`step ${snapshot.step}/${until}, ${psnr}, ${speed}, ${left}\n`);
    },
    stop() {},
  };
}

function describe({ step, psnr, stepsPerSecond }: Snapshot, until: number) {
  return {
    psnr: `PSNR ${psnr.toFixed(2)} dB`,
    speed: `${stepsPerSecond >= 100 ? stepsPerSecond.toFixed(0) : stepsPerSecond.toPrecision(3)} steps/s`,
    left: `${duration((until - step) / stepsPerSecond)} left`,
  };
}
