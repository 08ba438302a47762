import { completeConfig, type TrainConfig } from "../../engine/config.js";
import { element } from "../element.js";
import { fieldsToKeep } from "../link.js";
import { factTable } from "./facts.js";

/** The settings of a run: those that differ from its preset's first, and all of them on demand. */
export function settings(config: TrainConfig): HTMLElement {
  const ofPreset = completeConfig({ preset: config.preset });
  const different = Object.keys(fieldsToKeep(config, ofPreset)) as (keyof TrainConfig)[];
  const rows = different.map((field) => [field, valueText(config[field]), valueText(ofPreset[field])]);
  return element(
    "div",
    { class: "settings" },
    different.length > 0
      ? factTable(["setting", "here", `in the preset ${config.preset}`], rows)
      : element("p", {}, `Every setting is that of the preset ${config.preset}.`),
    element(
      "details",
      {},
      element("summary", {}, "All settings"),
      factTable(
        ["setting", "value"],
        Object.entries(config).map(([field, value]) => [field, valueText(value)]),
      ),
    ),
  );
}

/** A field's value as people write it. */
export function valueText(value: TrainConfig[keyof TrainConfig]): string {
  return Array.isArray(value)
    ? value.join(" × ")
    : typeof value === "number"
      ? String(Number(value.toPrecision(6)))
      : value;
}
