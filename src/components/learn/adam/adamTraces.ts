import * as Plot from "@observablehq/plot";
import type { Replay, ReplayInput } from "./replay.js";
import { isAdam, type Rule, ruleStyles, rules } from "./rules.js";
import { logScale, symmetricScale, type Trace, type TraceLine } from "./traceCharts.js";

/** The rules that are variants of Adam. */
export const adamRules = rules.filter(isAdam);

const gradientLabel = "loss per raw unit";

/**
 * Returns the charts of all rules for the same gradients, from the gradient to the parameter.
 * @param flatRanges returns the parts of a range of raw values in which the decoded value is constant
 */
export function adamTraces(
  { gradients, start, rateAt }: ReplayInput,
  replays: Record<Rule, Replay>,
  flatRanges: (range: [number, number]) => [number, number][] = () => [],
): Trace[] {
  const linesOf = (shownRules: Rule[], values: (replay: Replay) => ArrayLike<number>) =>
    shownRules.map((rule) => ({ values: values(replays[rule]), ...ruleStyles[rule] }));
  const gradientLines = [{ values: gradients, stroke: "var(--theme-foreground)" }];
  const means = linesOf(["constant", "exact", "momentum"], ({ first }) => first);
  const sizes = linesOf(adamRules, ({ second }) => second.map(Math.sqrt));
  // The scales of the last two charts fit Adam's steps; those of the other rules can be of any length.
  const longest = Math.max(...adamRules.flatMap((rule) => Array.from(replays[rule].updates, Math.abs)));
  const rate = rateAt("constant", 1);
  const limit = 1.15 * (longest || rate);
  const values = [start, ...adamRules.flatMap((rule) => Array.from(replays[rule].parameters))];
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const margin = 0.15 * (high - low) || 0.1;
  const domain: [number, number] = [low - margin, high + margin];
  const flatAreas = flatRanges(domain).map(([from, to]) => ({ from, to }));
  const zero = Plot.ruleY([0], { stroke: "var(--line)" });
  const etaLines = Plot.ruleY([-rate, rate], { stroke: "var(--theme-foreground-faint)", strokeDasharray: "1 4" });
  const flatMark = Plot.rect(flatAreas, { y1: "from", y2: "to", fill: "var(--theme-foreground)", fillOpacity: 0.09 });
  const etaScale = { label: "raw units", domain: [-limit, limit], ticks: 5 };
  const scale = { label: "raw units", domain, ticks: 5 };
  const steps = linesOf(rules, ({ updates }) => updates);
  const parameters = linesOf(rules, ({ parameters }) => parameters);
  const gradientTrace = (title: string, thing: string, lines: TraceLine[]) => {
    return { title, thing, lines, y: symmetricScale(lines, gradientLabel), below: [zero] };
  };
  const sizeTitle = "Root of the mean square: √v̂";
  const meanTitle = "Running mean: m̂, and m of momentum";
  const traces: Trace[] = [
    gradientTrace("Gradient g", "code:adam.gradient", gradientLines),
    gradientTrace(meanTitle, "code:adam.first", means),
    { title: sizeTitle, thing: "code:adam.second", lines: sizes, y: logScale(sizes, gradientLabel) },
    { title: "Step", thing: "code:adam.step", lines: steps, y: etaScale, below: [zero, etaLines], height: 96 },
    {
      title: "Raw parameter",
      thing: "code:adam.parameter",
      lines: parameters,
      y: scale,
      below: [flatMark],
      height: 120,
    },
  ];
  return traces.map((trace, at) => ({ ...trace, sharesAxis: at < traces.length - 1 }));
}
