// The script of the file that `splatbook report` writes. It replaces the static figures by interactive ones.
// First, since htl makes HTML from text, which needs the default policy.
import "../host/browser/trustedTypes.js";
import { readSweepFile } from "../engine/files/sweepFile.js";
import { openBitmap, readPixels } from "../host/browser/bitmapPixels.js";
import { fitPaper } from "./charts.js";
import { bytesOf, type EmbeddedImages, type EmbeddedReports, reportOf } from "./embeddedRun.js";
import { articleId, reportsOf } from "./reports.js";

const embedded: EmbeddedReports = JSON.parse(document.getElementById("held")!.textContent!);
const main = document.getElementById("observablehq-main")!;

/** Returns the images of a run, from the img elements of its article. */
async function imagesOf(run: number): Promise<EmbeddedImages> {
  const images = (selector: string) => {
    const elements = document.querySelectorAll<HTMLImageElement>(`#${articleId(run)} ${selector}`);
    const png = ({ src }: HTMLImageElement) => bytesOf(src.slice(src.indexOf(",") + 1));
    // A run's images are opaque and in sRGB.
    return Promise.all(Array.from(elements, async (image) => readPixels(await openBitmap(new Blob([png(image)])), "")));
  };
  const [[target], [render], film] = await Promise.all([
    images(".triptych > :nth-child(1) img"),
    images(".triptych > :nth-child(2) img"),
    images(".film-strip img"),
  ]);
  return { target, render, film };
}

const reports = await Promise.all(embedded.runs.map(async (run, i) => reportOf(run, await imagesOf(i))));
fitPaper(main);
const sweep = embedded.sweep === undefined ? undefined : readSweepFile(bytesOf(embedded.sweep));
main.replaceChildren(...reportsOf(document.title, reports, sweep));
