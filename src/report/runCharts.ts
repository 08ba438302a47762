import * as Plot from "@observablehq/plot";
import { html } from "htl";
import type { ChartFrame } from "../components/figures/plainChart.js";
import { labelMarks } from "../components/figures/plot.js";
import { uniqueId } from "../components/page/element.js";
import { count, decibels, trainingPsnrText } from "../components/page/format.js";
import { countText } from "../components/page/numberText.js";
import { type Curve, curveOf } from "../components/runs/curve.js";
import { nearLimit } from "../components/runs/listLimit.js";
import { logAxis } from "../components/runs/logAxis.js";
import { clippedScale } from "../components/runs/logScale.js";
import { divergedAt, renderAt, ruleAt } from "../components/runs/ruleAt.js";
import { lineSwatch, runStyle } from "../components/runs/runStyle.js";
import type { MetricsRow } from "../engine/files/arrow.js";
import { type ParameterGroup, parameterGroups } from "../engine/model/blobs.js";
import type { Report } from "./report.js";
import { psnrOf } from "./summary.js";

/** The x axis of training curves. */
export type XAxis = "step" | "seconds";

/** A run's curve with the run's name. Its index determines its style. */
export type NamedCurve = Curve & {
  name: string;
  /** The step and seconds at which a recorded run ended, and the PSNR of its render. */
  end?: { step: number; seconds: number; psnr: number };
  /** Where a recorded run diverged. */
  diverged?: { step: number; sentence: string } | undefined;
};

const groups = Object.keys(parameterGroups) as ParameterGroup[];
const labels = {
  step: "training steps",
  seconds: "training time, seconds",
  psnr: "training PSNR, decibels",
  loss: "loss, squared RGB error per pixel",
  norm: "gradient norm, loss per raw unit",
  lists: "blobs in a tile list",
};

/** Returns radio buttons for the x axis of training curves; steps are selected first. */
export function xAxisSwitch(choose: (xAxis: XAxis) => void): HTMLElement {
  const name = uniqueId("against");
  const option = (value: XAxis, text: string) =>
    html`<label><input type="radio" name=${name} value=${value} checked=${value === "step"} onchange=${() => choose(value)}>${text}</label>`;
  return html`<fieldset class="switch"><legend>against</legend>${option("step", "steps")}${option("seconds", "seconds")}</fieldset>`;
}

/** Returns a legend of runs. */
export function runLegend(names: readonly string[]): HTMLElement {
  return html`<ul class="run-lines">${names.map((name, i) => html`<li>${lineSwatch(runStyle(i))}${name}</li>`)}</ul>`;
}

/** Returns whether a row has a finite PSNR, and so a loss that a logarithmic axis can show. */
const hasFinitePsnr = ({ loss }: MetricsRow) => loss > 0;

/** Returns the y scale of training PSNR or loss. */
function qualityScale(quantity: "psnr" | "loss", rows: readonly MetricsRow[]) {
  const label = labels[quantity];
  const losses = rows.map(({ loss }) => loss);
  return quantity === "loss" ? clippedScale(losses, label) : { label, nice: true, ticks: 5 };
}

/**
 * Returns a chart of training PSNR or loss with one line per run. A dot at its end has the PSNR of the final render.
 * @param at a row of metrics to mark with a rule
 */
export function runLines(
  runs: readonly NamedCurve[],
  quantity: "psnr" | "loss",
  xAxis: XAxis,
  frame: ChartFrame,
  at?: MetricsRow,
) {
  const shown = runs.map(({ points }) => points.filter(hasFinitePsnr));
  return plot(frame, xAxis, qualityScale(quantity, shown.flat()), [
    shown.map((points, i) => Plot.lineY(points, { x: xAxis, y: quantity, ...runStyle(i) })),
    shown.map((points, i) => divergedAt(runs[i].diverged, points, xAxis, quantity) as Plot.Markish[]),
    Plot.tip(
      shown.flatMap((points, i) => points.map((row) => ({ ...row, name: runs[i].name }))),
      Plot.pointer({ x: xAxis, y: quantity, title: tipOf }),
    ),
    ruleAt(at, xAxis, quantity, quantity === "psnr" ? decibels : undefined) as Plot.Markish[],
    at || quantity === "loss" ? null : runs.map(({ end }) => renderAt(end, xAxis) as Plot.Markish[]),
  ]);
}

/** Returns the curve of a recorded run. */
export function recordedCurve({ name, description, rows }: Report): NamedCurve {
  const { config, step, timings, result, alerts } = description;
  const diverged = alerts?.find(({ kind }) => kind === "diverged");
  const end = { step, seconds: timings.seconds, psnr: psnrOf(result) };
  return { name, end, diverged, ...curveOf({ config, measured: rows }) };
}

function tipOf({ name, step, seconds, loss, psnr }: MetricsRow & { name: string }): string {
  const time = `step ${count(step)}, ${Number(seconds.toPrecision(3))} s`;
  return [name, time, trainingPsnrText(psnr), `loss ${loss.toPrecision(3)}`].join("\n");
}

/** Returns a chart of a run's gradient norms by parameter group. */
export function gradientLines({ points }: Curve, xAxis: XAxis, frame: ChartFrame, at?: MetricsRow) {
  const rows = groups.map((group) =>
    points.map((row) => ({ at: row[xAxis], norm: row.gradientNorms[group] })).filter(({ norm }) => norm > 0),
  );
  const color = { legend: true, domain: groups, range: groups.map((group) => `var(--group-${group})`) };
  const norms = rows.flat().map(({ norm }) => norm);
  const y = clippedScale(norms, labels.norm);
  const lines = groups.map((group, i) =>
    Plot.lineY(rows[i], { x: "at", y: "norm", stroke: () => group, strokeWidth: 1.75 }),
  );
  return plot(frame, xAxis, y, [lines, ruleAt(at, xAxis) as Plot.Markish[]], { color });
}

/** Returns a chart of tile list lengths: their mean, and the longest as a faint line. */
export function listLines(run: Curve, xAxis: XAxis, frame: ChartFrame) {
  const measures = [
    { name: "longest", of: ({ tileLists }: MetricsRow) => tileLists.longest, strokeOpacity: 0.55 },
    { name: "mean", of: ({ tileLists }: MetricsRow) => tileLists.mean, strokeOpacity: 1 },
  ];
  const limits = nearLimit([run]);
  const text = { text: (limit: number) => `GAUSSIANS_PER_BLOCK ${limit}`, frameAnchor: "left", dx: 6, dy: 9 } as const;
  const marks = [
    Plot.ruleY(limits, { stroke: "var(--overflow)", strokeWidth: 1.5 }),
    Plot.text(limits, { y: (limit: number) => limit, ...text, fill: "var(--overflow)", fontWeight: 600 }),
    measures.map(({ name, of, strokeOpacity }) => [
      Plot.lineY(run.points, { x: xAxis, y: of, ...runStyle(0), strokeOpacity }),
      Plot.text(run.points.slice(-1), { x: xAxis, y: of, text: () => name, textAnchor: "start", dx: 6 }),
    ]),
  ];
  return plot(frame, xAxis, { label: labels.lists, zero: true, nice: true }, marks, { marginRight: 60 });
}

/** Returns a chart against steps or seconds. */
function plot(
  frame: ChartFrame,
  xAxis: XAxis,
  y: Plot.ScaleOptions & { label: string; ticks?: number | number[] },
  marks: Plot.Markish,
  plotOptions: Plot.PlotOptions = {},
) {
  return labelMarks(
    Plot.plot({
      ...frame,
      marginLeft: 52,
      marginTop: 26,
      marginBottom: 42,
      style: { fontSize: "12px" },
      ariaLabel: `${y.label} against ${labels[xAxis]}`,
      x: { label: labels[xAxis], nice: true, zero: true, ticks: 5, tickFormat: countText },
      y: { grid: true, ...y },
      ...plotOptions,
      marks: [Array.isArray(y.ticks) ? logAxis("y", y.ticks) : null, marks],
    }),
  );
}
