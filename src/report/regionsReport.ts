import { html } from "htl";
import { imageViewport } from "../components/images/imageViewport.js";
import { regionImage } from "../components/runs/regionImage.js";
import { hasEnded } from "../engine/files/runDescription.js";
import { environment } from "./environment.js";
import { PartsInView } from "./inView.js";
import { regionCharts } from "./regionCharts.js";
import type { RegionsReport } from "./report.js";
import type { ReportContext, RunReport } from "./runReport.js";
import { settings } from "./settings.js";
import { summaryOf } from "./summary.js";
import { errorMapOf, targetComparison } from "./targetComparison.js";

/** Returns the maximum zoom for an image, by pixels of its longer side. A pixel then covers several of the screen's. */
const maxZoom = (longer: number) => Math.max(32, longer / 128);

/**
 * Returns the report of a run in regions, which may have too many blobs for a page. Those of a run that has not ended
 * cannot be rendered yet.
 */
export function regionsReport(report: RegionsReport, { open, files, blobs }: ReportContext): RunReport {
  const { description, render } = report;
  const { config, image } = description;
  let latest = report;
  let markedStep: number | undefined;
  const node = html`<div class="report"></div>`;
  const most = maxZoom(Math.max(image.width, image.height));
  const window = imageViewport(node, "Images of this run", { maxZoom: most, pans: true });
  const allBlobs = blobs ?? (() => Promise.reject(new Error("This report does not contain the blobs.")));
  const hasBlobs = hasEnded(description);
  const whole = regionImage(description, render, window, hasBlobs ? { blobs: allBlobs, open } : undefined);
  const comparison = targetComparison(report);
  const summary = html`<p class="report-summary">${summaryOf(description)}</p>`;
  const parts = new PartsInView(report);
  const curves = parts.add((next) => regionCharts(next, markedStep));
  const training = html`<section><h2>Training curves by region</h2>${curves}</section>`;
  const zoomText = "Zoom with the buttons, with two fingers or by Ctrl + wheel, and drag to pan.";
  const text = hasBlobs
    ? `${zoomText} The page fetches and renders the blobs of the regions in view.`
    : `${zoomText} The images show the regions that are done; the others are black.`;
  node.append(html.fragment`
    ${summary}
    <section>
      <h2>Regions</h2>
      <p class="needs-script on-screen">${text}</p>
      ${whole}
    </section>
    <section><h2>Render and target</h2>${comparison}</section>
    <section><h2>Error map</h2>${parts.add(errorMapOf)}</section>
    ${training}
    <section><h2>Settings</h2>${settings(config)}</section>
    <section><h2>Environment</h2>${parts.add(({ description }) => environment(description))}</section>
    <div class="on-screen"><section><h2>Export</h2>${files}</section></div>`);
  return Object.assign(node, {
    update(next: RegionsReport) {
      latest = next;
      summary.textContent = summaryOf(next.description);
      whole.update(next.description, next.render);
      comparison.show(next);
      parts.update(next);
    },
    showStep(step: number) {
      markedStep = step;
      parts.update(latest);
      training.scrollIntoView();
    },
  });
}
