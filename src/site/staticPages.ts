import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { frameFile, runFiles } from "../engine/files/runFiles.js";
import { staticHtml } from "../report/html/staticHtml.js";
import { readReport } from "../report/report.js";
import { recordedReport } from "../report/reports.js";
import { runIndex } from "../report/runIndex.js";
import { openRunFolder } from "../runs/runFolder.js";
import { readSweepResults } from "../runs/sweepResults.js";
import { recordedRuns, recordedRunsFolder } from "./recordedRuns.js";

/**
 * Writes the initial content of the recorded runs' pages into their HTML, so that it shows without scripts.
 * @param site the folder of the built site
 */
export async function fillReports(site: string): Promise<void> {
  const runs = await recordedRuns();
  const pages = join(site, "reports");
  const index = join(pages, "index.html");
  if (existsSync(index)) fillPage(index, await staticHtml(() => [runIndex(runs)], new Map()));
  for (const { name, folder, files } of runs) {
    const report = await readReport(await openRunFolder(join(recordedRunsFolder, folder), name));
    const sweep = await readSweepResults(join(recordedRunsFolder, name));
    const addresses = new Map([
      [report.target.data, fileAddress(folder, runFiles.target)],
      [report.render.data, fileAddress(folder, runFiles.render)],
      ...report.film.map(({ step, image }) => [image.data, fileAddress(folder, frameFile(step))] as const),
    ]);
    const links = files.map((file) => ({ ...file, href: fileAddress(folder, file.name) }));
    const draw = () => [recordedReport({ report, files: links }, sweep?.table)];
    fillPage(join(pages, `${name}.html`), await staticHtml(draw, addresses), name);
  }
}

/** Returns the address of a run's file, relative to reports/. */
function fileAddress(run: string, file: string): string {
  return `../data/runs/${run}/${file}`;
}

/**
 * Writes the content of the last cell into its loading element, which Framework replaces once the cell has a value.
 * @param title of the page, instead of that in its front matter
 */
function fillPage(path: string, cellHtml: string, title?: string): void {
  const html = readFileSync(path, "utf8");
  const loading = "<observablehq-loading></observablehq-loading>";
  const position = html.lastIndexOf(loading);
  if (position < 0) throw new Error(`${path} has no cell that displays its content.`);
  const before = html.slice(0, position);
  const titled = title ? before.replace(/<title>[^<|]*/, `<title>${title} `) : before;
  const filled = `<observablehq-loading class="still">${cellHtml}</observablehq-loading>`;
  writeFileSync(path, titled + filled + html.slice(position + loading.length));
}
