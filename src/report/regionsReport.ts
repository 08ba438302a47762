import { element } from "../components/page/element.js";
import { decibels } from "../components/page/format.js";
import { pictureWindow } from "../components/pictures/pictureWindow.js";
import { errorMaps } from "../components/runs/errorMaps.js";
import { regionPicture } from "../components/runs/regionPicture.js";
import { environment } from "./environment.js";
import { comparison } from "./pictures.js";
import { regionCharts } from "./regionCharts.js";
import type { RegionsReport } from "./report.js";
import type { ReportPlace } from "./runReport.js";
import { section } from "./section.js";
import { settings } from "./settings.js";
import { psnrOf, summaryOf } from "./summary.js";

/** Times that a picture is looked at closer at most, by pixels of its longer side: until one of them is some of the screen's. */
const closest = (longer: number) => Math.max(32, longer / 128);

/** All that is told of a recorded run that was fitted by regions, whose blobs may be more than a page can hold. */
export function regionsReport(report: RegionsReport, { open, files, blobs }: ReportPlace): HTMLElement {
  const { description, target, render } = report;
  const { config, image, result } = description;
  const node = element("div", { class: "report" });
  const most = closest(Math.max(image.width, image.height));
  const window = pictureWindow(node, "The pictures of this run", { most, pans: true });
  const source = { blobs: blobs ?? (() => Promise.reject(new Error("They are not here."))), open };
  const error = { name: "Error", render, target, note: `PSNR ${decibels(psnrOf(result))}` };
  node.append(
    element("p", { class: "report-summary" }, summaryOf(description)),
    section(
      "Region by region",
      undefined,
      element(
        "p",
        { class: "needs-script on-screen" },
        "Come closer by the buttons, by two fingers, or by the wheel with Ctrl, and drag: the blobs of the regions that come into view are fetched, and drawn by the engine.",
      ),
      regionPicture(description, render, window, source),
    ),
    section("Against the target", undefined, comparison(report)),
    section("Where it is off", undefined, errorMaps([error])),
    section("How the regions went", undefined, regionCharts(report)),
    section("Settings", undefined, settings(config)),
    section("Where it was recorded", undefined, environment(description)),
    element("div", { class: "on-screen" }, section("Take it along", undefined, files)),
  );
  return node;
}
