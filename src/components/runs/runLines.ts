import * as Plot from "@observablehq/plot";
import type { MetricsRow } from "../../engine/arrow.js";
import { count, decibels } from "../format.js";
import type { ChartFrame } from "../liveChart.js";

/** What training is shown against. */
export type Against = "step" | "seconds";

export const againstLabels: Record<Against, string> = {
  step: "training steps",
  seconds: "training time, seconds",
};

/** What a line shows of each row. */
export type Quantity = "loss" | "psnr";

/** How a run's line looks. */
export interface LineStyle {
  stroke: string;
  /** Pixels. */
  strokeWidth: number;
  strokeDasharray?: string;
  strokeOpacity?: number;
}

/** A run as a line, with a dot at its end if it is the one to look at. */
export interface RunLine extends LineStyle {
  name: string;
  points: readonly MetricsRow[];
  hasDot?: boolean;
}

/**
 * A line a run, the last one on top; undefined while there is nothing to draw.
 * @param tips whether the nearest point is told under the pointer
 */
export function runLines(
  lines: readonly RunLine[],
  quantity: Quantity,
  against: Against,
  frame: ChartFrame,
  tips = false,
): (SVGSVGElement | HTMLElement) | undefined {
  // What has no place on the axis: an error of nothing on a logarithmic one, and infinite decibels.
  const isShown = (row: MetricsRow) => Number.isFinite(row[quantity]) && (quantity === "psnr" || row.loss > 0);
  const shown = lines.map((line) => ({ ...line, points: line.points.filter(isShown) }));
  const all = shown.flatMap(({ points }) => points);
  if (all.length < 2) return undefined;
  const yOptions = quantity === "loss" ? lossAxis(all) : { nice: true, label: "↑ PSNR, decibels", ticks: 5 };
  const channels = { x: against, y: quantity };
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
      domain: [0, roundedUp(all.reduce((most, row) => Math.max(most, row[against]), 0))],
      ticks: 5,
      tickFormat: count,
    },
    y: { grid: true, ...yOptions },
    marks: [
      shown.map(({ name, points, hasDot, ...style }) => Plot.lineY(points, { ...channels, ...style })),
      shown
        .filter(({ hasDot }) => hasDot)
        .map(({ points, stroke }) => Plot.dot(points.slice(-1), { ...channels, fill: stroke, r: 3.5 })),
      tips
        ? Plot.tip(
            shown.flatMap(({ name, points }) => points.map((row) => ({ ...row, name }))),
            Plot.pointer({ ...channels, title: tipOf }),
          )
        : null,
    ],
  });
}

function tipOf({ name, step, seconds, loss, psnr }: MetricsRow & { name: string }): string {
  const time = `step ${count(step)}, ${Number(seconds.toPrecision(3))} s`;
  return [name, time, decibels(psnr), `loss ${loss.toPrecision(3)}`].filter(Boolean).join("\n");
}

function lossAxis(rows: MetricsRow[]): Plot.ScaleOptions {
  const low = rows.reduce((least, { loss }) => Math.min(least, loss), Number.POSITIVE_INFINITY);
  const high = rows.reduce((most, { loss }) => Math.max(most, loss), 0);
  return {
    type: "log",
    label: "↑ loss, squared error per pixel",
    ticks: logTicks(low / 1.1, high * 1.1),
    tickFormat: logTickText,
  };
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
