import { html } from "htl";
import { imageViewport } from "../components/images/imageViewport.js";
import { decibels } from "../components/page/format.js";
import { errorMaps } from "../components/runs/errorMaps.js";
import { regionImage } from "../components/runs/regionImage.js";
import { environment } from "./environment.js";
import { regionCharts } from "./regionCharts.js";
import type { RegionsReport } from "./report.js";
import type { ReportContext } from "./runReport.js";
import { settings } from "./settings.js";
import { psnrOf, summaryOf } from "./summary.js";
import { targetComparison } from "./targetComparison.js";

/** Returns the maximum zoom for an image, by pixels of its longer side. A pixel then covers several of the screen's. */
const maxZoom = (longer: number) => Math.max(32, longer / 128);

/** Returns the report of a run that was fitted in regions, which may have too many blobs for a page. */
export function regionsReport(report: RegionsReport, { open, files, blobs }: ReportContext): HTMLElement {
  const { description, target, render } = report;
  const { config, image, result } = description;
  const node = html`<div class="report"></div>`;
  const most = maxZoom(Math.max(image.width, image.height));
  const window = imageViewport(node, "Images of this run", { maxZoom: most, pans: true });
  const source = { blobs: blobs ?? (() => Promise.reject(new Error("This report does not contain the blobs."))), open };
  const error = { name: "Error map", render, target, note: `PSNR ${decibels(psnrOf(result))}` };
  node.append(html.fragment`
    <p class="report-summary">${summaryOf(description)}</p>
    <section>
      <h2>Regions</h2>
      <p class="needs-script on-screen">Zoom with the buttons, with two fingers or by Ctrl + wheel, and drag to pan. The page fetches and renders the blobs of the regions in view.</p>
      ${regionImage(description, render, window, source)}
    </section>
    <section><h2>Render and target</h2>${targetComparison(report)}</section>
    <section><h2>Error map</h2>${errorMaps([error])}</section>
    <section><h2>Training curves by region</h2>${regionCharts(report)}</section>
    <section><h2>Settings</h2>${settings(config)}</section>
    <section><h2>Environment</h2>${environment(description)}</section>
    <div class="on-screen"><section><h2>Export</h2>${files}</section></div>`);
  return node;
}
