import { imageViewport } from "../components/images/imageViewport.js";
import { element } from "../components/page/element.js";
import { decibels } from "../components/page/format.js";
import { errorMaps } from "../components/runs/errorMaps.js";
import { regionImage } from "../components/runs/regionImage.js";
import { environment } from "./environment.js";
import { regionCharts } from "./regionCharts.js";
import type { RegionsReport } from "./report.js";
import type { ReportContext } from "./runReport.js";
import { section } from "./section.js";
import { settings } from "./settings.js";
import { psnrOf, summaryOf } from "./summary.js";
import { targetComparison } from "./targetComparison.js";

/** Returns the maximum zoom for an image, by pixels of its longer side. A pixel then covers several of the screen's. */
const maxZoom = (longer: number) => Math.max(32, longer / 128);

/** Returns the report of a run that was fitted by regions, which may have too many blobs for a page. */
export function regionsReport(report: RegionsReport, { open, files, blobs }: ReportContext): HTMLElement {
  const { description, target, render } = report;
  const { config, image, result } = description;
  const node = element("div", { class: "report" });
  const most = maxZoom(Math.max(image.width, image.height));
  const window = imageViewport(node, "Images of this run", { maxZoom: most, pans: true });
  const source = { blobs: blobs ?? (() => Promise.reject(new Error("This report does not contain the blobs."))), open };
  const error = { name: "Error map", render, target, note: `PSNR ${decibels(psnrOf(result))}` };
  node.append(
    element("p", { class: "report-summary" }, summaryOf(description)),
    section(
      "Regions",
      undefined,
      element(
        "p",
        { class: "needs-script on-screen" },
        "Zoom with the buttons, with two fingers or by Ctrl + wheel, and drag to pan. The page fetches and renders the blobs of the regions in view.",
      ),
      regionImage(description, render, window, source),
    ),
    section("Render and target", undefined, targetComparison(report)),
    section("Error map", undefined, errorMaps([error])),
    section("Training curves by region", undefined, regionCharts(report)),
    section("Settings", undefined, settings(config)),
    section("Environment", undefined, environment(description)),
    element("div", { class: "on-screen" }, section("Export", undefined, files)),
  );
  return node;
}
