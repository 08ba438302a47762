import * as Inputs from "../inputs/inputs.js";
import { element } from "../page/element.js";

/** data/bench/story.json: the versions of the pipeline, and what was tried within them. */
export interface Story {
  adapter: string;
  date: string;
  job: string;
  /** Of all times. */
  unit: string;
  /** What is new, what that should have given, and what it gave: one number, or the least and the most. */
  versions: { name: string; idea: string; predicted?: number[]; measured: number[]; lesson?: string }[];
  trials: { idea: string; stage: string; before?: string; with: string; kept: boolean }[];
}

/** What was tried on the way. */
export function trialTable({ trials, unit }: Pick<Story, "trials" | "unit">): HTMLElement {
  return Inputs.table(trials, {
    columns: ["idea", "stage", "before", "with", "kept"],
    header: { idea: "tried", stage: "kernel", before: `before, ${unit}`, with: `with it, ${unit}`, kept: "" },
    format: {
      idea: (words: string) => element("div", { class: "table-words" }, words),
      kept: (kept: boolean) => (kept ? "kept" : "rejected"),
    },
    align: { before: "right", with: "right" },
    select: false,
    layout: "auto",
    rows: Number.POSITIVE_INFINITY,
  });
}
