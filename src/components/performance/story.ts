import * as Inputs from "observablehq:stdlib/inputs";
import { element } from "../page/element.js";

/** A version of the pipeline: what is new in it, what that should have given, and what it gave. */
export interface Version {
  name: string;
  idea: string;
  predicted?: number[];
  measured: number[];
  /** Why it came out so. */
  lesson?: string;
}

/** Something tried within a version. */
export interface Trial {
  idea: string;
  stage: string;
  before?: string;
  with: string;
  kept: boolean;
}

/** data/bench/story.json. */
export interface Story {
  adapter: string;
  date: string;
  job: string;
  /** Of all times. */
  unit: string;
  versions: Version[];
  trials: Trial[];
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
    select: false,
    layout: "auto",
    rows: Number.POSITIVE_INFINITY,
  });
}
