import { html } from "htl";
import { bytesText, count, counted, decibels, percent, rate, secondsCount, time } from "../components/page/format.js";
import { duration } from "../engine/duration.js";
import type { RunDescription } from "../engine/files/runDescription.js";
import { factList, factTable } from "./facts.js";
import { dateOf, psnrOf } from "./summary.js";

/** Returns the machine, versions, timings and results of a run. */
export function environment(description: RunDescription): HTMLElement {
  const { adapter, fallback, host, versions, timings, recordEvery, result, goal, attempts, alerts } = description;
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
      `${counted(description.step, "step")} in ${secondsCount(timings.seconds)} s, ${rate(timings.stepsPerSecond)} steps/s`,
    ],
    [
      "metrics",
      recordEvery === 0
        ? "at the steps that were shown"
        : `every ${recordEvery === 1 ? "step" : `${count(recordEvery)} steps`}`,
    ],
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

function goalText({ kind, value }: NonNullable<RunDescription["goal"]>): string {
  if (kind === "psnr") return `a PSNR of ${value} dB`;
  return kind === "seconds" ? `${duration(value)} of training` : `${value} bits per pixel`;
}

function stageTable(times: Record<string, number>): HTMLElement {
  const all = Object.values(times).reduce((sum, milliseconds) => sum + milliseconds, 0);
  const rows = Object.entries(times).map(([stage, each]) => [stage, time(each), percent(each / all)]);
  return factTable(["kernel", "time per step", "fraction"], [...rows, ["total", time(all), "100 %"]]);
}
