import { imageViewport } from "../components/images/imageViewport.js";
import { element } from "../components/page/element.js";
import { decibels } from "../components/page/format.js";
import { gradientDistributions, parameterDistributions } from "../components/runs/distributions.js";
import { errorMaps } from "../components/runs/errorMaps.js";
import type { RegionSource } from "../components/runs/regionImage.js";
import { gradientSample, parameterSample } from "../components/runs/samples.js";
import { reportCurves } from "./curves.js";
import { environment } from "./environment.js";
import { filmSection } from "./filmSection.js";
import { frameName } from "./filmStrip.js";
import { linkBlobs } from "./linkBlobs.js";
import type { Report } from "./report.js";
import { type OpenEngine, rerun } from "./rerun.js";
import { section } from "./section.js";
import { settings } from "./settings.js";
import { psnrOf, summaryOf } from "./summary.js";
import { reportTables } from "./tables.js";
import { targetComparison } from "./targetComparison.js";

/** What a report needs from its page. */
export interface ReportContext {
  /** Opens an engine to train the job again. */
  open: OpenEngine;
  /** Whether `open` has the CPU engine too. */
  hasCpu: boolean;
  /** Links or buttons that export the run's files. */
  files: HTMLElement;
  /** Blobs of a run by regions. */
  blobs?: RegionSource["blobs"];
}

/** Returns the report of a recorded run. It opens no adapter before the reader starts training. */
export function runReport(report: Report, { open, hasCpu, files }: ReportContext): HTMLElement {
  const { description, name, target, render, parameters, gradients } = report;
  const { config, image, result } = description;
  const curves = reportCurves(report);
  const tables = reportTables(report);
  const error = { name: "Error map", render, target, note: `PSNR ${decibels(psnrOf(result))}` };
  const node = element("div", { class: "report" });
  const window = imageViewport(node, "Images of this run");
  const comparison = targetComparison(report, element("span", { class: "needs-script on-screen" }, window));
  const filmNodes = filmSection(report, (frame, row) => {
    comparison.show(frame?.image, frame && frameName(frame));
    curves.showRow(row);
  });
  linkBlobs(report, node, window, tables);
  node.append(
    element("p", { class: "report-summary" }, summaryOf(description)),
    section("Render and target", undefined, comparison),
    ...filmNodes,
    section(
      "Training curves",
      undefined,
      element(
        "div",
        { class: "needs-script on-screen" },
        element("p", {}, "Train the same job on your own machine to compare its curve with the recorded one."),
        rerun(report, curves.drawOver, open, hasCpu),
      ),
      curves.training,
    ),
    section("Error map", undefined, errorMaps([error])),
    section("Settings", undefined, settings(config)),
    section("Environment", undefined, environment(description)),
    section(
      "Parameter distributions",
      "Decoded parameters after the last step.",
      parameterDistributions([parameterSample(name, config, image, parameters)]),
    ),
    section(
      "Gradient distributions",
      "Gradient magnitudes of the next step, from the backward pass.",
      gradientDistributions([gradientSample(name, gradients.values)]),
    ),
    section("Tile list lengths", undefined, curves.tileLists),
    section("Parameters and gradients", undefined, tables),
    element("div", { class: "on-screen" }, section("Export", undefined, files)),
  );
  return node;
}
