import { html } from "htl";
import { colorRamp } from "../components/images/colorRamp.js";
import { errorMap, largestError } from "../components/images/errorMap.js";
import { imageFigure } from "../components/images/imageFigure.js";
import { count, counted, decibels, psnrText } from "../components/page/format.js";
import { runFiles } from "../engine/files/runFiles.js";
import type { Image } from "../engine/image/image.js";
import { blobTables } from "./blobTables.js";
import { histogramCards, listsCard, normsCard, psnrCard } from "./charts.js";
import { resultCard, settingsCard } from "./details.js";
import type { Frame, Report } from "./report.js";
import { psnrOf, summaryOf } from "./summary.js";

/**
 * Returns the report of a run.
 * @param files links to the run's files
 * @param links to other pages, next to the title
 */
export function runReport(report: Report, files: HTMLElement, links: Node | string = ""): HTMLElement {
  const { name, description } = report;
  return html`<article class="report">
    <header class="head">
      <div><h1>${name}</h1><p class="report-summary">${summaryOf(description)}</p></div>
      ${links}
    </header>
    <figure class="figure-1">${imagesOf(report)}<figcaption>${captionOf(report)}</figcaption></figure>
    ${filmOf(report)}
    <h2>Training curves</h2>
    <div class="grid grid-cols-3">${psnrCard([report])}${normsCard(report)}${listsCard(report)}</div>
    <h2>Settings and machine</h2>
    <div class="grid grid-cols-3">${settingsCard(description.config)}${resultCard(description)}</div>
    <h2>Blobs</h2>
    <div class="grid grid-cols-3">${histogramCards(report)}</div>
    ${blobTables(report)}
    <div class="card on-screen"><h3>Files</h3>${files}</div>
  </article>`;
}

/** Returns target, render and error side by side. */
function imagesOf({ description, target, render }: Report): HTMLElement {
  const { image, step, result } = description;
  const ramp = colorRamp("inferno");
  const legend = html`<span class="ramp error-ramp">0 <i style=${{ background: ramp.gradient }}></i> ${largestError}</span>`;
  const error = errorMap(render, target, ramp.bytes);
  const psnr = psnrText(psnrOf(result));
  return html`<div class="triptych" role="group" aria-label="Images of the run">
    ${shownImage(target, "Target", `${target.width} × ${target.height}`, `Target: ${image.name}`)}
    ${shownImage(render, "Render", `step ${count(step)}`, `Render at step ${step}, ${psnr}`)}
    ${shownImage(error, "Error", "|render − target|", `Error map at step ${step}, ${psnr}`, legend)}
  </div>`;
}

/** Returns a figure of an image with its title and a note. */
function shownImage(image: Image, title: string, note: string, alt: string, ...parts: Node[]): HTMLElement {
  const figure = imageFigure(title, alt, ...parts);
  figure.show(image);
  figure.describe(note, alt);
  return figure;
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
    const psnr = psnrAt(frame, i);
    return shownImage(frame.image, title, psnr === undefined ? "" : decibels(psnr), `Render, ${title}`);
  });
  return html`<figure class="film">
    <div class="film-strip" style=${{ "--frames": figures.length }} tabindex="0" role="region" aria-label="Film of the run">${figures}</div>
    <figcaption><span><b>Figure 2.</b> The render during training.</span></figcaption>
  </figure>`;
}
