import { html } from "htl";
import { colorRamp } from "../components/images/colorRamp.js";
import { errorMap } from "../components/images/errorMap.js";
import { imageFigure } from "../components/images/imageFigure.js";
import { triptych } from "../components/lab/triptych.js";
import { count, counted, decibels, psnrText } from "../components/page/format.js";
import { runFiles } from "../engine/files/runFiles.js";
import { blobTables, linkBlobs, shownBlobs } from "./blobTables.js";
import { histogramCards, listsCard, normsCard, psnrCard } from "./charts.js";
import { resultCard, settingsCard } from "./details.js";
import type { Frame, Report } from "./report.js";
import { psnrOf, summaryOf } from "./summary.js";

/**
 * Returns the report of a run.
 * @param files links or buttons that export the run's files
 * @param links to other pages, next to the title
 */
export function runReport(report: Report, files: HTMLElement, links: Node | string = ""): HTMLElement {
  const { name, description, gradients } = report;
  const images = imagesOf(report);
  const { parameters, gradients: gradientTable } = blobTables(report);
  const note = shownBlobs(report);
  const node = html`<article class="report">
    <header class="head">
      <div><h1>${name}</h1><p class="report-summary">${summaryOf(description)}</p></div>
      ${links}
    </header>
    <figure class="figure-1">${images}<figcaption>${captionOf(report)}</figcaption></figure>
    ${filmOf(report)}
    <h2>Training curves</h2>
    <div class="grid grid-cols-3">${psnrCard([report])}${normsCard(report)}${listsCard(report)}</div>
    <h2>Settings and machine</h2>
    <div class="grid grid-cols-3">${settingsCard(description.config)}${resultCard(description)}</div>
    <h2>Blobs</h2>
    <div class="grid grid-cols-3">${histogramCards(report)}</div>
    <div class="card"><h3>Parameters</h3><p>Decoded, after ${counted(description.step, "step")}. ${note}</p>${parameters}</div>
    <div class="card">
      <h3>Gradients</h3>
      <p>Of the loss by raw parameters, after ${counted(gradients.step - 1, "step")}, for step ${count(gradients.step)}. ${note}</p>
      ${gradientTable}
    </div>
    <div class="card files on-screen"><h3>Files</h3>${files}</div>
  </article>`;
  linkBlobs(report, node, images.viewport, [parameters, gradientTable]);
  return node;
}

/** Returns target, render and error side by side. */
function imagesOf({ description, target, render }: Report) {
  const { image, step, result } = description;
  const node = triptych({ image: target, name: image.name });
  const error = errorMap(render, target, colorRamp("inferno").bytes);
  node.show({ image: render, error, step, psnr: psnrOf(result) });
  return node;
}

function captionOf({ description, target }: Report): HTMLElement {
  const { image, step, result } = description;
  const { width, height } = target;
  const reduced =
    width === image.width
      ? ""
      : ` They are reduced to ${width} × ${height} pixels; ${runFiles.target} and ${runFiles.render} in the run's folder have all.`;
  return html`<span><b>Figure 1.</b> The target, the render after ${counted(step, "step")}, ${psnrText(psnrOf(result))}, and its error: the mean of |render − target| over red, green and blue.${reduced}</span>`;
}

/** Returns the film of a run as a row of images; nothing if it has none. */
function filmOf({ film, rows, description: { result } }: Report): HTMLElement | null {
  if (film.length === 0) return null;
  const psnrAt = ({ step }: Frame, i: number) => {
    if (i === film.length - 1) return psnrOf(result);
    // A row has the loss before its step.
    return rows.find((row) => row.step === step + 1)?.psnr;
  };
  const figures = film.map((frame, i) => {
    const title = `step ${count(frame.step)}`;
    const figure = imageFigure(title, `Render, ${title}`);
    figure.show(frame.image);
    const psnr = psnrAt(frame, i);
    figure.describe(psnr === undefined ? "" : decibels(psnr), `Render, ${title}`);
    return figure;
  });
  return html`<figure class="film">
    <div class="film-strip" tabindex="0" role="region" aria-label="Film of the run">${figures}</div>
    <figcaption><span><b>Figure 2.</b> The render during training.</span></figcaption>
  </figure>`;
}
