import * as Plot from "@observablehq/plot";
import { html } from "htl";
import { accent, unitAtEnd } from "../components/figures/cardLook.js";
import { evenlySpacedIndices } from "../components/figures/evenlySpaced.js";
import { labelMarks } from "../components/figures/plot.js";
import { count, groupLabel } from "../components/page/format.js";
import { tickText } from "../components/page/numberText.js";
import { curveOf } from "../components/runs/curve.js";
import { nearLimit } from "../components/runs/listLimit.js";
import { clippedScale } from "../components/runs/logScale.js";
import { divergedAt, renderAt } from "../components/runs/ruleAt.js";
import { runLegend, runStyle } from "../components/runs/runStyle.js";
import type { MetricsRow } from "../engine/files/arrow.js";
import { decodedValues, modelOf } from "../engine/model/blob.js";
import { decodedNames, type ParameterGroup, parameterCount, parameterGroups } from "../engine/model/blobs.js";
import type { Report } from "./report.js";
import { psnrOf } from "./summary.js";

const groups = Object.keys(parameterGroups) as ParameterGroup[];
/** Values of a histogram, at even distances. */
const maxValues = 20_000;

/** Options of all charts. A chart is as wide as one of three cards in a row, and shrinks with its card. */
export const look = {
  width: 392,
  height: 220,
  marginLeft: 44,
  marginRight: 40,
  marginBottom: 24,
  marginTop: 20,
  style: { fontSize: "12px" },
};

/**
 * Returns a card with a chart.
 * @param note a line above the chart, such as its unit or its legend
 */
export function chartCard(title: string, note: Node | string, chart: Element): HTMLElement {
  return html`<div class="card chart"><h3>${title}</h3><div class="quiet">${note}</div>${labelMarks(chart)}</div>`;
}

/** Returns a card with the training PSNR of runs, with a dot for the PSNR of each final render. */
export function psnrCard(reports: readonly Report[]): HTMLElement {
  const runs = reports.map((report, i) => {
    const { step, result, alerts } = report.description;
    const diverged = alerts?.find(({ kind }) => kind === "diverged");
    return { points: pointsOf(report), diverged, end: { step, psnr: psnrOf(result) }, style: runStyle(i) };
  });
  const marks = runs.map(({ points, style, diverged, end }) => [
    Plot.lineY(points, { x: "step", y: "psnr", ...style, strokeWidth: 2, tip: true }),
    divergedAt(diverged, points, "step", "psnr") as Plot.Markish[],
    // Of several runs, a table has the results.
    runs.length === 1
      ? (renderAt(end, "step") as Plot.Markish[])
      : Plot.dot([end], { x: "step", y: "psnr", fill: style.stroke }),
  ]);
  const note =
    runs.length === 1 ? "Decibels. The dot is the final render." : runLegend(reports.map(({ name }) => name));
  return chartCard("Training PSNR", note, plot("Training PSNR", { nice: true, ticks: 5 }, marks));
}

/** Returns the rows of a run that charts show: those with a finite PSNR. */
function pointsOf({ description: { config }, rows }: Report): MetricsRow[] {
  return curveOf({ config, measured: rows }).points.filter(({ loss }) => loss > 0);
}

/** Returns a card with a run's gradient norms by parameter group. */
export function normsCard(report: Report): HTMLElement {
  const norms = pointsOf(report).flatMap(({ step, gradientNorms }) =>
    groups.map((group) => ({ step, group, norm: gradientNorms[group] })).filter(({ norm }) => norm > 0),
  );
  const color = { domain: groups.map(groupLabel), range: groups.map((group) => `var(--group-${group})`) };
  const { label, ...scale } = clippedScale(
    norms.map(({ norm }) => norm),
    "",
  );
  const stroke = ({ group }: { group: string }) => `var(--group-${group})`;
  const lines = Plot.lineY(norms, { x: "step", y: "norm", z: "group", stroke, strokeWidth: 1.25 });
  const chart = plot("Gradient norms by parameter group", scale, lines);
  return chartCard("Gradient norms", Plot.legend({ color }) as Element, chart);
}

/** Returns a card with the lengths of a run's tile lists: their mean, and the longest as a faint line. */
export function listsCard(report: Report): HTMLElement {
  const points = pointsOf(report);
  const limits = nearLimit([{ config: report.description.config, points }]);
  const measures = [
    { name: "longest", of: ({ tileLists }: MetricsRow) => tileLists.longest, strokeOpacity: 0.55 },
    { name: "mean", of: ({ tileLists }: MetricsRow) => tileLists.mean, strokeOpacity: 1 },
  ];
  const chart = plot("Tile list lengths", { zero: true, nice: true, ticks: 4 }, [
    Plot.ruleY(limits, { stroke: "var(--overflow)", strokeWidth: 1.5 }),
    measures.map(({ name, of, strokeOpacity }) => [
      Plot.lineY(points, { x: "step", y: of, stroke: accent, strokeWidth: 2, strokeOpacity }),
      Plot.text(points.slice(-1), { x: "step", y: of, text: () => name, textAnchor: "end", dy: -10 }),
    ]),
  ]);
  const note = limits.length > 0 ? `The rule is GAUSSIANS_PER_BLOCK, ${count(limits[0])}.` : "Blobs per tile.";
  return chartCard("Tile lists", note, chart);
}

/** Returns cards with histograms of a run's blobs: their sizes, their opacities and their gradients. */
export function histogramCards({ description, parameters, gradients }: Report): HTMLElement[] {
  const { config, image } = description;
  const model = modelOf(config, image);
  const blobs = evenlySpacedIndices(parameters.length / parameterCount, maxValues);
  const decoded = Array.from(blobs, (blob) => decodedValues(parameters, blob, model));
  const column = (name: string) => decoded.map((values) => values[decodedNames.indexOf(name)]);
  const deviations = [...column("deviation_x_pixels"), ...column("deviation_y_pixels")];
  const slots = evenlySpacedIndices(gradients.values.length, maxValues);
  const magnitudes = Array.from(slots, (slot) => Math.abs(gradients.values[slot]));
  return [
    histogram("Standard deviations", "Horizontal and vertical, in pixels.", deviations, true),
    histogram("Opacities", "From 0 to 1.", column("opacity_decoded")),
    histogram("Gradients", "Magnitudes, by raw parameters.", magnitudes, true),
  ];
}

function histogram(title: string, note: string, values: readonly number[], isLog = false): HTMLElement {
  const shown = isLog ? values.filter((value) => value > 0).map(Math.log10) : values.filter(Number.isFinite);
  const tickFormat = isLog ? (power: number) => tickText(Number((10 ** power).toPrecision(1))) : "~g";
  const chart = Plot.plot({
    ...look,
    ariaLabel: `Histogram: ${title}`,
    x: { label: null, ticks: 5, tickFormat },
    y: { label: null, tickSize: 0, grid: true, ticks: 4, percent: true, tickFormat: (tick) => `${tick} %` },
    marks: [
      Plot.rectY(shown, { ...Plot.binX({ y: "proportion" }, { x: Plot.identity, thresholds: 40 }), fill: accent }),
      Plot.ruleY([0]),
    ],
  });
  return chartCard(title, note, chart);
}

/** Returns a chart against steps. */
function plot(label: string, y: Plot.ScaleOptions, ...marks: Plot.Markish[]) {
  const tickFormat = unitAtEnd("steps") as () => string;
  return Plot.plot({
    ...look,
    ariaLabel: `${label} against steps`,
    x: { label: null, zero: true, ticks: 3, tickFormat },
    y: { label: null, tickSize: 0, grid: true, ...y },
    marks,
  });
}
