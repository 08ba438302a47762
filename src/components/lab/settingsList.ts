import { html } from "htl";
import { type FieldName, fieldOf, formatField } from "../../engine/fields.js";
import type { Run } from "../training/run.js";

const listed: FieldName[] = ["steps", "schedule", "initializer", "growEvery", "pipeline"];

/** Returns the settings of a run that are read most, without those that have a knob, and its device. */
export function settingsList({ config, adapter }: Run): HTMLElement {
  const rows = listed.map((name) => [fieldOf(name).label, String(formatField(config[name]))]);
  return html`<dl class="settings-list">${[...rows, ["Device", adapter]].map(
    ([name, value]) => html`<div class="setting"><dt>${name}</dt><dd title=${value}>${value}</dd></div>`,
  )}</dl>`;
}
