import * as Plot from "@observablehq/plot";
import type { AdamConstants } from "../../../engine/cpu/adam.js";
import { longestStep } from "./bound.js";
import { flatParts } from "./decoded.js";
import { type AdamInput, type Replay, replay } from "./replay.js";
import { isAdam, type Rule, ruleNames, ruleStyles, rules } from "./rules.js";
import { logScale, symmetricScale, type Trace } from "./traceCharts.js";
import type { TrainedRun } from "./training.js";

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
  const longest = extent(adamRules.flatMap((rule) => Array.from(all[rule].updates, Math.abs)))[1];
  const rate = rateAt("constant", 1);
  const most = 1.15 * (longest || rate);
  const [low, high] = extent([start, ...adamRules.flatMap((rule) => Array.from(all[rule].parameters))]);
  const spare = 0.15 * (high - low) || 0.1;
  const domain: [number, number] = [low - spare, high + spare];
  const still = flat(domain).map(([from, to]) => ({ from, to }));
  const zero = Plot.ruleY([0], { stroke: "var(--line)" });
  const etas = Plot.ruleY([-rate, rate], { stroke: "var(--theme-foreground-faint)", strokeDasharray: "1 4" });
  const grey = Plot.rect(still, { y1: "from", y2: "to", fill: "var(--theme-foreground)", fillOpacity: 0.09 });
  return [
    { title: "Gradient g", thing: "code:adam.gradient", lines: g, y: symmetricScale(g, slopes), below: [zero] },
    {
      title: "Mean of the gradients: m̂, and m of momentum",
      thing: "code:adam.first",
      lines: means,
      y: symmetricScale(means, slopes),
      below: [zero],
    },
    { title: "Their size: √v̂", thing: "code:adam.second", lines: sizes, y: logScale(sizes, slopes) },
    {
      title: "Step",
      height: 170,
      thing: "code:adam.step",
      lines: linesOf(rules, ({ updates }) => updates),
      y: { label: "↑ raw units", domain: [-most, most], ticks: 5 },
      below: [zero, etas],
    },
    {
      title: "Raw parameter",
      height: 200,
      thing: "code:adam.parameter",
      lines: linesOf(rules, ({ parameters }) => parameters),
      y: { label: "↑ raw units", domain, ticks: 5 },
      below: still.length > 0 ? [grey] : [],
    },
  ];
}

/** The raw values of a recorded parameter at which the decoded one stands still. */
export function flatOf({ config, image }: TrainedRun, field: number) {
  return (range: [number, number]) => flatParts(config, image, field, range);
}

/** The last step of each correction in words. */
export function boundWords(gradients: ArrayLike<number>, constants: AdamConstants): string {
  const { length } = gradients;
  const parts = adamRules.map((rule) => {
    const steps = lengthsOf(rule, gradients, constants);
    const bound = longestStep(rule, length, constants);
    return `${ruleNames[rule]}: step ${length} is ${steps[length - 1].toFixed(3)} η long, at most ${bound.toFixed(3)} η are possible there; the longest on the way was ${extent(steps)[1].toFixed(3)} η.`;
  });
  return parts.join(" ");
}

/** The lengths of Adam's steps that gradients lead to, in units of η. */
export function lengthsOf(rule: Rule, gradients: ArrayLike<number>, constants: AdamConstants): Float64Array {
  return replay(gradients, 0, { rule, rateAt: () => 1, constants }).updates.map(Math.abs);
}

function extent(values: Iterable<number>): [number, number] {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) [low, high] = [Math.min(low, value), Math.max(high, value)];
  return [low, high];
}
