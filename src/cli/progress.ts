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

/** How far a run goes: to a step, or to its seconds; or something to be said before it. */
export type Course = { from: number; until: number } | { seconds: number } | { said: string };

/** Progress on stderr: a bar on a terminal, otherwise a line every few seconds. */
export function showProgress(course: Course): Progress {
  if ("said" in course) {
    process.stderr.write(`${course.said}\n`);
    return silence;
  }
  return process.stderr.isTTY ? bar(course) : lines(course);
}

export const silence: Progress = { update() {}, stop() {} };

type Run = Exclude<Course, { said: string }>;

function bar(course: Run): Progress {
  const total = "until" in course ? course.until : course.seconds;
  const single = new SingleBar({
    stream: process.stderr,
    format: "{bar} step {step}  {psnr}  {speed}  {left}",
    barsize: 24,
    hideCursor: true,
    // Ctrl-C is the run's.
    gracefulExit: false,
  });
  single.start(total, "from" in course ? course.from : 0, { step: "", psnr: "", speed: "", left: "starting" });
  return {
    update: (snapshot) =>
      single.update("until" in course ? snapshot.step : Math.min(snapshot.seconds, total), describe(snapshot, course)),
    stop: () => single.stop(),
  };
}

function lines(course: Run): Progress {
  let toldAt = Number.NEGATIVE_INFINITY;
  return {
    update(snapshot) {
      const now = performance.now();
      const isLast = "until" in course ? snapshot.step >= course.until : snapshot.seconds >= course.seconds;
      if (now - toldAt < lineInterval && !isLast) return;
      toldAt = now;
      const { step, psnr, speed, left } = describe(snapshot, course);
      process.stderr.write(`step ${step}, ${psnr}, ${speed}, ${left}\n`);
    },
    stop() {},
  };
}

function describe({ step, seconds, psnr, stepsPerSecond }: Snapshot, course: Run) {
  const left = "until" in course ? (course.until - step) / stepsPerSecond : Math.max(0, course.seconds - seconds);
  return {
    step: "until" in course ? `${step}/${course.until}` : String(step),
    psnr: `PSNR ${psnr.toFixed(2)} dB`,
    speed: `${stepsPerSecond >= 100 ? stepsPerSecond.toFixed(0) : stepsPerSecond.toPrecision(3)} steps/s`,
    left: `${duration(left)} left`,
  };
}
