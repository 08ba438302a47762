import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { BrowserContext, Locator, Page } from "playwright-core";
import { inject } from "vitest";
import { readRunDescription } from "../../src/engine/files/runDescription.js";
import { runFiles } from "../../src/engine/files/runFiles.js";
import { deadline } from "./browser.js";
import { openBrowser } from "./pages.js";

/** Opens an address, or a path of the built site, with JavaScript disabled. */
export async function openWithoutScript(address: string): Promise<{ page: Page; context: BrowserContext }> {
  const context = await (await openBrowser()).newContext({ javaScriptEnabled: false, baseURL: inject("site") });
  context.setDefaultTimeout(deadline);
  const page = await context.newPage();
  await page.goto(address, { waitUntil: "load" });
  return { page, context };
}

/** Asserts that a report shows the data of the run's folder without its script. */
export async function assertStaticReport(report: Locator, folder: string): Promise<void> {
  const description = readFileSync(join(folder, runFiles.description), "utf8");
  const { image, result, film = [], config } = readRunDescription(description);
  await report.waitFor();
  const summary = await report.locator(".report-summary").innerText();
  assert.ok(summary.startsWith(`${result.psnr.toFixed(2)} dB `), `the result is first: ${summary}`);
  const widths = await imageWidths(report.locator("> :nth-child(2)"));
  assert.deepEqual(widths, Array(3).fill(image.width), "then the target, the render and the error map");
  assert.equal(await report.locator(".film-strip img").count(), film.length);
  assert.ok(!(await imageWidths(report)).includes(0), "every image has loaded");
  for (const [title, lines] of [
    ["Training PSNR", 1],
    ["Gradient norms", 5],
    ["Tile lists", 2],
  ] as const) {
    const chart = report.locator(".chart").filter({ hasText: title });
    assert.equal(await chart.locator('[aria-label="line"] path').count(), lines, title);
  }
  const rate = report.locator(".settings div").filter({ hasText: /^learningRate/ });
  assert.match((await rate.locator("dd").textContent())!, new RegExp(`^${config.learningRate}\\b`));
  const cells = report.getByRole("table", { name: "Parameters" }).locator("td");
  assert.equal(await cells.count(), 11 * Math.min(10, config.blobs));
}

function imageWidths(container: Locator): Promise<number[]> {
  return container
    .locator("img")
    .evaluateAll((images) => images.map((image) => (image as HTMLImageElement).naturalWidth));
}
