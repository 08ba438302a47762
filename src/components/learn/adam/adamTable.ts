import type { AdamConstants } from "../../../engine/cpu/adam.js";
import { element } from "../../element.js";
import { scrollBox } from "../../figures/scrollBox.js";
import { standsFor } from "../marks.js";
import type { AdamInput, Replay } from "./replay.js";
import { isAdam, type Rule, ruleSample, rules } from "./rules.js";

/** A number with its power of ten, the same width for all. */
export function small(value: number): string {
  if (value === 0) return "0";
  const size = Math.abs(value);
  const text = size >= 0.01 && size < 1000 ? value.toPrecision(4) : value.toExponential(3);
  return text.replace("-", "−").replace("e-", "e−");
}

/**
 * What each rule holds at a step, and what it does.
 * @param decode of a recorded parameter, what a raw value stands for
 */
export function adamTable(
  all: Record<Rule, Replay>,
  at: number,
  { rateAt }: AdamInput,
  decode?: (raw: number) => number,
): HTMLElement {
  const ofAdam = (value: (replay: Replay, rule: Rule) => number) => (replay: Replay, rule: Rule) =>
    isAdam(rule) ? value(replay, rule) : undefined;
  const rows: [name: string, thing: string, value: (replay: Replay, rule: Rule) => number | undefined][] = [
    ["m", "code:adam.first", ({ moments }, rule) => (rule === "sgd" ? undefined : moments.first[at])],
    ["v", "code:adam.second", ofAdam(({ moments }) => moments.second[at])],
    ["m̂", "code:adam.parameter", ofAdam(({ first }) => first[at])],
    ["√v̂", "code:adam.step", ofAdam(({ second }) => Math.sqrt(second[at]))],
    ["step", "code:adam.parameter", ({ updates }) => updates[at]],
    ["step ÷ η", "code:adam.parameter", ofAdam(({ updates }, rule) => updates[at] / rateAt(rule, at + 1))],
    ["raw parameter", "parameter:raw", ({ parameters }) => parameters[at]],
    ["decoded", "parameter:decoded", ({ parameters }) => decode?.(parameters[at])],
  ];
  const heads = rules.map((rule) => element("th", { scope: "col" }, ruleSample(rule)));
  const body = rows.map(([name, thing, of]) => {
    const values = rules.map((rule) => of(all[rule], rule));
    const cells = values.map((value) => element("td", {}, value === undefined ? "–" : small(value)));
    return standsFor(element("tr", {}, element("th", { scope: "row" }, name), ...cells), thing);
  });
  const head = element("thead", {}, element("tr", {}, element("td"), ...heads));
  const table = element("table", { class: "adam-table" }, head, element("tbody", {}, ...body));
  return scrollBox(`Values at step ${at + 1}`, table);
}

/** The lines of an update, in their order. */
export const updateLines = ["gradient", "first", "second", "rate", "step", "parameter"].map(
  (line) => `code:adam.${line}`,
);

/** A line of an update with the numbers of a step. */
export function lineWords(
  line: number,
  { moments, divisors, first, second, updates, parameters }: Replay,
  at: number,
  { gradients, start }: AdamInput,
  rate: number,
  { beta1, beta2, epsilon }: AdamConstants,
): string {
  const before = (column: ArrayLike<number>, initial = 0) => small(at === 0 ? initial : column[at - 1]);
  const [c1, c2] = divisors[at].map(small);
  const g = small(gradients[at]);
  const root = Math.sqrt(second[at]);
  return [
    `g = ${g} comes from the backward pass.`,
    `m = ${beta1} · ${before(moments.first)} + ${small(1 - beta1)} · ${g} = ${small(moments.first[at])}`,
    `v = ${beta2} · ${before(moments.second)} + ${small(1 - beta2)} · (${g})² = ${small(moments.second[at])}`,
    `η = ${small(rate)} for this parameter at this step.`,
    `√(v ÷ ${c2}) = ${small(root)}, so the step is ${small(rate)} ÷ (${small(root)} + ${epsilon}) = ${small(rate / (root + epsilon))} for each unit of m̂.`,
    `m ÷ ${c1} = ${small(first[at])}, so ${before(parameters, start)} becomes ${small(parameters[at])}: a step of ${small(updates[at])}.`,
  ][line];
}
