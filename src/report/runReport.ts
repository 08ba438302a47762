import { html } from "htl";
import { imageViewport } from "../components/images/imageViewport.js";
import { gradientDistributions, parameterDistributions } from "../components/runs/distributions.js";
import type { RegionSource } from "../components/runs/regionImage.js";
import { gradientSample, parameterSample } from "../components/runs/samples.js";
import { reportCurves } from "./curves.js";
import { environment } from "./environment.js";
import { filmSection } from "./filmSection.js";
import type { Frame } from "./filmStrip.js";
import { PartsInView } from "./inView.js";
import { linkBlobs } from "./linkBlobs.js";
import type { RegionsReport, Report } from "./report.js";
import { type OpenEngine, rerun } from "./rerun.js";
import { settings } from "./settings.js";
import { summaryOf } from "./summary.js";
import { reportTables } from "./tables.js";
import { errorMapOf, targetComparison } from "./targetComparison.js";

/** What a report needs from its page. */
export interface ReportContext {
  /** Opens an engine to train the job again. */
  open: OpenEngine;
  /** Whether `open` has the CPU engine too. */
  hasCpu: boolean;
  /** Links or buttons that export the run's files. */
  files: HTMLElement;
  /** Blobs of a run in regions. */
  blobs?: RegionSource["blobs"];
}

/** A report that can show later states of its run. What the reader chose in it stays. */
export type RunReport = HTMLElement & {
  update(report: Report | RegionsReport): void;
  /** Marks a step in the training curves. */
  showStep(step: number): void;
};

/** Returns the report of a recorded run. It opens no adapter before the reader starts training. */
export function runReport(report: Report, { open, hasCpu, files }: ReportContext): RunReport {
  const { config } = report.description;
  let latest = report;
  let chosenFrame: Frame | undefined;
  const curves = reportCurves(report);
  const tables = reportTables(report);
  const node = html`<div class="report"></div>`;
  const window = imageViewport(node, "Images of this run");
  const comparison = targetComparison(report, html`<span class="needs-script on-screen">${window}</span>`);
  const film = filmSection(report, (frame, row) => {
    chosenFrame = frame;
    comparison.show(latest, frame);
    curves.showRow(row);
  });
  const updateLinks = linkBlobs(report, node, window, tables);
  const parts = new PartsInView(report);
  parts.follow(curves.training, curves.update);
  parts.follow(tables, tables.update);
  const summary = html`<p class="report-summary">${summaryOf(report.description)}</p>`;
  const training = html`<section>
      <h2>Training curves</h2>
      <div class="needs-script on-screen">
        <p>Train the same job on your own machine to compare its curve with the recorded one.</p>
        ${rerun(report, curves.drawOver, open, hasCpu)}
      </div>
      ${curves.training}
    </section>`;
  node.append(html.fragment`
    ${summary}
    <section><h2>Render and target</h2>${comparison}</section>
    ${film?.nodes}
    ${training}
    <section><h2>Error map</h2>${parts.add(errorMapOf)}</section>
    <section><h2>Settings</h2>${settings(config)}</section>
    <section><h2>Environment</h2>${parts.add(({ description }) => environment(description))}</section>
    <section>
      <h2>Parameter distributions</h2>
      <p>Decoded parameters after the last step.</p>
      ${parts.add(({ name, description, parameters }) =>
        parameterDistributions([parameterSample(name, config, description.image, parameters)]),
      )}
    </section>
    <section>
      <h2>Gradient distributions</h2>
      <p>Gradient magnitudes of the next step, from the backward pass.</p>
      ${parts.add(({ name, gradients }) => gradientDistributions([gradientSample(name, gradients.values)]))}
    </section>
    <section><h2>Tile list lengths</h2>${curves.tileLists}</section>
    <section><h2>Parameters and gradients</h2>${tables}</section>
    <div class="on-screen"><section><h2>Export</h2>${files}</section></div>`);
  return Object.assign(node, {
    update(next: Report) {
      latest = next;
      summary.textContent = summaryOf(next.description);
      comparison.show(next, chosenFrame);
      film?.update(next);
      void updateLinks(next);
      parts.update(next);
    },
    showStep(step: number) {
      curves.showRow(latest.rows.findLast((row) => row.step <= step) ?? latest.rows[0]);
      training.scrollIntoView();
    },
  });
}
