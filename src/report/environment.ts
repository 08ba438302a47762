import { html } from "htl";
import { bytesText, count, counted, decibels, percent, rate, secondsCount, time } from "../components/page/format.js";
import { duration } from "../engine/duration.js";
import type { RunDescription } from "../engine/files/runDescription.js";
import { factList, factTable } from "./facts.js";
import { dateOf, psnrOf } from "./summary.js";

/** Returns the machine, versions, timings and results of a run. */
export function environment(description: RunDescription): HTMLElement {
  const { adapter, fallback, host, versions, timings, recordEvery, result, goal, attempts, regions, alerts } =
    description;
  const { file } = result;
  const facts: ([string, string] | undefined)[] = [
    ["adapter", adapter],
    fallback === undefined ? undefined : ["why no GPU", fallback],
    ["host", host],
    [
      "versions",
      Object.entries(versions)
        .map((entry) => entry.join(" "))
        .join(", "),
    ],
    ["recorded", dateOf(description)],
    [
      "training",
      `${stepsText(description)} in ${secondsCount(timings.seconds)} s, ${rate(timings.stepsPerSecond)} steps/s`,
    ],
    [
      "metrics",
      recordEvery === 0
        ? "at the steps that were shown"
        : `every ${recordEvery === 1 ? "step" : `${count(recordEvery)} steps`}`,
    ],
    regions && ["regions", regionsText(regions)],
    ["result", `${decibels(psnrOf(result))}, loss ${result.loss.toPrecision(4)}`],
    file && [
      "blobs.splat2d",
      `${bytesText(file.bytes)}, ${file.bitsPerPixel.toPrecision(3)} bits per pixel, ${decibels(file.psnr)}`,
    ],
    goal && ["goal", `${goalText(goal)}, ${goal.reached ? "reached" : "not reached"}`],
    attempts && [
      "attempts",
      attempts.map(({ blobs, psnr }) => `${counted(blobs, "blob")}: ${decibels(psnr)}`).join(", "),
    ],
    alerts && ["alerts", alerts.map(({ sentence }) => sentence).join(" ")],
  ];
  const list = factList(facts.filter((fact) => fact !== undefined));
  return html`<div>${list}${timings.stageTimes && stageTable(timings.stageTimes)}</div>`;
}

/** Returns the number of steps as text. A run in regions takes them for each region, and more for the seams. */
export function stepsText({ step, regions, timings }: Pick<RunDescription, "step" | "regions" | "timings">): string {
  if (!regions) return counted(step, "step");
  const all = Math.round(timings.stepsPerSecond * timings.seconds);
  const tasks = regions.windows > 0 ? "regions and seams" : "regions";
  // Before the end, there is no step of the whole run.
  if (step === 0) return `${counted(all, "step")} for the ${tasks} that are done,`;
  return `${counted(step, "step")} per region, ${count(all)} for all ${tasks},`;
}

function regionsText({ list, side, seams }: NonNullable<RunDescription["regions"]>): string {
  const all = `${counted(list.length, "region")} of at most ${count(side)} pixels per side`;
  if (!seams) return all;
  return `${all}; the squared error within 8 pixels of a seam is ${(seams.near / seams.elsewhere).toFixed(2)} times that elsewhere`;
}

function goalText({ kind, value }: NonNullable<RunDescription["goal"]>): string {
  if (kind === "psnr") return `a PSNR of ${value} dB`;
  return kind === "seconds" ? `${duration(value)} of training` : `${value} bits per pixel`;
}

function stageTable(times: Record<string, number>): HTMLElement {
  const all = Object.values(times).reduce((sum, milliseconds) => sum + milliseconds, 0);
  const rows = Object.entries(times).map(([stage, each]) => [stage, time(each), percent(each / all)]);
  return factTable(["kernel", "time per step", "fraction"], [...rows, ["total", time(all), "100 %"]]);
}
