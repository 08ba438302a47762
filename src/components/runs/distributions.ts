import * as Plot from "@observablehq/plot";
import { html } from "htl";
import type { ParameterGroup } from "../../engine/model/blobs.js";
import { plainChart } from "../figures/plainChart.js";
import { labelMarks } from "../figures/plot.js";
import { linkAll, thingName } from "../figures/pointing.js";
import { percent } from "../page/format.js";
import { histogram, quantileRange } from "./histogram.js";
import { logAxis } from "./logAxis.js";
import { clippedDomain, logTicks } from "./logScale.js";
import { type LineStyle, runStyle } from "./runStyle.js";
import { groups, type Sample } from "./samples.js";

interface Axis {
  title: string;
  label: string;
  isLog?: boolean;
  /** By default the range of the values. */
  domain?: [number, number];
}

const parameterAxes: Record<ParameterGroup, Axis> = {
  center: { title: "Centres", label: "fraction of the image's width or height", domain: [0, 1] },
  variance: { title: "Standard deviations", label: "standard deviation, pixels", isLog: true },
  correlation: { title: "Correlations", label: "correlation", domain: [-1, 1] },
  color: { title: "Colours", label: "red, green and blue" },
  opacity: { title: "Opacities", label: "opacity", domain: [0, 1] },
};

const height = 190;
const bins = 48;
/** Maximum ticks of a logarithmic axis. */
const maxTicks = 6;
/** Fraction of the values that an axis without a fixed domain may omit. */
const omittedFraction = 0.005;

/**
 * Returns histograms of decoded parameters, one chart per group, with a line per run.
 * @param styles the lines' styles, in the order of the samples
 */
export function parameterDistributions(samples: readonly Sample[], styles?: readonly LineStyle[]): HTMLElement {
  return distributions("Parameter distributions", samples, (group) => parameterAxes[group], styles);
}

/** Returns histograms of the magnitudes of gradients. */
export function gradientDistributions(samples: readonly Sample[], styles?: readonly LineStyle[]): HTMLElement {
  const label = "|gradient|, loss per raw unit";
  const axisOf = (group: ParameterGroup) => ({ title: parameterAxes[group].title, label, isLog: true });
  return distributions("Gradient distributions", samples, axisOf, styles);
}

function distributions(
  name: string,
  samples: readonly Sample[],
  axisOf: (group: ParameterGroup) => Axis,
  styles: readonly LineStyle[] = samples.map((_, i) => runStyle(i)),
): HTMLElement {
  const charts = groups.map((group) => distribution(axisOf(group), group, samples, styles));
  return html`<div class="distributions" role="group" aria-label=${name}>${charts}</div>`;
}

function distribution(
  { title, label, isLog = false, domain: fixed }: Axis,
  group: ParameterGroup,
  samples: readonly Sample[],
  styles: readonly LineStyle[],
): HTMLElement {
  const values = samples.map((sample) => sample.values[group]);
  const positive = isLog ? values.map((some) => some.filter((value) => value > 0)) : values;
  const domain = fixed ?? widenDomain(quantileRange(positive, omittedFraction), isLog);
  const histograms = domain ? values.map((some) => histogram(some, domain, bins, isLog)) : [];
  const draw = (frame: { width: number; height: number }) => {
    // A logarithmic axis has no place for zeros.
    if (!domain) return html`<p class="empty-chart">All values are 0.</p>`;
    const ticks = isLog ? ticksOf(domain) : 5;
    const chart = labelMarks(
      Plot.plot({
        ...frame,
        marginLeft: 44,
        marginTop: 22,
        marginBottom: 40,
        style: { fontSize: "12px" },
        ariaLabel: `${title}: histogram of ${label}`,
        x: { type: isLog ? "log" : "linear", domain, label, ticks },
        y: { label: "fraction of the values", percent: true, grid: true, ticks: 4, tickFormat: (tick) => `${tick} %` },
        marks: [
          Array.isArray(ticks) ? logAxis("x", ticks) : null,
          Plot.ruleY([0]),
          histograms.map(({ bins }, i) => [
            histograms.length === 1
              ? Plot.rectY(bins, { x1: "low", x2: "high", y: "fraction", fill: "var(--run-1)", insetLeft: 0.5 })
              : Plot.lineY(outline(bins), { x: "at", y: "fraction", ...styles[i] }),
          ]),
        ],
      }),
    );
    return linkAll(chart, ".run", (i) => [thingName("run", samples[i].name)]);
  };
  return plainChart(title, height, draw, omittedSentence(histograms.map(({ below, above }) => [below, above])));
}

function outline(bins: { low: number; high: number; fraction: number }[]): { at: number; fraction: number }[] {
  return bins.flatMap(({ low, high, fraction }) => [
    { at: low, fraction },
    { at: high, fraction },
  ]);
}

/** Returns a domain of nonzero length; undefined if there is no range. */
function widenDomain(range: [number, number] | undefined, isLog: boolean): [number, number] | undefined {
  if (!range) return undefined;
  const [low, high] = range;
  if (isLog) return low === high ? [low / 2, high * 2] : clippedDomain([low, high]).domain;
  return low === high ? [low - 0.5, high + 0.5] : [low, high];
}

/** Returns at most `maxTicks` ticks: powers of ten, or more if there is only one. */
function ticksOf([low, high]: [number, number]): number[] {
  const all = logTicks(low, high);
  const powers = all.filter((tick) => Math.abs(Math.log10(tick) % 1) < 1e-9);
  const ticks = all.length > maxTicks && powers.length > 1 ? powers : all;
  return ticks.filter((_, i) => i % Math.ceil(ticks.length / maxTicks) === 0);
}

/** Returns a sentence on the omitted values, if they are 1 % or more. */
function omittedSentence(fractions: [number, number][]): string | undefined {
  const largest = Math.max(0, ...fractions.map(([below, above]) => below + above));
  if (largest < 0.01) return undefined;
  return `${fractions.length > 1 ? "Up to " : ""}${percent(largest)} of the values are 0 or outside the axis.`;
}
