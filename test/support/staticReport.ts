import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { BrowserContext, Locator, Page } from "playwright-core";
import { inject } from "vitest";
import { type RunDescription, readRunDescription } from "../../src/engine/files/runDescription.js";
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

/**
 * Asserts that a report shows the data of the run's folder without its script.
 * @returns the run's description
 */
export async function assertStaticReport(container: Page | Locator, folder: string): Promise<RunDescription> {
  const description = readRunDescription(readFileSync(join(folder, runFiles.description), "utf8"));
  const { image, result, film = [], config } = description;
  const report = container.locator(".report");
  await report.waitFor();
  const summary = await report.locator("> :nth-child(1)").innerText();
  assert.ok(summary.startsWith(`${result.psnr.toFixed(2)} dB `), `the result is first: ${summary}`);
  const widths = await imageWidths(report.locator("> :nth-child(2)"));
  assert.deepEqual(widths, [image.width, image.width], "then the render and the target");
  assert.equal(await report.locator(".film-strip img").count(), film.length);
  assert.ok(!(await imageWidths(report)).includes(0), "every image has loaded");
  for (const [title, label] of [
    ["PSNR", "↑ training PSNR, decibels"],
    ["Loss (squared error)", "↑ loss, squared RGB error per pixel"],
  ]) {
    const chart = report.locator("figure.chart").filter({ hasText: title });
    assert.equal(await chart.locator('[aria-label="line"] path').count(), 1, title);
    const texts = await chart.locator("svg text").allTextContents();
    assert.ok(texts.includes(label) && texts.includes("training steps →"), texts.join("|"));
  }
  const rate = report.locator(".all-settings div").filter({ hasText: /^learningRate/ });
  assert.equal(await rate.locator("dd").textContent(), String(config.learningRate));
  const rows = Math.min(10, config.blobs);
  for (const [title, columns] of [
    ["Parameters", 11],
    ["Gradients", 9],
  ] as const) {
    assert.equal(await report.getByRole("table", { name: title }).locator("td").count(), columns * rows, title);
  }
  return description;
}

function imageWidths(container: Locator): Promise<number[]> {
  return container
    .locator("img")
    .evaluateAll((images) => images.map((image) => (image as HTMLImageElement).naturalWidth));
}
