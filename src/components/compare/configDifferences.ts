import { element } from "../element.js";
import { lineSwatch } from "../runs/lineSwatch.js";
import { runStyle } from "../runs/runStyle.js";
import { wholeLink } from "../training/link.js";
import type { ComparedRun } from "./comparedRun.js";
import type { Comparison } from "./comparison.js";
import { forChosen } from "./forChosen.js";

/** The fields in which the chosen runs differ, and, folded away, what they have in common. */
export function configDifferences(comparison: Comparison): HTMLElement {
  return forChosen(comparison, 120, async (chosen) => {
    const fields = fieldsOf(chosen);
    const differing = fields.filter(({ values }) => new Set(values).size > 1);
    const common = fields.filter((field) => !differing.includes(field));
    const nothing =
      chosen.length === 1 ? "Choose a second run to see in what they differ." : "They have the same settings.";
    return element(
      "div",
      {},
      differing.length > 0 ? differences(chosen, differing) : element("p", {}, nothing),
      element(
        "p",
        { class: "lab-links" },
        "In the lab, with these settings: ",
        ...chosen.flatMap(({ name, config }, i) => [
          i > 0 && ", ",
          element("a", { href: `./${wholeLink(config)}` }, name),
        ]),
      ),
      element(
        "details",
        { class: "common-fields" },
        element(
          "summary",
          {},
          `${chosen.length === 1 ? "Its settings" : "What they have in common"}: ${common.length} fields`,
        ),
        element(
          "dl",
          {},
          ...common.map(({ name, values }) =>
            element("div", {}, element("dt", {}, name), element("dd", {}, values[0])),
          ),
        ),
      ),
    );
  });
}

interface ConfigField {
  name: string;
  /** A text a run. */
  values: string[];
}

function fieldsOf(chosen: readonly ComparedRun[]): ConfigField[] {
  const pictures = chosen.map(({ facts }) => facts.picture ?? "not known");
  const names = Object.keys(chosen[0].config) as (keyof ComparedRun["config"])[];
  return [
    { name: "picture", values: pictures },
    ...names.map((name) => ({ name, values: chosen.map(({ config }) => text(config[name])) })),
  ];
}

function text(value: unknown): string {
  return Array.isArray(value)
    ? value.join(" × ")
    : typeof value === "number"
      ? String(Number(value.toPrecision(6)))
      : String(value);
}

function differences(chosen: readonly ComparedRun[], fields: readonly ConfigField[]): HTMLElement {
  const heads = chosen.map(({ name }, place) =>
    element("th", { scope: "col", title: name, "data-run": place + 1 }, lineSwatch(runStyle(place)), name),
  );
  const rows = fields.map(({ name, values }) =>
    element(
      "tr",
      {},
      element("th", { scope: "row" }, name),
      ...values.map((value, place) => element("td", { "data-run": place + 1 }, value)),
    ),
  );
  const table = element(
    "table",
    { class: "config-differences" },
    element("thead", {}, element("tr", {}, element("th", { scope: "col" }, "field"), ...heads)),
    element("tbody", {}, ...rows),
  );
  return element(
    "div",
    { class: "table-scroll", tabindex: 0, role: "region", "aria-label": "Settings that differ, scrolls sideways" },
    table,
  );
}
