// `node --import tsx test/largeTable.ts [BLOBS]`: writes parameters.arrow of four million blobs in batches, reads and
// sorts it in a headless browser, and prints the peak memory of the writing process and the longest tasks of the page's
// main thread.
import { rmSync, statSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { completeConfig } from "../src/engine/config.js";
import { parametersPieces } from "../src/engine/files/arrow.js";
import { parameterCount } from "../src/engine/model/blobs.js";
import { uniformGenerator } from "../src/engine/random.js";
import { newContext, startBrowser, watchPage } from "./support/browser.js";
import { bundleModules } from "./support/bundle.js";
import { serve } from "./support/server.js";
import { markSection, printTasks, startTrace } from "./support/trace.js";

const blobs = Number(process.argv[2] ?? 4_000_000);
const folder = await bundleModules(
  "host/browser/arrowReader",
  "host/browser/arrowWorker",
  "components/tables/rowTable",
  "components/tables/blobColumns",
  "components/worker/functionWorker",
);
const path = join(folder, "parameters.arrow");
const mebibytes = (bytes: number) => Math.round(bytes / 2 ** 20);
const highest = () => mebibytes(process.resourceUsage().maxRSS * 1024);

const parameters = Float32Array.from({ length: parameterCount * blobs }, uniformGenerator(1));
const before = highest();
const file = await open(path, "w");
for (const piece of parametersPieces(completeConfig({ blobs }), { width: 512, height: 512 }, { step: 1, parameters })) {
  await file.write(piece);
}
await file.close();
console.log(
  `${blobs} rows, ${mebibytes(statSync(path).size)} MiB: memory ${before} MiB before writing, ${highest()} MiB after`,
);

const server = await serve(folder);
const browser = await startBrowser((options) => chromium.launch(options));
try {
  await startTrace(browser);
  const { page } = await watchPage(await newContext(browser, server), "/");
  await page.setContent('<input type="file">');
  await page.locator("input").setInputFiles(path);
  await markSection(page, "reading whole columns");
  await page.evaluate(`(async () => {
    const { readArrow } = await import("/arrowReader.js");
    const [file] = document.querySelector("input").files;
    const { columns: { blob, ...columns } } = await readArrow(file, file.name);
    globalThis.columns = columns;
  })()`);
  await markSection(page, "showing a table of them, and sorting it");
  await page.evaluate(`(async () => {
    const { rowTable } = await import("/rowTable.js");
    const { tableColumns } = await import("/blobColumns.js");
    const shown = tableColumns(columns);
    document.body.append(rowTable("Blobs", "blob", [{ columns: shown, note: "in file order" }]));
  })()`);
  await page.getByRole("button", { name: "opacity", exact: true }).click();
  await page.locator('th[aria-sort="descending"]').waitFor();
  await page.evaluate("delete globalThis.columns");
  await markSection(page, "reading batch by batch");
  await page.evaluate(`(async () => {
    const { arrowBatches } = await import("/arrowReader.js");
    const [file] = document.querySelector("input").files;
    let rows = 0;
    for await (const batch of arrowBatches(file, file.name)) rows += batch.rows;
    if (rows !== ${blobs}) throw new Error(rows);
  })()`);
  await markSection(page, "reading a run's parameters, checked");
  await page.evaluate(`(async () => {
    const { readRunTable } = await import("/arrowReader.js");
    const [file] = document.querySelector("input").files;
    await readRunTable("parameters", file);
  })()`);
  await markSection(page, "end");
  await printTasks(browser, [
    "reading whole columns",
    "showing a table of them, and sorting it",
    "reading batch by batch",
    "reading a run's parameters, checked",
    "end",
  ]);
} finally {
  await browser.close();
  await server.close();
  rmSync(folder, { recursive: true, force: true });
}
