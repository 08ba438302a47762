import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { frameFile, runFiles } from "../engine/files/runFiles.js";
import { anyReport } from "../report/anyReport.js";
import { compareLink } from "../report/compareLink.js";
import { fileLinks } from "../report/files.js";
import { noEngine } from "../report/html/document.js";
import { staticHtml } from "../report/html/staticHtml.js";
import { isByRegions, readAnyReport } from "../report/report.js";
import { runIndex } from "../report/runIndex.js";
import { openRunFolder } from "../runs/runFolder.js";
import { recordedRuns, recordedRunsFolder } from "./recordedRuns.js";

/**
 * Writes into the pages of the recorded runs what they show at first, since Framework leaves that to their scripts.
 * @param site the folder of the built site
 */
export async function fillReports(site: string): Promise<void> {
  const runs = await recordedRuns();
  const pages = join(site, "reports");
  fillPage(join(pages, "index.html"), await staticHtml(() => [runIndex(runs)], new Map()));
  for (const { name, files } of runs) {
    const report = await readAnyReport(await openRunFolder(join(recordedRunsFolder, name), name));
    const film = isByRegions(report) ? [] : report.film;
    const addresses = new Map([
      [report.target.data, fileAddress(name, runFiles.target)],
      [report.render.data, fileAddress(name, runFiles.render)],
      ...film.map(({ step, image }) => [image.data, fileAddress(name, frameFile(step))] as const),
    ]);
    const links = () => fileLinks(files.map((file) => ({ ...file, href: fileAddress(name, file.name) })));
    const draw = () => [anyReport(report, { open: noEngine, hasCpu: true, files: links() })];
    const link = await staticHtml(() => [compareLink(name)], new Map());
    fillPage(join(pages, `${name}.html`), await staticHtml(draw, addresses), { title: name, link });
  }
}

/** Where a page below reports/ finds a file of a run. */
function fileAddress(run: string, file: string): string {
  return `../data/runs/${run}/${file}`;
}

/**
 * Puts what a page's cells show in the places where Framework keeps what a cell replaces once it has a value.
 * @param cellHtml what the last cell shows
 * @param inlineCells what cells within the page's text give, the page's title first; a name of a run has no character that
 * HTML gives a meaning
 */
function fillPage(path: string, cellHtml: string, inlineCells?: { title: string; link: string }): void {
  const html = readFileSync(path, "utf8");
  const staticSlot = (content: string) => `<observablehq-loading class="still">${content}</observablehq-loading>`;
  const loadingMark = "<observablehq-loading></observablehq-loading>";
  const cell = '<div class="observablehq observablehq--block">';
  const position = html.lastIndexOf(cell) + cell.length;
  let before = html.slice(0, position);
  if (inlineCells) {
    const { title, link } = inlineCells;
    before = before.replace(loadingMark, staticSlot(title)).replace(loadingMark, staticSlot(link));
    before = before.replace(/<title>[^<|]*/, `<title>${title} `);
  }
  const after = html.slice(position);
  writeFileSync(
    path,
    before + staticSlot(cellHtml) + (after.startsWith(loadingMark) ? after.slice(loadingMark.length) : after),
  );
}
