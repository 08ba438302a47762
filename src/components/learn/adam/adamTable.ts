import { html } from "htl";
import { linkThings } from "../../figures/pointing.js";
import { scrollBox } from "../../figures/scrollBox.js";
import { tableOf } from "../../page/element.js";
import type { Replay, ReplayInput } from "./replay.js";
import { isAdam, type Rule, ruleSample, rules } from "./rules.js";

/** Formats a number with four digits, with an exponent where it is very small or large. */
export function scientificText(value: number): string {
  if (value === 0) return "0";
  const size = Math.abs(value);
  const text = size >= 0.01 && size < 1000 ? value.toPrecision(4) : value.toExponential(3);
  return text.replace("-", "−").replace("e-", "e−");
}

/**
 * Returns a table of the state and the step of each rule at a training step.
 * @param decode decodes a raw value of the recorded parameter
 */
export function adamTable(
  replays: Record<Rule, Replay>,
  step: number,
  { rateAt }: ReplayInput,
  decode?: (raw: number) => number,
): HTMLElement {
  const adamOnly = (value: (replay: Replay, rule: Rule) => number) => (replay: Replay, rule: Rule) =>
    isAdam(rule) ? value(replay, rule) : undefined;
  const rows: [name: string, thing: string, value: (replay: Replay, rule: Rule) => number | undefined][] = [
    ["m", "code:adam.first", ({ moments }, rule) => (rule === "sgd" ? undefined : moments.first[step])],
    ["v", "code:adam.second", adamOnly(({ moments }) => moments.second[step])],
    ["m̂", "code:adam.parameter", adamOnly(({ first }) => first[step])],
    ["√v̂", "code:adam.step", adamOnly(({ second }) => Math.sqrt(second[step]))],
    ["step", "code:adam.parameter", ({ updates }) => updates[step]],
    ["step ÷ η", "code:adam.parameter", adamOnly(({ updates }, rule) => updates[step] / rateAt(rule, step + 1))],
    ["θ", "parameter:raw", ({ parameters }) => parameters[step]],
    ["decoded", "parameter:decoded", ({ parameters }) => decode?.(parameters[step])],
  ];
  const body = rows.map(([name, thing, cellValue]) => {
    const values = rules.map((rule) => cellValue(replays[rule], rule));
    const cells = values.map((value) => html`<td>${value === undefined ? "–" : scientificText(value)}</td>`);
    return linkThings(html`<tr><th scope="row">${name}</th>${cells}</tr>`, thing);
  });
  const table = tableOf(["", ...rules.map(ruleSample)], body, { class: "adam-table" });
  return scrollBox(`Values at step ${step + 1}`, table);
}
