import { element } from "../../element.js";
import { standsFor } from "../marks.js";
import type { AdamDesk, AdamInput } from "./adamDesk.js";
import { decodedOf } from "./decoded.js";
import type { Replay } from "./replay.js";
import { ruleSample } from "./ruleStyles.js";
import { isAdam, type Rule, ruleNames, rules } from "./rules.js";

/** A number with its power of ten, the same width for all. */
export function small(value: number): string {
  if (value === 0) return "0";
  const size = Math.abs(value);
  const text = size >= 0.01 && size < 1000 ? value.toPrecision(4) : value.toExponential(3);
  return text.replace("-", "−").replace("e-", "e−");
}

/** What each rule holds at a step, and what it does. */
export function adamTable(desk: AdamDesk): {
  node: HTMLElement;
  show: (input: AdamInput, all: Record<Rule, Replay>) => void;
} {
  const rows: [name: string, thing: string, value: (rule: Rule, replay: Replay, at: number) => string][] = [
    ["m", "code:adam.first", (rule, { moments }, at) => (rule === "sgd" ? "–" : small(moments.first[at]))],
    ["v", "code:adam.second", (rule, { moments }, at) => (isAdam(rule) ? small(moments.second[at]) : "–")],
    ["m̂", "code:adam.parameter", (rule, { first }, at) => (isAdam(rule) ? small(first[at]) : "–")],
    ["√v̂", "code:adam.step", (rule, { second }, at) => (isAdam(rule) ? small(Math.sqrt(second[at])) : "–")],
    ["step", "code:adam.parameter", (_, { updates }, at) => small(updates[at])],
    [
      "step ÷ η",
      "code:adam.parameter",
      (rule, { updates }, at) => (isAdam(rule) ? small(updates[at] / desk.rateAt(rule, at + 1)) : "–"),
    ],
    ["raw parameter", "parameter:raw", (_, { parameters }, at) => small(parameters[at])],
    [
      "decoded",
      "parameter:decoded",
      (_, { parameters }, at) => {
        const run = desk.run;
        if (!run || desk.source !== "recorded") return "–";
        return small(decodedOf(run.config, run.image, desk.field, parameters[at]).value);
      },
    ],
  ];
  const body = element("tbody");
  const head = element(
    "tr",
    {},
    element("td"),
    ...rules.map((rule) => element("th", { scope: "col" }, ruleSample(rule), ` ${ruleNames[rule]}`)),
  );
  const table = element("table", { class: "adam-table" }, element("thead", {}, head), body);
  const cells = rows.map(([name, thing]) => {
    const values = rules.map(() => element("td"));
    body.append(standsFor(element("tr", {}, element("th", { scope: "row" }, name), ...values), thing));
    return values;
  });
  return {
    node: element(
      "div",
      { class: "adam-table-frame", tabindex: 0, role: "group", "aria-label": "Values at the step" },
      table,
    ),
    show(_, all) {
      for (const [row, [, , value]] of rows.entries()) {
        for (const [column, rule] of rules.entries()) {
          const at = Math.min(desk.step, all[rule].updates.length - 1);
          cells[row][column].textContent = value(rule, all[rule], at);
        }
      }
    },
  };
}
