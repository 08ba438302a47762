import { fieldNames } from "../../engine/fields.js";
import type { AxisRow, AxisValue } from "../figures/axes.js";
import { count, rate, secondsCount } from "../page/format.js";
import { withMinus } from "../page/numberText.js";
import type { ComparedRun } from "./comparedRun.js";

/** A run as a row: its name in the column `run`, then its settings and its results. */
export type RunRow = { readonly run: string } & AxisRow;

/** A number of a run, and its text. */
export interface Result {
  fact: "psnr" | "loss" | "seconds" | "stepsPerSecond" | "steps" | "bytes";
  text(value: number): string;
}

const trainedSteps = "steps trained";

/** The results of a run, by the name of their column. */
export const results: Record<string, Result> = {
  "PSNR, dB": { fact: "psnr", text: (psnr) => (Number.isFinite(psnr) ? psnr.toFixed(2) : "∞") },
  loss: { fact: "loss", text: (loss) => loss.toPrecision(3) },
  seconds: { fact: "seconds", text: secondsCount },
  "steps/s": { fact: "stepsPerSecond", text: rate },
  [trainedSteps]: { fact: "steps", text: count },
};

const rows = new WeakMap<ComparedRun, RunRow>();

/** Returns the row of a run, the same object each time, so that inputs can hold rows. */
export function rowOf(run: ComparedRun): RunRow {
  const row = rows.get(run) ?? makeRow(run);
  rows.set(run, row);
  return row;
}

function makeRow(run: ComparedRun): RunRow {
  const settings = fieldNames.map((name): [string, AxisValue] => {
    const value = run.config[name];
    return [name, Array.isArray(value) ? value.join(" × ") : value];
  });
  const values = Object.entries(results).map(([name, { fact }]): [string, AxisValue] => [name, run.facts[fact]]);
  return {
    // The reader may rename it.
    get run() {
      return run.name;
    },
    image: run.facts.image,
    ...Object.fromEntries([...settings, ...values]),
  };
}

/** Returns the names of the settings, the image among them, by whether the rows differ in them. */
export function settingsOf(rows: readonly RunRow[]): { differing: string[]; common: string[] } {
  const isDiffering = (name: string) => rows.some((row) => row[name] !== rows[0][name]);
  const names = ["image", ...fieldNames];
  return { differing: names.filter(isDiffering), common: names.filter((name) => !isDiffering(name)) };
}

/** Returns the names of the results that some row has; the trained steps are one if a run has others than its setting. */
export function resultsOf(rows: readonly RunRow[]): string[] {
  return Object.keys(results).filter((name) =>
    rows.some((row) => row[name] !== undefined && (name !== trainedSteps || row[name] !== row.steps)),
  );
}

/** Returns the text of a setting or a result. */
export function valueText(name: string, value: AxisValue): string {
  if (value === undefined) return name === "image" ? "unknown" : "–";
  if (typeof value === "string") return value;
  return results[name]?.text(value) ?? withMinus(String(Number(value.toPrecision(6))));
}
