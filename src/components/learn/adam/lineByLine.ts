import type { ShaderLibrary } from "../../../engine/gpu/shaders.js";
import { element } from "../../element.js";
import { codePair } from "../codePair.js";
import { stepper } from "../stepper.js";
import type { AdamDesk, AdamInput } from "./adamDesk.js";
import { small } from "./adamTable.js";
import type { Replay } from "./replay.js";
import type { Rule } from "./rules.js";

/** The lines of an update, in their order; each is told with the numbers of the step that is looked at. */
const lines: [thing: string, wgsl: string, twin: string][] = [
  ["code:adam.gradient", "fn adam(state", "const gradient = gradients[slot]"],
  ["code:adam.first", "let first =", "const m = beta1"],
  ["code:adam.second", "let second =", "const v = beta2"],
  ["code:adam.rate", "let rate =", "const rate = rates["],
  ["code:adam.step", "let step = rate", "parameters[slot] -="],
  ["code:adam.parameter", "return AdamState(state.parameter -", "parameters[slot] -="],
];

/** Goes through the lines of one update, in the kernel's text and in its twin's, with the numbers of the run's own rule. */
export function lineByLine(
  shaders: ShaderLibrary,
  desk: AdamDesk,
): { node: HTMLElement; show: (input: AdamInput, all: Record<Rule, Replay>) => void } {
  const pair = codePair(shaders, {
    wgsl: { file: "shared/adam.wgsl", from: "fn adam(" },
    twin: { file: "cpu/adam.ts", from: "export function updateBlobs(" },
    marks: Object.fromEntries(lines.map(([thing, wgsl, twin]) => [thing, { wgsl, twin }])),
  });
  let told = lines.map(() => "Nothing is recorded yet.");
  const steps = () => ({
    count: lines.length,
    show: (line: number) => pair.activate(lines[line][0]),
    describe: (line: number) => told[line],
  });
  const line = stepper("Line of the update", steps(), 1);
  return {
    node: element("div", { class: "line-by-line" }, line.node, pair.node),
    show({ gradients, start }, all) {
      const rule = (desk.run?.config ?? desk.config)?.biasCorrection ?? "constant";
      const { moments, divisors, first, second, updates, parameters } = all[rule];
      const { beta1, beta2, epsilon } = desk.settings;
      const at = Math.min(desk.step, gradients.length - 1);
      const before = (column: ArrayLike<number>, initial = 0) => (at === 0 ? initial : column[at - 1]);
      const [c1, c2] = divisors[at];
      const g = small(gradients[at]);
      const rate = desk.rateAt(rule, at + 1);
      const root = small(Math.sqrt(second[at]));
      told = [
        `g = ${g} comes from the backward pass.`,
        `m = ${beta1} · ${small(before(moments.first))} + ${small(1 - beta1)} · ${g} = ${small(moments.first[at])}`,
        `v = ${beta2} · ${small(before(moments.second))} + ${small(1 - beta2)} · (${g})² = ${small(moments.second[at])}`,
        `η = ${small(rate)} for this parameter at this step.`,
        `√(v ÷ ${small(c2)}) = ${root}, so the step is ${small(rate)} ÷ (${root} + ${epsilon}) = ${small(rate / (Math.sqrt(second[at]) + epsilon))} for each unit of m̂.`,
        `m ÷ ${small(c1)} = ${small(first[at])}, so ${small(before(parameters, start))} becomes ${small(parameters[at])}: a step of ${small(updates[at])}.`,
      ];
      line.reset(steps(), line.index);
    },
  };
}
