import { html } from "htl";
import { figure } from "../../figures/figure.js";
import * as Plot from "../../figures/plot.js";
import { count, counted } from "../../page/format.js";
import { numberText, powerOfTen, tickText } from "../../page/numberText.js";
import { type CeilingErrors, type CeilingJob, ceilingErrors, largestErrors, stackCount } from "./ceilingModel.js";

/** Limits of α to choose from, by name. */
export const ceilings = new Map([
  ...[0.9, 0.99, 0.999, 0.9999].map((value) => [String(value), value] as const),
  ["1 − 10⁻⁵", 1 - 1e-5],
  ["1 − 10⁻⁶", 1 - 1e-6],
  ["1, no limit", 1],
]);
const errorLabels = {
  apart: "α off by one rounding in the backward pass",
  forward: "forward pass, against float64",
  same: "the same α in both passes",
};

/** Returns a figure of the error of undoing random stacks, by the largest α in them. */
export function ceilingFigure(job: CeilingJob, width: number): HTMLElement {
  const errors = ceilingErrors(job);
  const failedStacks = errors.filter(({ same }) => !Number.isFinite(same)).length;
  const { same, apart, forward } = largestErrors(errors);
  const [name] = [...ceilings].find(([, value]) => value === job.ceiling) ?? [String(job.ceiling)];
  const stacksText = `${stackCount} stacks of ${counted(job.blobs, "blob")}`;
  const summary =
    failedStacks > 0
      ? `With a largest α of ${name}, ${count(failedStacks)} of ${stacksText} cannot be undone: 1 − α or T is 0, and 0 ÷ 0 is not a number.`
      : `With a largest α of ${name}, the worst of ${stacksText}: ${numberText(same, 3)} with the same α, ${numberText(apart, 3)} with one that is off by a rounding; T of the forward pass itself differs by ${numberText(forward, 3)} from float64.`;
  return figure(
    {
      title: "Error of undoing by the largest α",
      alt: "The error of undoing against the largest α: level where α is the same in both passes, and growing as 1/(1 − α) where it differs in its last bit.",
      note: "Each stack has random blobs. One of them has the largest α. Raise the limit, and remove the stop at T < 1/255.",
    },
    html`<p class="verdict" role="status">${summary}</p>`,
    ceilingChart(job, Math.min(width, 672)),
  );
}

function ceilingChart(job: CeilingJob, width: number): Element {
  const points = [...ceilings.values()]
    .filter((value) => value < 1)
    .flatMap((value) => {
      const worst = largestErrors(ceilingErrors({ ...job, ceiling: value }));
      return Object.entries(errorLabels).map(([key, way]) => ({
        value,
        way,
        error: worst[key as keyof CeilingErrors],
      }));
    });
  return Plot.plot({
    width,
    height: 230,
    marginLeft: 54,
    marginBottom: 40,
    ariaLabel: "Largest error of T by 1/(1 − α) of the largest α, in three cases",
    color: {
      domain: Object.values(errorLabels),
      range: ["var(--run-2)", "var(--run-3)", "var(--run-1)"],
      legend: true,
    },
    x: {
      type: "log",
      domain: [8, 1.3e6],
      label: "1/(1 − largest α) →",
      ticks: [10, 100, 1e3, 1e4, 1e5, 1e6],
      tickFormat: (value: number) => powerOfTen(Math.round(Math.log10(value))),
    },
    y: {
      type: "log",
      domain: [1e-8, 1],
      label: "↑ relative error of T",
      ticks: [1e-8, 1e-6, 1e-4, 1e-2, 1],
      tickFormat: tickText,
      grid: true,
    },
    marks: [
      Plot.ruleX(job.ceiling < 1 ? [1 / (1 - job.ceiling)] : [], { strokeOpacity: 0.25, strokeWidth: 6 }),
      Plot.line(points, {
        x: ({ value }) => 1 / (1 - value),
        y: ({ error }) => Math.max(error, 1e-8),
        stroke: "way",
        strokeWidth: 2,
        marker: true,
        clip: true,
      }),
    ],
  });
}
