import { html } from "htl";
import { count } from "../components/page/format.js";
import { changedFields, completeConfig, type TrainConfig } from "../engine/config.js";
import { factList, factTable } from "./facts.js";

/** Returns the settings of a run that differ from its preset, and a folded list of all. */
export function settings(config: TrainConfig): HTMLElement {
  const presetConfig = completeConfig({ preset: config.preset });
  const changed = Object.keys(changedFields(config, presetConfig)) as (keyof TrainConfig)[];
  // It has an effect only with smoothstep.
  const isUsed = (field: keyof TrainConfig) => field !== "covarianceScale" || config.parameterization === "smoothstep";
  const different = changed.filter(isUsed);
  const rows = different.map((field) => [field, valueText(config[field]), valueText(presetConfig[field])]);
  const all: [string, string][] = Object.entries(config).map(([field, value]) => [field, valueText(value)]);
  const changes = factTable(["setting", "this run", `preset ${config.preset}`], rows);
  return html`<div class="settings">
    ${rows.length > 0 ? changes : html`<p>All settings have the values of the preset ${config.preset}.</p>`}
    <details><summary>All settings</summary>${factList(all, "all-settings")}</details>
  </div>`;
}

/** Returns the value of a setting as text. */
export function valueText(value: TrainConfig[keyof TrainConfig]): string {
  if (Array.isArray(value)) return value.join(" × ");
  if (typeof value === "string") return value;
  return Number.isInteger(value) ? count(value) : String(Number(value.toPrecision(6)));
}
