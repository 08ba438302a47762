import { html } from "htl";
import { imageViewport } from "../components/images/imageViewport.js";
import { gradientDistributions, parameterDistributions } from "../components/runs/distributions.js";
import { gradientSample, parameterSample } from "../components/runs/samples.js";
import { reportCurves } from "./curves.js";
import { environment } from "./environment.js";
import { filmSection } from "./filmSection.js";
import { linkBlobs } from "./linkBlobs.js";
import type { Report } from "./report.js";
import { settings } from "./settings.js";
import { summaryOf } from "./summary.js";
import { reportTables } from "./tables.js";
import { errorMapOf, targetComparison } from "./targetComparison.js";

/**
 * Returns the report of a run.
 * @param files links or buttons that export the run's files
 */
export function runReport(report: Report, files: HTMLElement): HTMLElement {
  const { name, description, parameters, gradients } = report;
  const { config, image } = description;
  const curves = reportCurves(report);
  const tables = reportTables(report);
  const node = html`<div class="report"></div>`;
  const window = imageViewport(node, "Images of this run");
  const comparison = targetComparison(report, html`<span class="needs-script on-screen">${window}</span>`);
  const film = filmSection(report, (frame, row) => {
    comparison.show(frame);
    curves.showRow(row);
  });
  linkBlobs(report, node, window, tables);
  node.append(html.fragment`
    <p class="report-summary">${summaryOf(description)}</p>
    <section><h2>Render and target</h2>${comparison}</section>
    ${film}
    <section><h2>Training curves</h2>${curves.training}</section>
    <section><h2>Error map</h2>${errorMapOf(report)}</section>
    <section><h2>Settings</h2>${settings(config)}</section>
    <section><h2>Environment</h2>${environment(description)}</section>
    <section>
      <h2>Parameter distributions</h2>
      <p>Decoded parameters after the last step.</p>
      ${parameterDistributions([parameterSample(name, config, image, parameters)])}
    </section>
    <section>
      <h2>Gradient distributions</h2>
      <p>Gradient magnitudes of the next step, from the backward pass.</p>
      ${gradientDistributions([gradientSample(name, gradients.values)])}
    </section>
    <section><h2>Tile list lengths</h2>${curves.tileLists}</section>
    <section><h2>Parameters and gradients</h2>${tables}</section>
    <div class="on-screen"><section><h2>Export</h2>${files}</section></div>`);
  return node;
}
