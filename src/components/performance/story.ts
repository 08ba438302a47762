import * as Plot from "@observablehq/plot";
import { element } from "../element.js";
import { count } from "../format.js";
import { plainChart } from "../plainChart.js";
import { logTicks } from "../runs/runLines.js";

/** A version of the pipeline: what is new in it, what that should have given, and what it gave. */
export interface Version {
  name: string;
  idea: string;
  /** One number, or the least and the most. */
  predicted?: number[];
  measured: number[];
  /** Why it came out so. */
  lesson?: string;
}

/** Something tried within a version. */
export interface Trial {
  idea: string;
  /** The kernel that it is about. */
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

/** Each version's prediction and measurement, one below the other. */
export function storyChart({ versions, unit, adapter, date, job }: Story): HTMLElement {
  const points = versions.flatMap(({ name, predicted, measured }) => [
    ...(predicted ? [{ name, kind: "predicted", range: predicted }] : []),
    { name, kind: "measured", range: measured },
  ]);
  const times = points.flatMap(({ range }) => range);
  const domain = [Math.min(...times) / 1.7, Math.max(...times) * 1.7];
  const isInside = (tick: number) => domain[0] <= tick && tick <= domain[1];
  type Point = (typeof points)[number];
  const low = ({ range }: Point) => Math.min(...range);
  const high = ({ range }: Point) => Math.max(...range);
  const text = (point: Point) =>
    `${point.kind === "predicted" ? "predicted " : ""}${[...new Set([low(point), high(point)])].map(count).join(" – ")}`;
  return plainChart(
    "A step, version by version",
    54 * versions.length + 56,
    (frame) =>
      Plot.plot({
        ...frame,
        marginLeft: 158,
        marginRight: 24,
        marginTop: 6,
        marginBottom: 42,
        style: { fontSize: "12px" },
        ariaLabel: `Predicted and measured time of a step in ${unit}, by version`,
        x: {
          type: "log",
          label: `${unit} a step →`,
          domain,
          grid: true,
          ticks: frame.width < 480 ? [100, 1000, 10000].filter(isInside) : logTicks(domain[0], domain[1]),
          tickFormat: count,
        },
        y: { type: "band", domain: versions.map(({ name }) => name), label: null, tickSize: 0, padding: 0.35 },
        marks: [
          Plot.ruleY(points, { x1: low, x2: high, y: "name", stroke: "var(--current)", strokeWidth: 3 }),
          ...[low, high].map((x) =>
            Plot.dot(points, {
              x,
              y: "name",
              r: 5,
              stroke: "var(--current)",
              strokeWidth: 2,
              fill: ({ kind }: Point) => (kind === "measured" ? "var(--current)" : "var(--theme-background)"),
            }),
          ),
          ...["measured", "predicted"].map((kind) =>
            Plot.text(
              points.filter((point) => point.kind === kind),
              { x: high, y: "name", text, dy: kind === "measured" ? -14 : 15 },
            ),
          ),
        ],
      }),
    `Filled: measured; open: predicted before it was written. ${adapter}, ${date}; ${job}.`,
  );
}

/** The versions in words. */
export function storyList({ versions }: Story): HTMLElement {
  return element(
    "dl",
    { class: "story" },
    ...versions.flatMap(({ name, idea, lesson }) => [
      element("dt", {}, name),
      element("dd", {}, idea, lesson !== undefined && element("span", { class: "lesson" }, ` ${lesson}`)),
    ]),
  );
}

/** What was tried on the way. */
export function trialTable({ trials, unit }: Story): HTMLElement {
  const heads = ["tried", "kernel", `before, ${unit}`, `with it, ${unit}`, ""];
  const rows = trials.map(({ idea, stage, before, with: after, kept }) =>
    element(
      "tr",
      { class: kept ? "kept" : "rejected" },
      ...[idea, stage, before ?? "–", after, kept ? "kept" : "rejected"].map((text) => element("td", {}, text)),
    ),
  );
  return element(
    "div",
    { class: "wide" },
    element(
      "table",
      { class: "trials" },
      element("thead", {}, element("tr", {}, ...heads.map((head) => element("th", { scope: "col" }, head)))),
      element("tbody", {}, ...rows),
    ),
  );
}
