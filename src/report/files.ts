import { html } from "htl";
import { bytesText, counted } from "../components/page/format.js";
import { gradientsFile, metricsFile, parametersFile } from "../engine/files/arrow.js";
import { writeRunDescription } from "../engine/files/runDescription.js";
import { runFiles } from "../engine/files/runFiles.js";
import { saveFile } from "../host/browser/saveFile.js";
import type { Report } from "./report.js";

/** Returns download links for a run's files. */
export function fileLinks(files: { name: string; bytes?: number; href: string }[]): HTMLElement {
  const links = files.map(
    ({ name, bytes, href }) =>
      html`<a class="download" href=${href} download=${name.replace("/", "-")}><span>${name}</span>${bytes === undefined ? null : html`<small>${bytesText(bytes)}</small>`}</a>`,
  );
  return html`<div class="downloads">${links}</div>`;
}

/** Returns buttons that save the data of a one-file report as a run's files. */
export function embeddedFiles({ description, rows, parameters, gradients, blobs }: Report): HTMLElement {
  const { config, image, step } = description;
  const button = (name: string, note: string, contents: () => string | Uint8Array) => {
    const onclick = () => saveFile(name, new Blob([contents() as BlobPart]));
    return html`<button type="button" class="download" onclick=${onclick}><span>${name}</span><small>${note}</small></button>`;
  };
  const arrowButton = (name: string, rowCount: number, contents: () => Uint8Array) =>
    button(name, counted(rowCount, "row"), contents);
  return html`<div class="downloads">
    ${button(runFiles.description, "settings and results", () => writeRunDescription(description))}
    ${arrowButton(runFiles.metrics, rows.length, () => metricsFile(config, rows))}
    ${
      blobs.length === config.blobs && [
        arrowButton(runFiles.parameters, config.blobs, () => parametersFile(config, image, { step, parameters })),
        arrowButton(runFiles.gradients, config.blobs, () =>
          gradientsFile(config, [{ step: gradients.step, gradients: gradients.values }]),
        ),
      ]
    }
  </div>`;
}
