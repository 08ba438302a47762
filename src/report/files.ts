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
export function embeddedFiles(report: Report): HTMLElement {
  const { description, rows, parameters, gradients, blobs } = report;
  const { config, image } = description;
  const hasAllBlobs = blobs.length === config.blobs;
  const arrowBlob = (bytes: Uint8Array) =>
    new Blob([bytes as Uint8Array<ArrayBuffer>], { type: "application/octet-stream" });
  const files: [name: string, note: string, contents: () => Blob][] = [
    [
      runFiles.description,
      "settings and results",
      () => new Blob([writeRunDescription(description)], { type: "application/json" }),
    ],
    [runFiles.metrics, counted(rows.length, "row"), () => arrowBlob(metricsFile(config, rows))],
  ];
  if (hasAllBlobs) {
    files.push(
      [
        runFiles.parameters,
        counted(config.blobs, "row"),
        () => arrowBlob(parametersFile(config, image, { step: description.step, parameters })),
      ],
      [
        runFiles.gradients,
        counted(config.blobs, "row"),
        () => arrowBlob(gradientsFile(config, [{ step: gradients.step, gradients: gradients.values }])),
      ],
    );
  }
  const buttons = files.map(
    ([name, note, contents]) =>
      html`<button type="button" class="download" onclick=${() => saveFile(name, contents())}><span>${name}</span><small>${note}</small></button>`,
  );
  return html`<div class="downloads needs-script">${buttons}</div>`;
}
