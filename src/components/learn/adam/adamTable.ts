import { standsFor } from "../../figures/pointed.js";
import { scrollBox } from "../../figures/scrollBox.js";
import { element, tableOf } from "../../page/element.js";
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
  const body = rows.map(([name, thing, of]) => {
    const values = rules.map((rule) => of(all[rule], rule));
    const cells = values.map((value) => element("td", {}, value === undefined ? "–" : small(value)));
    return standsFor(element("tr", {}, element("th", { scope: "row" }, name), ...cells), thing);
  });
  const table = tableOf(["", ...rules.map(ruleSample)], body, { class: "adam-table" });
  return scrollBox(`Values at step ${at + 1}`, table);
}
