import { html } from "htl";
import type { TrainConfig } from "../../engine/config.js";
import { type FieldName, fieldOf, formatField } from "../../engine/fields.js";
import type { Run } from "../training/run.js";

const listed: FieldName[] = ["steps", "schedule", "initializer", "growEvery", "pipeline"];

/**
 * Returns the settings of a run that are read most, without those that have a knob, its device, and the settings in which
 * it differs from the inputs of the page, since a reader's cell gives them.
 * @param chosen the configuration of the inputs
 */
export function settingsList({ config, adapter }: Run, chosen: TrainConfig): HTMLElement {
  const textOf = (name: FieldName, { [name]: value }: TrainConfig) => String(formatField(value));
  const rows = listed.map((name) => [fieldOf(name).label, textOf(name, config)]);
  const given = (Object.keys(config) as FieldName[])
    .filter((name) => textOf(name, config) !== textOf(name, chosen))
    .map((name) => `${fieldOf(name).label} to ${textOf(name, config)}`);
  return html`<div>
    ${given.length > 0 ? html`<p class="quiet">An edited cell sets ${given.join(", ")}.</p>` : ""}
    <dl class="facts">${[...rows, ["Device", adapter]].map(
      ([name, value]) => html`<div><dt>${name}</dt><dd title=${value}>${value}</dd></div>`,
    )}</dl>
  </div>`;
}
