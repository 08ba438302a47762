import { html } from "htl";
import * as Inputs from "../../inputs/inputs.js";

/** data/bench/story.json: the versions of the pipeline, and changes of the sort that were tried. */
export interface Story {
  adapter: string;
  date: string;
  job: string;
  /** The unit of all times. */
  unit: string;
  /** The change, with its predicted and its measured time: one number, or the least and the greatest. */
  versions: { name: string; idea: string; predicted?: number[]; measured: number[] }[];
  /** Changes of the kernel sortLists, with its time before and after. */
  trials: { idea: string; before: string; with: string; kept: boolean }[];
}

/** Returns the table of changes that were tried. */
export function trialTable({ trials, unit }: Pick<Story, "trials" | "unit">): HTMLElement {
  return Inputs.table(trials, {
    columns: ["idea", "before", "with", "kept"],
    header: { idea: "change", before: `before, ${unit}`, with: `after, ${unit}`, kept: "" },
    format: {
      idea: (text: string) => html`<div class="table-words">${text}</div>`,
      kept: (kept: boolean) => (kept ? "kept" : "rejected"),
    },
    align: { before: "right", with: "right" },
    select: false,
    layout: "auto",
    rows: Number.POSITIVE_INFINITY,
  });
}
