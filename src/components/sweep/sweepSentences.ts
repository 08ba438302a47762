import { completeConfig } from "../../engine/config.js";
import type { Snapshot } from "../../engine/training/snapshot.js";
import type { BrowserEngine } from "../../host/browser/engine.js";
import type { ChosenImage } from "../../host/browser/pictures.js";
import { facts } from "../figures/figure.js";
import { element } from "../page/element.js";
import { count, decibels, rate } from "../page/format.js";
import { changedFields } from "../training/link.js";
import { measures } from "./sweepFields.js";
import type { SweepRow } from "./sweepTraining.js";

type Measure = keyof typeof measures;

/** What trains here, in sentences. */
export function engineSentence({ kind, description, fallbackReason: because }: BrowserEngine): string {
  if (kind === "gpu") return `The runs train on your GPU: ${description}.`;
  const reason = kind === "cpu" ? because : `The only adapter here is a software adapter (${description}).`;
  return `${reason} The runs train on the CPU, and are small by default.`;
}

/** A run's number in a chart, or the word for why it has none. */
export function cellText(run: SweepRow, measure: Measure): string {
  if (run.status !== "done") return run.status;
  return Number.isFinite(run[measure]) ? measures[measure].text(run[measure]) : "∞";
}

/** Black or white, whichever stands out from a run's colour of viridis, which is as far from both at 0.45 of its way. */
export function textColor({ type, domain: [low, high] }: { type?: "log"; domain: [number, number] }, measure: Measure) {
  const scale = type === "log" ? Math.log : Number;
  const middle = scale(low) + 0.45 * (scale(high) - scale(low));
  return (run: SweepRow) => {
    if (run.status !== "done" || !Number.isFinite(run[measure])) return "var(--theme-foreground-muted)";
    return low < high && scale(run[measure]) < middle ? "white" : "black";
  };
}

/** What came of a run, in sentences. */
export function runSentence(run: SweepRow, live: (Snapshot & { run: number }) | null): string {
  const { status, sentence, psnr, loss, seconds, stepsPerSecond, step } = run;
  if (live?.run === run.run) return `Step ${count(live.step)} of ${count(run.config!.steps)}.`;
  if (status === "missing") return "Not trained yet.";
  if (sentence) return `${status === "refused" ? "It cannot be trained" : "It failed"}: ${sentence}`;
  const end = status === "stopped" ? `Stopped after ${count(step)} steps` : `${count(step)} steps`;
  return `${end} in ${Number(seconds.toPrecision(3))} s, ${rate(stepsPerSecond)} steps/s. PSNR ${decibels(psnr)}, loss ${Number(loss.toPrecision(3))}.`;
}

/** A run's settings, and the way to them in the lab. */
export function runSettings({ config }: SweepRow, href: string | undefined, { inGallery }: ChosenImage): HTMLElement {
  // An address cannot tell a picture that is the reader's own.
  const text = inGallery ? "Open this run in the lab" : "Open these settings in the lab";
  const fieldValues = config
    ? changedFields(config, { ...completeConfig({ preset: config.preset }), preset: "" as never })
    : {};
  const texts = Object.entries(fieldValues).map(([field, value]) => [
    field,
    Array.isArray(value) ? value.join(" × ") : String(value),
  ]);
  const link = element("p", { class: "detail-link" }, config && element("a", { href }, text));
  return element("div", {}, link, facts(Object.fromEntries(texts)));
}
