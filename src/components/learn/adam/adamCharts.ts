import * as Plot from "@observablehq/plot";
import { standsFor } from "../marks.js";
import type { AdamDesk, AdamInput } from "./adamDesk.js";
import { flatParts } from "./decoded.js";
import type { Replay } from "./replay.js";
import { ruleStyles } from "./ruleStyles.js";
import { isAdam, type Rule, rules } from "./rules.js";
import { logScale, symmetricScale, type TraceChart, type TraceLine, type Traces, traceChart } from "./traceChart.js";

interface Replayed {
  input: AdamInput;
  all: Record<Rule, Replay>;
}

const slopes = "↑ loss per raw unit";

/** What is shown of the replays, from the gradient to the parameter: title, height, what stands for it in the code. */
const charts: [title: string, height: number, thing: string, draw: (desk: AdamDesk, given: Replayed) => Traces][] = [
  ["Gradient g", 140, "code:adam.gradient", (_, { input }) => gradientTraces(input)],
  ["Mean of the gradients: m̂, and m of momentum", 140, "code:adam.first", (_, { all }) => meanTraces(all)],
  ["Their size: √v̂", 140, "code:adam.second", (_, { all }) => sizeTraces(all)],
  ["Step", 170, "code:adam.step", (desk, { all }) => stepTraces(desk, all)],
  ["Raw parameter", 200, "code:adam.parameter", parameterTraces],
];

/**
 * The charts of a replayed parameter, over the same steps.
 * @param replayed what was made of the input, once there is one
 * @param go called with the step that the reader drags to
 */
export function adamCharts(
  desk: AdamDesk,
  replayed: () => Replayed | undefined,
  go: (step: number) => void,
): TraceChart[] {
  return charts.map(([title, height, thing, draw], at) => {
    const drawn = () => {
      const given = replayed();
      return given && { ...draw(desk, given), isLast: at === charts.length - 1 };
    };
    const chart = traceChart(title, height, drawn, go);
    standsFor(chart.node.querySelector("figcaption")!, thing);
    return chart;
  });
}

function lineOf(rule: Rule, values: ArrayLike<number>): TraceLine {
  return { name: rule, values, ...ruleStyles[rule] };
}

function valuesOf(lines: readonly TraceLine[]): number[] {
  return lines.flatMap(({ values }) => Array.from(values));
}

const zero = () => Plot.ruleY([0], { stroke: "var(--line)" });

function gradientTraces({ gradients }: AdamInput): Traces {
  const lines = [{ name: "g", values: gradients, stroke: "var(--theme-foreground)" }];
  return { lines, y: symmetricScale(valuesOf(lines), slopes), below: [zero()] };
}

function meanTraces(all: Replayed["all"]): Traces {
  const shown: Rule[] = ["constant", "exact", "momentum"];
  const lines = shown.map((rule) => lineOf(rule, all[rule].first));
  return { lines, y: symmetricScale(valuesOf(lines), slopes), below: [zero()] };
}

function sizeTraces(all: Replayed["all"]): Traces {
  const lines = rules.filter(isAdam).map((rule) => lineOf(rule, all[rule].second.map(Math.sqrt)));
  return { lines, y: logScale(valuesOf(lines), slopes) };
}

/** The scale is Adam's: the other two may take steps of any length. */
function stepTraces(desk: AdamDesk, all: Replayed["all"]): Traces {
  const adam = rules.filter(isAdam).flatMap((rule) => Array.from(all[rule].updates, Math.abs));
  const most = adam.reduce((a, b) => Math.max(a, b), 0) || desk.settings.rate;
  const rate = desk.rateAt("constant", 1);
  return {
    lines: rules.map((rule) => lineOf(rule, all[rule].updates)),
    y: { label: "↑ raw units", domain: [-1.15 * most, 1.15 * most], ticks: 5 },
    below: [zero(), Plot.ruleY([-rate, rate], { stroke: "var(--theme-foreground-faint)", strokeDasharray: "1 4" })],
  };
}

function parameterTraces(desk: AdamDesk, { input, all }: Replayed): Traces {
  const adam = [input.start, ...rules.filter(isAdam).flatMap((rule) => Array.from(all[rule].parameters))];
  const low = adam.reduce((a, b) => Math.min(a, b));
  const high = adam.reduce((a, b) => Math.max(a, b));
  const spare = 0.15 * (high - low) || 0.1;
  const domain: [number, number] = [low - spare, high + spare];
  const { run, field } = desk;
  const flat = input.isRecorded && run ? flatParts(run.config, run.image, field, domain) : [];
  return {
    lines: rules.map((rule) => lineOf(rule, all[rule].parameters)),
    y: { label: "↑ raw units", domain, ticks: 5 },
    below: flat.map(([from, to]) =>
      Plot.rect([{ from, to }], { y1: "from", y2: "to", fill: "var(--theme-foreground)", fillOpacity: 0.09 }),
    ),
  };
}
