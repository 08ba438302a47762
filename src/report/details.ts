import { html } from "htl";
import { bytesText, count, counted, decibels, percent, rate, secondsCount, time } from "../components/page/format.js";
import { changedFields, completeConfig, type TrainConfig } from "../engine/config.js";
import { duration } from "../engine/duration.js";
import type { RunDescription } from "../engine/files/runDescription.js";
import { dateOf, psnrOf } from "./summary.js";

type Fact = [name: string, value: Node | string];

function factList(className: string, facts: readonly Fact[]): HTMLElement {
  return html`<dl class=${className}>${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

/** Returns a card with all settings of a run. Those that differ from its preset are bold, with the preset's value. */
export function settingsCard(config: TrainConfig): HTMLElement {
  const presetConfig = completeConfig({ preset: config.preset });
  const changed = changedFields(config, presetConfig);
  const facts = (Object.keys(config) as (keyof TrainConfig)[]).map((field): Fact => {
    const value = valueText(config[field]);
    if (!(field in changed)) return [field, value];
    return [field, html`<b>${value}</b> instead of ${valueText(presetConfig[field])}`];
  });
  return html`<div class="card grid-colspan-2">
    <h3>Settings</h3>
    <p>Bold values differ from the preset ${config.preset}.</p>
    ${factList("facts settings", facts)}
  </div>`;
}

/** Returns the value of a setting as text. */
export function valueText(value: TrainConfig[keyof TrainConfig]): string {
  if (Array.isArray(value)) return value.join(" × ");
  if (typeof value === "string") return value;
  return Number.isInteger(value) ? count(value) : String(Number(value.toPrecision(6)));
}

/** Returns a card with the machine, versions, timings and results of a run. */
export function resultCard(description: RunDescription): HTMLElement {
  const { adapter, fallback, host, versions, timings, recordEvery, result, goal, attempts, alerts } = description;
  const { file } = result;
  const training = `${counted(description.step, "step")} in ${secondsCount(timings.seconds)} s, ${rate(timings.stepsPerSecond)} steps/s`;
  const every = `every ${recordEvery === 1 ? "step" : `${count(recordEvery)} steps`}`;
  const facts: (Fact | undefined)[] = [
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
    ["training", training],
    timings.stageTimes && ["kernels", stagesText(timings.stageTimes)],
    ["metrics", recordEvery === 0 ? "at the steps that were shown" : every],
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
  ];
  return html`<div class="card"><h3>Result and machine</h3>${factList(
    "facts",
    facts.filter((fact) => fact !== undefined),
  )}</div>`;
}

function goalText({ kind, value }: NonNullable<RunDescription["goal"]>): string {
  if (kind === "psnr") return `a PSNR of ${value} dB`;
  return kind === "seconds" ? `${duration(value)} of training` : `${value} bits per pixel`;
}

function stagesText(stageTimes: Record<string, number>): string {
  const stages = Object.entries(stageTimes).sort(([, a], [, b]) => b - a);
  const all = stages.reduce((sum, [, milliseconds]) => sum + milliseconds, 0);
  const texts = stages.map(([stage, each]) => `${stage} ${time(each)} (${percent(each / all)})`);
  return `${texts.join(", ")}; together ${time(all)} per step`;
}
