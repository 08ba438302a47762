import * as Plot from "@observablehq/plot";
import { element } from "../../element.js";
import { figure } from "../../figures/figure.js";
import { count, counted } from "../../format.js";
import { numberText, powerOfTen, tickText } from "../numberText.js";
import { type CeilingErrors, type CeilingJob, ceilingErrors, stacks } from "./ceilingModel.js";

/** The largest α, to choose from, by name. */
export const ceilings = new Map([
  ...[0.9, 0.99, 0.999, 0.9999].map((value) => [String(value), value] as const),
  ["1 − 10⁻⁵", 1 - 1e-5],
  ["1 − 10⁻⁶", 1 - 1e-6],
  ["1, no ceiling", 1],
]);
const lines = [
  { key: "apart", name: "α one rounding apart on the way back", color: "var(--run-2)", dash: undefined },
  { key: "forward", name: "the way forward, against float64", color: "var(--run-3)", dash: "6 4" },
  { key: "same", name: "the same α both ways", color: "var(--run-1)", dash: undefined },
] as const;

/** What the ceiling of α is for: the error of undoing made-up stacks, by the largest α in them. */
export function ceilingFigure(job: CeilingJob, width: number): HTMLElement {
  const errors = ceilingErrors(job);
  const lost = errors.filter(({ same }) => !Number.isFinite(same)).length;
  const { same, apart, forward } = worstOf(errors);
  const [name] = [...ceilings].find(([, value]) => value === job.ceiling) ?? [String(job.ceiling)];
  const stacked = `${stacks} stacks of ${counted(job.blobs, "blob")}`;
  const words =
    lost > 0
      ? `With a largest α of ${name}: ${count(lost)} of ${stacked} have no way back, since 1 − α is 0 or T has become 0, and 0 ÷ 0 is no number.`
      : `With a largest α of ${name}, the worst of ${stacked}: ${numberText(same, 3)} with the same α, ${numberText(apart, 3)} with one that is a rounding apart; the way forward is ${numberText(forward, 3)} from float64.`;
  return figure(
    {
      title: "What the ceiling of α is for",
      alt: "The error of undoing against the largest α: level where α is the same both ways, and growing as 1/(1 − α) where it differs in its last bit.",
      note: "Each stack has random blobs and one of the largest α. Raise the ceiling, and take the stop at T < 1/255 away.",
    },
    element("p", { class: "verdict", role: "status" }, words),
    ceilingChart(job, Math.min(width, 672)),
  );
}

function ceilingChart(job: CeilingJob, width: number): Element {
  const points = [...ceilings.values()]
    .filter((value) => value < 1)
    .map((value) => ({ x: 1 / (1 - value), ...worstOf(ceilingErrors({ ...job, ceiling: value })) }));
  return Plot.plot({
    width,
    height: 260,
    marginLeft: 54,
    marginTop: 24 + 16 * lines.length,
    marginBottom: 40,
    ariaLabel: "The worst error of T against 1/(1 − α) of the largest α, in three ways",
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
      label: "↑ error of T, as a share of T",
      ticks: [1e-8, 1e-6, 1e-4, 1e-2, 1],
      tickFormat: (value: number) => (value === 1 ? "1" : tickText(value)),
      grid: true,
    },
    marks: [
      Plot.ruleX(job.ceiling < 1 ? [1 / (1 - job.ceiling)] : [], {
        stroke: "var(--current)",
        strokeOpacity: 0.35,
        strokeWidth: 6,
      }),
      lines.map(({ key, name, color, dash }, at) => {
        const channels = { x: "x", y: (d: CeilingErrors) => Math.max(d[key], 1e-8), clip: true };
        return [
          Plot.line(points, { ...channels, stroke: color, strokeWidth: 2, strokeDasharray: dash }),
          Plot.dot(points, { ...channels, fill: color, r: 3 }),
          Plot.text([`${dash ? "- -" : "—"} ${name}`], {
            frameAnchor: "top-left",
            dy: -16 * (lines.length - at) - 2,
            fill: color,
            fontWeight: 600,
          }),
        ];
      }),
    ],
  });
}

/** The largest of each; those that are no numbers are told apart. */
function worstOf(errors: CeilingErrors[]): CeilingErrors {
  const most = (key: keyof CeilingErrors) => Math.max(0, ...errors.map((error) => error[key]).filter(Number.isFinite));
  return { same: most("same"), apart: most("apart"), forward: most("forward") };
}
