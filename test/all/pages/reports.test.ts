import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { beforeAll, describe, it } from "vitest";
import { readMetrics } from "../../../src/engine/files/arrow.js";
import { readRunDescription } from "../../../src/engine/files/runDescription.js";
import { bringIntoView, openPage, readDownload, type WatchedPage } from "../../support/pages.js";
import { assertStaticReport, openWithoutScript } from "../../support/staticReport.js";

const names = readdirSync("data/runs", { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);
const described = (name: string) => readRunDescription(readFileSync(`data/runs/${name}/run.json`, "utf8"));

/** In the page: counts accesses to WebGPU. */
const countGpu = `
  globalThis.gpuAsked = 0;
  Object.defineProperty(Navigator.prototype, "gpu", { get() { globalThis.gpuAsked++; return undefined; } });`;
const gpuAsked = (page: Page) => page.evaluate(() => (globalThis as unknown as { gpuAsked: number }).gpuAsked);

describe("the recorded runs", () => {
  let watched: WatchedPage;
  let page: Page;
  beforeAll(async () => {
    watched = await openPage(`/reports/`, { webgpu: false, script: countGpu });
    page = watched.page;
  });

  const runs = () => page.getByRole("table", { name: "Recorded runs", exact: true });
  const chart = (title: string) => page.getByRole("figure", { name: title, exact: true });
  const lines = (title: string) => chart(title).locator('[aria-label="line"] path');
  const filmStrip = () => page.getByRole("region", { name: "Film of the run" });
  const comparison = () => page.getByRole("group", { name: "Image comparison" });
  const errorMap = () => page.getByRole("figure", { name: "Error map" });
  /** The rows of the pinned blob. */
  const pinnedRows = () => page.locator("tr[aria-current=true]");

  it("are listed, each with its image, and sort by columns", async () => {
    const links = runs().getByRole("link");
    await links.first().waitFor();
    assert.deepEqual((await links.allInnerTexts()).sort(), names.sort());
    await page.getByRole("button", { name: "PSNR" }).click();
    const best = names.toSorted((a, b) => described(b).result.psnr - described(a).result.psnr);
    assert.deepEqual(await links.allInnerTexts(), best);
    const thumbnails = runs().locator("img");
    await page.waitForFunction(() => [...document.images].every((image) => image.complete));
    const sides = await thumbnails.evaluateAll((all) =>
      all.map((image) => Math.min((image as HTMLImageElement).naturalWidth, (image as HTMLImageElement).naturalHeight)),
    );
    assert.deepEqual(
      sides,
      best.map(() => 144),
    );
  });

  it("have a page each, with settings, curves, film, images, histograms, tables and files, without a GPU", async () => {
    await page.getByRole("link", { name: "astronaut-seed" }).click();
    await filmStrip().locator("canvas").first().waitFor();
    const { config, film, result } = described("astronaut-seed");
    const row = page.getByRole("row", { name: /^learningRate / });
    assert.deepEqual(await row.locator("td").allInnerTexts(), [String(config.learningRate), "0.002"]);
    assert.equal(await filmStrip().locator("canvas").count(), film!.length);
    await lines("PSNR").first().waitFor();
    assert.equal(await lines("PSNR").count(), 1);
    assert.equal(await lines("Gradient norms by parameter group, as recorded").count(), 5);
    const psnr = `${result.psnr.toFixed(2)} dB`;
    await page.getByText(`${psnr} with 1,000 blobs. Image: `).waitFor();
    await page.getByRole("group", { name: "Displayed step" }).getByText(`: PSNR ${psnr}, `).waitFor();
    assert.equal(await page.locator("svg").getByText(`PSNR ${psnr}`, { exact: true }).count(), 1);
    const distributions = page.getByRole("group", { name: / distributions$/ });
    assert.equal(await distributions.getByRole("figure").count(), 10);
    const parameters = page.getByRole("figure", { name: /^Parameters/ });
    await parameters.getByText("1–10 of 1,000", { exact: true }).waitFor();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: "parameters.arrow" }).click(),
    ]);
    assert.equal(download.suggestedFilename(), "parameters.arrow");
    assert.deepEqual(await readDownload(download), readFileSync("data/runs/astronaut-seed/parameters.arrow"));
    assert.equal(await gpuAsked(page), 0);
  });

  it("go through their film: the image, the marked frame and the rules in the charts show the same step", async () => {
    const slider = page.getByRole("slider", { name: "Displayed step" });
    const words = page.getByRole("group", { name: "Displayed step" }).locator("output");
    const current = filmStrip().locator("figure[aria-current=true] strong");
    const rules = page.getByRole("group", { name: "Training curves" }).getByLabel("rule", { exact: true });
    const render = (name: string | RegExp) => comparison().getByRole("img", { name, exact: true });
    await words.getByText(/^the end, step 1,000: /).waitFor();
    assert.equal(await current.innerText(), "step 1,000");
    assert.equal(await rules.count(), 0);
    for (let back = 0; back < 3; back++) await slider.press("ArrowLeft");
    const { rows } = readMetrics(readFileSync("data/runs/astronaut-seed/metrics.arrow"));
    const row = rows.findLast(({ step }) => step <= 16)!;
    assert.equal(
      await words.innerText(),
      `step 16: training PSNR ${row.psnr.toFixed(2)} dB, loss ${row.loss.toPrecision(3)}`,
    );
    assert.equal(await current.innerText(), "step 16");
    await render("Render, step 16").waitFor();
    assert.equal(await rules.count(), 3);
    await chart("PSNR")
      .getByText(`${row.psnr.toFixed(2)} dB`, { exact: true })
      .waitFor();
    await filmStrip().getByRole("figure", { name: "the start" }).click();
    await render("Render, the start").waitFor();
    await slider.press("End");
    await render(/^Render of 1,000 blobs/).waitFor();
    assert.equal(await rules.count(), 0);
  });

  it("pin the heaviest blob of a pixel in its row, and zoom all images together", async () => {
    const map = errorMap().getByRole("img");
    // A light line over a dark one.
    const outlines = errorMap().locator("svg path");
    const isDashed = () =>
      outlines.evaluateAll((all) => all.map((path) => getComputedStyle(path).strokeDasharray !== "none"));
    await bringIntoView(map);
    await map.hover();
    await outlines.nth(1).waitFor({ state: "attached" });
    assert.deepEqual(await isDashed(), [false, true]);
    await map.click();
    await pinnedRows().nth(1).waitFor();
    const numbers = await pinnedRows().locator("th").allInnerTexts();
    assert.equal(numbers.length, 2, "the parameters' row and the gradients'");
    assert.equal(numbers[0], numbers[1]);
    assert.deepEqual(await isDashed(), [false, true, false, false], "the pointed blob's, and the pinned one's");
    const window = page.getByRole("group", { name: /^Images of this run/ });
    await window.press("+");
    const grown = (canvas: Element) => canvas.getBoundingClientRect().width / canvas.parentElement!.clientWidth;
    for (const images of [errorMap(), comparison(), filmStrip()])
      assert.equal(Math.round(await images.locator("canvas").first().evaluate(grown)), 2, String(images));
    await window.press("0");
    await window.press("Escape");
    assert.equal(await pinnedRows().count(), 0);
  });

  it("show their result, images, curves, settings and tables without any script, and link to their files", async () => {
    const { page, context } = await openWithoutScript("/reports/");
    assert.equal(
      await page.getByRole("table", { name: "Recorded runs", exact: true }).locator("img").count(),
      names.length,
    );
    await page.getByRole("link", { name: "astronaut-seed" }).click();
    await assertStaticReport(page, "data/runs/astronaut-seed");
    assert.equal(await page.locator("h1").innerText(), "astronaut-seed");
    assert.equal(await page.title(), "astronaut-seed | splatbook");
    const first = await page.getByRole("main").locator("p").first().textContent();
    assert.equal(first, "One of the recorded runs. Compare with other runs.", "room for all that the script adds");
    const file = await page.getByRole("link", { name: "parameters.arrow" }).getAttribute("href");
    const fetched = await context.request.get(new URL(file!, page.url()).href);
    assert.deepEqual(await fetched.body(), readFileSync("data/runs/astronaut-seed/parameters.arrow"));
    await context.close();
  });

  it("log no errors, and send no foreign requests", () => {
    assert.deepEqual(watched.complaints, []);
    assert.deepEqual(watched.foreignRequests, []);
  });
});
