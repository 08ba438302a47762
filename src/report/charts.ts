import * as Plot from "@observablehq/plot";
import { html } from "htl";
import { accent, unitAtEnd } from "../components/figures/cardLook.js";
import { labelMarks } from "../components/figures/plot.js";
import { count, groupLabel, trainingPsnrText } from "../components/page/format.js";
import { tickText } from "../components/page/numberText.js";
import { curveOf } from "../components/runs/curve.js";
import { nearLimit } from "../components/runs/listLimit.js";
import { clippedScale } from "../components/runs/logScale.js";
import { divergedAt, renderAt } from "../components/runs/ruleAt.js";
import { lineSwatch, runStyle } from "../components/runs/runStyle.js";
import { evenlySpacedIndices } from "../engine/evenlySpaced.js";
import type { MetricsRow } from "../engine/files/arrow.js";
import { decodedValues, modelOf } from "../engine/model/blob.js";
import { decodedNames, type ParameterGroup, parameterCount, parameterGroups } from "../engine/model/blobs.js";
import type { Report } from "./report.js";
import { psnrOf } from "./summary.js";

const groups = Object.keys(parameterGroups) as ParameterGroup[];
const height = 220;
/** Values of a histogram, at even distances. */
const maxValues = 20_000;

/** A card with a chart. `refresh` draws it again, by default as wide as the card. */
type ChartCard = HTMLElement & { refresh(width?: number): void };

/**
 * Returns a card with a chart, which is drawn again when the width of the card changes.
 * @param note a line above the chart, such as its unit or its legend
 * @param draw returns the chart for a width in pixels
 */
export function chartCard(
  title: string,
  note: Node | string,
  draw: (width: number) => Element | undefined,
  chartHeight = height,
): ChartCard {
  const frame = html`<div class="chart-frame" style=${`--height: ${chartHeight}px`}></div>`;
  let drawnWidth = 0;
  const refresh = (width = frame.clientWidth) => {
    drawnWidth = width;
    const chart = width > 0 && draw(width);
    frame.replaceChildren(chart ? labelMarks(chart) : "");
  };
  // Reading the width here instead would force a layout after each chart.
  new ResizeObserver(([{ contentRect }]) => {
    const width = Math.round(contentRect.width);
    if (width !== drawnWidth) refresh(width);
  }).observe(frame);
  return Object.assign(
    html`<div class="card chart"><h3>${title}</h3><div class="card-note">${note}</div>${frame}</div>`,
    { refresh },
  );
}

/**
 * Redraws the charts below an element for print, at the width in their --paper-width. Text of charts that are scaled down
 * from a wide screen would be too small.
 */
export function fitPaper(root: HTMLElement): void {
  const redraw = (widthOf: (chart: ChartCard) => number | undefined) => () => {
    for (const chart of root.querySelectorAll<ChartCard>(".card.chart")) chart.refresh(widthOf(chart));
  };
  const paperWidth = (chart: ChartCard) =>
    Number(getComputedStyle(chart).getPropertyValue("--paper-width")) || undefined;
  addEventListener("beforeprint", redraw(paperWidth));
  const onScreen = redraw(() => undefined);
  addEventListener("afterprint", onScreen);
}

/** Returns a card with the training PSNR of runs, with a dot for the PSNR of each final render. */
export function psnrCard(reports: readonly Report[]): ChartCard {
  const runs = reports.map(({ name, description, rows }, i) => {
    const { config, step, result, alerts } = description;
    const points = pointsOf({ description, rows }).map((row) => ({ ...row, name }));
    const diverged = alerts?.find(({ kind }) => kind === "diverged");
    return { points, diverged, end: { step, psnr: psnrOf(result) }, style: runStyle(i), config };
  });
  const draw = (width: number) =>
    plot("Training PSNR", width, { nice: true, ticks: 5 }, [
      runs.map(({ points, style, diverged, end }) => [
        Plot.lineY(points, { x: "step", y: "psnr", ...style, strokeWidth: 2 }),
        divergedAt(diverged, points, "step", "psnr") as Plot.Markish[],
        // Of several runs, a table has the results.
        runs.length === 1
          ? (renderAt(end, "step") as Plot.Markish[])
          : Plot.dot([end], { x: "step", y: "psnr", fill: style.stroke }),
      ]),
      Plot.tip(
        runs.flatMap(({ points }) => points),
        Plot.pointer({ x: "step", y: "psnr", title: tipOf }),
      ),
    ]);
  if (runs.length === 1) return chartCard("Training PSNR", "Decibels. The dot is the final render.", draw);
  const legend = html`<ul class="run-lines">${runs.map(({ style }, i) => html`<li>${lineSwatch(style)}${reports[i].name}</li>`)}</ul>`;
  return chartCard("Training PSNR", legend, draw);
}

function tipOf({ name, step, seconds, loss, psnr }: MetricsRow & { name: string }): string {
  const time = `step ${count(step)}, ${Number(seconds.toPrecision(3))} s`;
  return [name, time, trainingPsnrText(psnr), `loss ${loss.toPrecision(3)}`].join("\n");
}

/** Returns the rows of a run that charts show: those with a finite PSNR. */
function pointsOf({ description: { config }, rows }: Pick<Report, "description" | "rows">): MetricsRow[] {
  return curveOf({ config, measured: rows }).points.filter(({ loss }) => loss > 0);
}

/** Returns a card with a run's gradient norms by parameter group. */
export function normsCard(report: Report): ChartCard {
  const norms = pointsOf(report).flatMap(({ step, gradientNorms }) =>
    groups.map((group) => ({ step, group, norm: gradientNorms[group] })).filter(({ norm }) => norm > 0),
  );
  const color = { domain: groups.map(groupLabel), range: groups.map((group) => `var(--group-${group})`) };
  const { label, ...scale } = clippedScale(
    norms.map(({ norm }) => norm),
    "",
  );
  const draw = (width: number) =>
    plot("Gradient norms by parameter group", width, scale, [
      Plot.lineY(norms, {
        x: "step",
        y: "norm",
        z: "group",
        stroke: ({ group }) => `var(--group-${group})`,
        strokeWidth: 1.25,
      }),
    ]);
  return chartCard("Gradient norms", Plot.legend({ color }) as Element, draw);
}

/** Returns a card with the lengths of a run's tile lists: their mean, and the longest as a faint line. */
export function listsCard(report: Report): ChartCard {
  const points = pointsOf(report);
  const limits = nearLimit([{ config: report.description.config, points }]);
  const measures = [
    { name: "longest", of: ({ tileLists }: MetricsRow) => tileLists.longest, strokeOpacity: 0.55 },
    { name: "mean", of: ({ tileLists }: MetricsRow) => tileLists.mean, strokeOpacity: 1 },
  ];
  const draw = (width: number) =>
    plot("Tile list lengths", width, { zero: true, nice: true, ticks: 4 }, [
      Plot.ruleY(limits, { stroke: "var(--overflow)", strokeWidth: 1.5 }),
      measures.map(({ name, of, strokeOpacity }) => [
        Plot.lineY(points, { x: "step", y: of, stroke: accent, strokeWidth: 2, strokeOpacity }),
        Plot.text(points.slice(-1), { x: "step", y: of, text: () => name, textAnchor: "end", dy: -10 }),
      ]),
    ]);
  const note = limits.length > 0 ? `The rule is GAUSSIANS_PER_BLOCK, ${count(limits[0])}.` : "Blobs per tile.";
  return chartCard("Tile lists", note, draw);
}

/** Returns cards with histograms of a run's blobs: their sizes, their opacities and their gradients. */
export function histogramCards({ description, parameters, gradients }: Report): ChartCard[] {
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

function histogram(title: string, note: string, values: readonly number[], isLog = false): ChartCard {
  const shown = isLog ? values.filter((value) => value > 0).map(Math.log10) : values.filter(Number.isFinite);
  const tickFormat = isLog ? (power: number) => tickText(Number((10 ** power).toPrecision(1))) : "~g";
  const draw = (width: number) =>
    Plot.plot({
      ...look,
      width,
      ariaLabel: `Histogram: ${title}`,
      x: { label: null, ticks: width < 300 ? 2 : 5, tickFormat },
      y: { label: null, tickSize: 0, grid: true, ticks: 4, percent: true, tickFormat: (tick) => `${tick} %` },
      marks: [
        Plot.rectY(shown, { ...Plot.binX({ y: "proportion" }, { x: Plot.identity, thresholds: 40 }), fill: accent }),
        Plot.ruleY([0]),
      ],
    });
  return chartCard(title, note, draw);
}

const look = { height, marginLeft: 44, marginRight: 40, marginBottom: 24, marginTop: 20, style: { fontSize: "12px" } };

/** Returns a chart against steps. */
function plot(label: string, width: number, y: Plot.ScaleOptions, marks: Plot.Markish) {
  return Plot.plot({
    ...look,
    width,
    ariaLabel: `${label} against steps`,
    x: {
      label: null,
      zero: true,
      ...(width < 300 ? { ticks: 2, tickFormat: "~s" } : { ticks: 3, tickFormat: unitAtEnd("steps") as () => string }),
    },
    y: { label: null, tickSize: 0, grid: true, ...y },
    marks: [marks],
  });
}
