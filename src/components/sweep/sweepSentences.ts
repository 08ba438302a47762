import { html } from "htl";
import { changedFields, completeConfig } from "../../engine/config.js";
import type { Snapshot } from "../../engine/training/snapshot.js";
import type { BrowserEngine } from "../../host/browser/engine.js";
import type { ChosenImage } from "../../host/browser/images.js";
import { facts } from "../figures/figure.js";
import { count, decibels, rate } from "../page/format.js";
import type { SweepRow } from "./sweepTraining.js";

/** Returns which engine trains, in sentences. */
export function engineSentence({ kind, description, fallbackReason }: BrowserEngine): string {
  if (kind === "gpu") return `The runs train on your GPU: ${description}.`;
  const reason = kind === "cpu" ? fallbackReason : `The only adapter here is a software adapter (${description}).`;
  return `${reason} The runs train on the CPU, and are small by default.`;
}

/** Returns a run's result, in sentences. */
export function runSentence(run: SweepRow, live: (Snapshot & { run: number }) | null): string {
  const { status, sentence, psnr, loss, seconds, stepsPerSecond, step } = run;
  if (live?.run === run.run) return `Step ${count(live.step)} of ${count(run.config!.steps)}.`;
  if (status === "missing") return "Not trained yet.";
  if (sentence) return `${status === "refused" ? "It cannot be trained" : "It failed"}: ${sentence}`;
  const end = status === "stopped" ? `Stopped after ${count(step)} steps` : `${count(step)} steps`;
  return `${end} in ${Number(seconds.toPrecision(3))} s, ${rate(stepsPerSecond)} steps/s. PSNR ${decibels(psnr)}, loss ${Number(loss.toPrecision(3))}.`;
}

/** Returns a run's settings, with a link that opens them in the lab. */
export function runSettings({ config }: SweepRow, href: string | undefined, { inGallery }: ChosenImage): HTMLElement {
  // An address cannot contain the reader's own image.
  const text = inGallery ? "Open this run in the lab" : "Open these settings in the lab";
  const fieldValues = config
    ? changedFields(config, { ...completeConfig({ preset: config.preset }), preset: "" as never })
    : {};
  const texts = Object.entries(fieldValues).map(([field, value]) => [
    field,
    Array.isArray(value) ? value.join(" × ") : String(value),
  ]);
  return html`<div>
    <p class="detail-link">${config && html`<a href=${href}>${text}</a>`}</p>
    ${facts(Object.fromEntries(texts))}
  </div>`;
}
