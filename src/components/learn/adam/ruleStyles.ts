import { element, svg } from "../../element.js";
import { type Rule, ruleNames, rules } from "./rules.js";

/** How a rule's line looks: told apart by its dashes too, not by colour alone. */
export const ruleStyles: Record<Rule, { stroke: string; dash?: string }> = {
  constant: { stroke: "var(--run-1)" },
  exact: { stroke: "var(--run-2)", dash: "6 3" },
  momentum: { stroke: "var(--run-3)", dash: "2 3" },
  sgd: { stroke: "var(--run-4)", dash: "9 3 2 3" },
};

/** A stroke as it is drawn, beside a name. */
export function ruleSample(rule: Rule): SVGElement {
  const { stroke, dash } = ruleStyles[rule];
  const line = svg("path", { d: "M1 4H29", style: `stroke: ${stroke}`, "stroke-width": 2, "stroke-dasharray": dash });
  return svg("svg", { width: 30, height: 8, "aria-hidden": true }, line);
}

/** Which line is which rule. */
export function ruleLegend(shown: readonly Rule[] = rules): HTMLElement {
  const items = shown.map((rule) => element("span", {}, ruleSample(rule), ` ${ruleNames[rule]}`));
  return element("p", { class: "rule-legend" }, ...items);
}
