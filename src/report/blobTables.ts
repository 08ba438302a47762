import { html } from "htl";
import { count, counted, showNumber } from "../components/page/format.js";
import { gradientNotes, parameterNotes } from "../engine/files/columnNotes.js";
import { decodedValues, modelOf } from "../engine/model/blob.js";
import { decodedNames, rawNames } from "../engine/model/blobs.js";
import { inactiveCenter } from "../engine/training/initialState.js";
import type { Report } from "./report.js";
import { type Column, dataTable } from "./table.js";

const shownRows = 10;

/** Returns cards with the decoded parameters and the gradients of a run's largest blobs. */
export function blobTables({ description, parameters, gradients }: Report): HTMLElement[] {
  const { config, image, step } = description;
  const model = modelOf(config, image);
  const decoded = (blob: number) => decodedValues(parameters, blob, model);
  const [width, height, opacity] = ["deviation_x_pixels", "deviation_y_pixels", "opacity_decoded"].map((name) =>
    decodedNames.indexOf(name),
  );
  const sizes = Float64Array.from({ length: config.blobs }, (_, blob) => {
    if (parameters[blob] === inactiveCenter) return 0;
    const values = decoded(blob);
    return values[width] * values[height] * values[opacity];
  });
  const largest = [...sizes.keys()].sort((a, b) => sizes[b] - sizes[a]).slice(0, shownRows);
  const card = (title: string, note: string, columns: Column[]) => html`<div class="card">
    <h3>${title}</h3>
    <p>${note} ${count(largest.length)} of ${counted(config.blobs, "blob")}: those with the largest area times opacity.</p>
    ${dataTable(title, [{ head: "blob", cell: String }, ...columns], largest)}
  </div>`;
  const notes = { ...parameterNotes(config), ...gradientNotes(config) };
  const column = (name: string, valueAt: (blob: number) => number): Column => ({
    head: name.replace("_decoded", ""),
    help: notes[name][1],
    isNumber: true,
    cell: (blob) => showNumber(valueAt(blob)),
  });
  return [
    card(
      "Parameters",
      `Decoded, after ${counted(step, "step")}.`,
      decodedNames.map((name, i) => column(name, (blob) => decoded(blob)[i])),
    ),
    card(
      "Gradients",
      `Of the loss by raw parameters, after ${counted(gradients.step - 1, "step")}, for step ${count(gradients.step)}.`,
      rawNames(config.parameterization).map((name, i) =>
        column(name, (blob) => gradients.values[i * config.blobs + blob]),
      ),
    ),
  ];
}
