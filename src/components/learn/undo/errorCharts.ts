import { html } from "htl";
import { median } from "../../../engine/medians.js";
import { facts } from "../../figures/figure.js";
import * as Plot from "../../figures/plot.js";
import { scrollBox } from "../../figures/scrollBox.js";
import { count, percent } from "../../page/format.js";
import { numberText, tickText } from "../../page/numberText.js";
import { histogram } from "../../runs/histogram.js";
import { indexOfLargest } from "../largest.js";
import { rounding, type UndoError } from "./undoErrorModel.js";

interface ErrorSeries {
  key: keyof UndoError;
  name: string;
  color: string;
  dash?: string;
}

const undone = { name: "undone, against cached", color: "var(--run-1)" };
const forward = { name: "forward, against float64", color: "var(--run-2)", dash: "5 3" };

/** Returns histograms of the errors over the pixels, and a chart of the error by number of undone blobs. */
export function errorCharts(errors: readonly UndoError[], width: number): HTMLElement {
  const isWide = width > 700;
  const chartWidth = isWide ? (width - 32) / 2 : 0.92 * width;
  const transmittanceChart = errorHistogram(errors, chartWidth, "|error of T|", [
    { ...undone, key: "transmittance" },
    { ...forward, key: "forwardTransmittance" },
  ]);
  const color = errorHistogram(errors, chartWidth, "|error of C|, the largest of r, g, b", [
    { ...undone, key: "color" },
    { ...forward, key: "forwardColor" },
  ]);
  const gradientLabel = "|undone − cached| ÷ |cached|";
  const gradient = errorHistogram(errors, chartWidth, gradientLabel, [{ ...undone, key: "gradient" }]);
  const panel = (title: string, chart: Element) => html`<div><strong>${title}</strong>${chart}</div>`;
  const panels = [
    panel("Transmittance: error of T", transmittanceChart),
    panel("Colour: error of C", color),
    panel("Error by number of undone blobs", growthChart(errors, chartWidth)),
    panel("Gradient: relative error", gradient),
  ];
  if (isWide) return html`<div class="learn-columns">${panels}</div>`;
  return scrollBox("Charts of the rounding error", html`<div class="chart-strip">${panels}</div>`);
}

const legend = { frameAnchor: "top-left" as const, fontWeight: 600 };
const dotted = { stroke: "currentColor", strokeOpacity: 0.5, strokeDasharray: "2 3" };

function errorHistogram(errors: readonly UndoError[], width: number, label: string, series: ErrorSeries[]): Element {
  const ticks = [1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4];
  return Plot.plot({
    width,
    height: 210,
    marginLeft: 44,
    marginTop: 22 + 16 * series.length,
    marginBottom: 40,
    ariaLabel: `${label}: histogram over ${errors.length} pixels`,
    x: {
      type: "log",
      domain: [1e-9, 1e-4],
      label: `${label} →`,
      ticks,
      tickFormat: tickText,
    },
    y: { label: "↑ fraction of pixels", percent: true, grid: true, ticks: 4, tickFormat: (share) => `${share} %` },
    marks: [
      Plot.ruleX([rounding], dotted),
      Plot.ruleY([0]),
      series.map(({ key, name, color, dash }, at) => {
        const values = errors.map((error) => error[key]);
        const { bins } = histogram(values, [1e-9, 1e-4], 40, true);
        const outline = bins.flatMap(({ low, high, fraction: share }) => [low, high].map((x) => ({ x, share })));
        const zeroText = percent(values.filter((value) => value === 0).length / values.length);
        const text = `${dash ? "- -" : "—"} ${name}; 0 at ${zeroText}`;
        return [
          Plot.lineY(outline, { x: "x", y: "share", stroke: color, strokeWidth: 2, strokeDasharray: dash }),
          Plot.text([text], { ...legend, dy: -16 * (series.length - at) - 2, fill: color }),
        ];
      }),
    ],
  });
}

/** Returns a chart of the mean and the largest relative error of T by number of undone blobs. */
function growthChart(errors: readonly UndoError[], width: number): Element {
  const points = errors
    .filter(({ blobs }) => blobs > 0)
    .map(({ blobs, relative }) => ({ blobs, roundings: relative / rounding }));
  const end = Math.max(1, ...points.map(({ blobs }) => blobs));
  const top = 1.15 * Math.max(1e-9, ...points.map(({ roundings }) => roundings));
  const channels = { x: "blobs", y: "roundings" };
  const legendEntries = [
    { text: "— mean", fill: "var(--run-1)", dx: 0 },
    { text: "○ largest", fill: "var(--run-2)", dx: 60 },
    { text: "··· 2 per blob", fill: "currentColor", dx: 130 },
  ];
  return Plot.plot({
    width,
    height: 226,
    marginLeft: 44,
    marginTop: 38,
    marginBottom: 40,
    ariaLabel: "Mean and largest error of T, in roundings, by the number of undone blobs",
    x: { label: "blobs undone, with α > 0 →", domain: [0, end], ticks: 6 },
    y: { label: "↑ error of T, in roundings of T (2⁻²⁴)", domain: [0, top], ticks: 5, grid: true },
    marks: [
      Plot.line([0, end], { x: (blobs) => blobs, y: (blobs) => 2 * blobs, ...dotted, clip: true }),
      Plot.line(
        points,
        Plot.groupX({ y: "mean" }, { ...channels, stroke: "var(--run-1)", strokeWidth: 2, sort: "blobs" }),
      ),
      Plot.dot(points, Plot.groupX({ y: "max" }, { ...channels, stroke: "var(--run-2)", r: 3 })),
      legendEntries.map(({ text, ...options }) => Plot.text([text], { ...legend, dy: -16, ...options })),
    ],
  });
}

/** Returns the pixel with the largest relative error of T. */
export function worstPixel(errors: readonly UndoError[]): UndoError {
  return errors[indexOfLargest(errors.map(({ relative }) => relative))];
}

/** Returns a summary of the errors. */
export function errorFacts(errors: readonly UndoError[]): HTMLElement {
  const worst = worstPixel(errors);
  const sum = (key: keyof UndoError) => errors.reduce((sum, error) => sum + error[key], 0);
  const valuesOf = (key: keyof UndoError) => errors.map((error) => error[key]);
  const largest = (key: keyof UndoError) => numberText(Math.max(...valuesOf(key)), 3);
  const roundings = (share: number) => `${(share / rounding).toFixed(1)} roundings`;
  const [blobs, others] = [sum("blobs"), sum("otherAlphas")];
  return facts({
    "pixels with every T exact": percent(errors.filter(({ relative }) => relative === 0).length / errors.length),
    "T, median pixel": roundings(median(valuesOf("relative"))),
    "T, worst pixel": `${roundings(worst.relative)}, at ${worst.x}, ${worst.y}`,
    "C, worst pixel": largest("color"),
    "gradient, median | worst": `${numberText(median(valuesOf("gradient")), 3)} | ${largest("gradient")}`,
    "α that differ in the backward pass": `${count(others)} of ${count(blobs)}${others > 0 ? `, ${percent(others / blobs)}` : ""}`,
  });
}
