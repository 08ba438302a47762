import * as Plot from "@observablehq/plot";
import type { AdamInput, Replay } from "./replay.js";
import { isAdam, type Rule, ruleStyles, rules } from "./rules.js";
import { logScale, symmetricScale, type Trace, type TraceLine, type TraceScale } from "./traceCharts.js";

/** Those of the rules that are Adam. */
export const adamRules = rules.filter(isAdam);

const slopes = "↑ loss per raw unit";

/**
 * What rules make of gradients, from the gradient to the parameter.
 * @param flat of a recorded parameter, its raw values at which the decoded one stands still, within a range
 */
export function adamTraces(
  { gradients, start, rateAt }: AdamInput,
  all: Record<Rule, Replay>,
  flat: (range: [number, number]) => [number, number][] = () => [],
): Trace[] {
  const linesOf = (shown: Rule[], values: (replay: Replay) => ArrayLike<number>) =>
    shown.map((rule) => ({ values: values(all[rule]), ...ruleStyles[rule] }));
  const g = [{ values: gradients, stroke: "var(--theme-foreground)" }];
  const means = linesOf(["constant", "exact", "momentum"], ({ first }) => first);
  const sizes = linesOf(adamRules, ({ second }) => second.map(Math.sqrt));
  // The scales of the last two are Adam's: the other two rules may take steps of any length.
  const longest = Math.max(...adamRules.flatMap((rule) => Array.from(all[rule].updates, Math.abs)));
  const rate = rateAt("constant", 1);
  const most = 1.15 * (longest || rate);
  const values = [start, ...adamRules.flatMap((rule) => Array.from(all[rule].parameters))];
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const spare = 0.15 * (high - low) || 0.1;
  const domain: [number, number] = [low - spare, high + spare];
  const still = flat(domain).map(([from, to]) => ({ from, to }));
  const zero = Plot.ruleY([0], { stroke: "var(--line)" });
  const etas = Plot.ruleY([-rate, rate], { stroke: "var(--theme-foreground-faint)", strokeDasharray: "1 4" });
  const grey = Plot.rect(still, { y1: "from", y2: "to", fill: "var(--theme-foreground)", fillOpacity: 0.09 });
  const etasScale = { label: "↑ raw units", domain: [-most, most], ticks: 5 };
  const scale = { label: "↑ raw units", domain, ticks: 5 };
  const trace = (title: string, thing: string, lines: TraceLine[], y: TraceScale, below: object[] = []) => {
    return { title, thing, lines, y, below };
  };
  const [steps, parameters] = [
    linesOf(rules, ({ updates }) => updates),
    linesOf(rules, ({ parameters }) => parameters),
  ];
  return [
    trace("Gradient g", "code:adam.gradient", g, symmetricScale(g, slopes), [zero]),
    trace(
      "Running mean of the gradient: m̂, and m of momentum",
      "code:adam.first",
      means,
      symmetricScale(means, slopes),
      [zero],
    ),
    trace("Root of the running mean of squares: √v̂", "code:adam.second", sizes, logScale(sizes, slopes)),
    { ...trace("Step", "code:adam.step", steps, etasScale, [zero, etas]), height: 170 },
    {
      ...trace("Raw parameter", "code:adam.parameter", parameters, scale, still.length > 0 ? [grey] : []),
      height: 200,
    },
  ];
}
