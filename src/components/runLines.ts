import * as Plot from "@observablehq/plot";
import type { Snapshot } from "../engine/trainer.js";
import { type Curve, curveOf } from "./curve.js";
import { count } from "./format.js";
import type { Lab } from "./lab.js";
import type { ChartFrame } from "./liveChart.js";

/** What training is shown against. */
export type Against = "step" | "seconds";

export const againstLabels: Record<Against, string> = {
  step: "training steps",
  seconds: "training time, seconds",
};

/** Dashes of the earlier runs, the latest of them first. */
export const earlierDashes = ["7 3", "3 3", "1 3"];

/** The curves of the lab's runs: the present one, and the earlier ones, the latest first. */
export function curvesOf(lab: Lab): { current: Curve; earlier: Curve[] } | undefined {
  return lab.run && { current: curveOf(lab.run), earlier: lab.earlier.toReversed() };
}

/** A line a run: the present one bold, the earlier ones faint and dashed. */
export function runLines(
  lab: Lab,
  frame: ChartFrame,
  against: Against,
  y: keyof Snapshot,
  yOptions: Plot.ScaleOptions,
) {
  const curves = curvesOf(lab);
  if (!curves) return undefined;
  const { current, earlier } = curves;
  const all = [current, ...earlier].flatMap(({ points }) => points);
  if (all.length < 2) return undefined;
  const last = current.points.at(-1);
  return Plot.plot({
    ...frame,
    marginLeft: 48,
    marginBottom: 42,
    insetTop: 6,
    insetRight: 6,
    style: { fontSize: "12px" },
    ariaLabel: `${yOptions.label} against ${againstLabels[against]}`,
    x: {
      label: `${againstLabels[against]} →`,
      domain: [0, roundedUp(Math.max(...all.map((point) => point[against])))],
      ticks: 5,
      tickFormat: count,
    },
    y: { grid: true, ...yOptions },
    marks: [
      ...earlier.map(({ points }, i) =>
        Plot.lineY(points, {
          x: against,
          y,
          stroke: "var(--earlier)",
          strokeWidth: 1.5,
          strokeDasharray: earlierDashes[i],
        }),
      ),
      Plot.lineY(current.points, { x: against, y, stroke: "var(--current)", strokeWidth: 2.25 }),
      last && Plot.dot([last], { x: against, y, fill: "var(--current)", r: 3.5 }),
    ],
  });
}

/** Ticks for a logarithmic axis: powers of ten, and twice and five times these where there are few. */
export function logTicks(low: number, high: number): number[] {
  const first = Math.floor(Math.log10(low));
  const last = Math.ceil(Math.log10(high));
  const factors = last - first <= 3 ? [1, 2, 5] : [1];
  const powers = Array.from({ length: last - first + 1 }, (_, i) => 10 ** (first + i));
  return powers
    .flatMap((power) => factors.map((factor) => factor * power))
    .filter((tick) => tick >= low && tick <= high);
}

/** A number as people write it: 0.02, 10⁻⁵. */
export function logTickText(value: number): string {
  if (value >= 1e-3) return String(Number(value.toPrecision(6)));
  const exponent = Math.floor(Math.log10(value) + 1e-9);
  const factor = Number((value / 10 ** exponent).toPrecision(3));
  const raised = String(exponent).replace(/./g, (digit) => "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"["-0123456789".indexOf(digit)]);
  return `${factor === 1 ? "" : `${factor}·`}10${raised}`;
}

/** The next of 1, 2, 5, 10, 20 …: an axis that ends there moves seldom while its line grows. */
export function roundedUp(value: number): number {
  if (!(value > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return power * [1, 2, 5, 10].find((factor) => factor * power >= value * (1 - 1e-9))!;
}
