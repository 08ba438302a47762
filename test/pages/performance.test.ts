import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { beforeAll, describe, inject, it } from "vitest";
import { percent, time } from "../../src/components/page/format.js";
import type { Story } from "../../src/components/performance/story.js";
import type { BenchResult } from "../../src/engine/bench/benchResult.js";
import type { RealtimeResult } from "../../src/engine/bench/realtime/realtimeResult.js";
import { readScaling } from "../../src/engine/bench/scaling.js";
import { openPage, type WatchedPage } from "../support/pages.js";

const headline: BenchResult = JSON.parse(await readFile("data/bench/h200-headline.json", "utf8"));
const browser = JSON.parse(await readFile("data/bench/browser.json", "utf8"));
const story: Story = JSON.parse(await readFile("data/bench/story.json", "utf8"));
const scaling = readScaling(await readFile("data/bench/scaling.arrow"));

const stagesOf: Record<string, Record<string, number>> = {
  tiled: { computeDerivatives: 6 },
  binned: { rasterize: 0.1, rasterizeBackward: 0.2, updateBlobs: 0.02, sortLists: 0.03, fillLists: 0.01 },
};

/** A recording with round numbers, so the fractions can be checked by hand. */
const record: BenchResult = {
  ...headline,
  peak: { multiplyAddsPerSecond: 1e13, bytesPerSecond: 1e12 },
  measurements: headline.measurements.map((measured) => ({
    ...measured,
    listTile: [16, 8],
    wait: 1.5,
    roundSteps: [1000, 1000],
    pairs: { blended: 1e7, supported: 2e7, listed: 3e7, entries: 2e5 },
    pairsPerSecond: 1e10,
    share: 0.0345,
    render: { drawing: 0.05, whole: 0.125, stages: { imageMain: 0.05 } },
    stageTimes: stagesOf[measured.pipeline],
  })),
};

/** Returns the texts of the tables with a column of that name, by row, head first. */
function cellsOf(page: Page, column: string): Promise<string[][]> {
  return page
    .getByRole("table")
    .filter({ has: page.getByRole("columnheader", { name: column, exact: true }) })
    .getByRole("row")
    .evaluateAll((rows) => rows.map((row) => Array.from(row.children, (cell) => cell.textContent ?? "").slice(1)));
}

const figureOf = (page: Page, title: string | RegExp) =>
  page.getByRole("figure").filter({ has: page.getByRole("heading", { name: title }) });

describe("the performance page", () => {
  let watched: WatchedPage;
  let page: Page;
  beforeAll(async () => {
    watched = await openPage(`/performance`);
    page = watched.page;
  });

  const figure = (title: string | RegExp) => figureOf(page, title);

  it("draws each sweep with a line per pipeline and a dot per measured job, and lists the refused jobs", async () => {
    for (const [title, axis] of [
      ["Time by number of blobs", "blobs"],
      ["Time by image size", "image"],
      ["Time by blobs and image size", "all"],
      ["Time by tile size", "tile"],
      ["Memory by number of blobs", "blobs"],
      ["Memory by image size", "image"],
    ]) {
      const measured = scaling.rows.filter((row) => row.axis === axis && row.refusal === "");
      await figure(title).locator("svg").first().waitFor();
      const dots = await figure(title).locator('[aria-label="dot"] path, [aria-label="dot"] circle').count();
      assert.equal(dots, measured.length, title);
      const names = await figure(title).locator('[aria-label="text"]').allTextContents();
      for (const { pipeline } of measured) assert.ok(names.join(" ").includes(pipeline), `${title}: ${names}`);
    }
    const refused = scaling.rows.filter(({ refusal }) => refusal !== "");
    const items = await page.locator("details").filter({ hasText: "not measured" }).locator("li").allTextContents();
    assert.equal(items.length, refused.length);
    for (const [i, { refusal }] of refused.entries()) assert.ok(items[i].endsWith(refusal));
  });

  it("shows each version with its predicted and measured time", async () => {
    const texts = await figure("Time of a step by version").locator('[aria-label="text"]').allTextContents();
    const shown = texts.join("\n");
    for (const { name, predicted, measured } of story.versions) {
      assert.ok((await page.getByRole("term").allTextContents()).includes(name));
      for (const time of [...measured, ...(predicted ?? [])]) assert.ok(shown.includes(time.toLocaleString("en-US")));
    }
  });

  it("lists the operations of a pixel–blob pair, and their sum", async () => {
    const rows = (await cellsOf(page, "pixel–blob pair")).slice(1);
    const sum = (column: number) => rows.slice(0, -1).reduce((total, cells) => total + (Number(cells[column]) || 0), 0);
    const [, , forward, backward] = rows.at(-1)!;
    assert.deepEqual([sum(2), sum(3)], [Number(forward), Number(backward)]);
    assert.ok(sum(2) > 0 && sum(3) > sum(2));
  });

  it("compares browsers with Node", async () => {
    const rows = (await cellsOf(page, "steps per second")).filter(([where]) => /browser|Node/.test(where));
    const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1];
    const rates = [median(browser.alone), median(browser.inLab.map(({ rate }: { rate: number }) => rate))];
    const shown = rows.slice(-2).map((row) => Number(row.at(-1)!.replaceAll(",", "")));
    assert.deepEqual(shown, rates.map(Math.round));
    const { ratio } = JSON.parse(await readFile("data/bench/recorded.json", "utf8"));
    await page.getByText(`and a film, which makes a run ${percent(ratio - 1)} longer`).waitFor();
  });

  it("shows the recorded pipelines, and a bar for each of their kernels", async () => {
    const rows = (await cellsOf(page, "step, median")).slice(1);
    assert.deepEqual(
      rows.map(([pipeline]) => pipeline),
      headline.measurements.map(({ pipeline }) => pipeline),
    );
    for (const { pipeline, stageTimes } of headline.measurements) {
      if (!stageTimes) continue;
      const stages = Object.keys(stageTimes);
      const chart = figure(new RegExp(`^${pipeline}: .* in ${stages.length} kernels`));
      await chart.locator('[aria-label="bar"] rect').first().waitFor();
      assert.equal(await chart.locator('[aria-label="bar"] rect').count(), stages.length);
      const labels = await chart.locator('[aria-label="y-axis tick label"] text').allTextContents();
      assert.deepEqual(labels, stages);
    }
  });

  it("names the other recording of the same job, with its times and steps", async () => {
    const { jobs }: RealtimeResult = JSON.parse(await readFile("data/bench/realtime.json", "utf8"));
    const { times } = jobs.find(({ blobs }) => blobs === headline.config.blobs)!;
    const [tiled, binned] = ["tiles-undo", "binned"].map((name) =>
      time(times.find((one) => one.name === name)!.median),
    );
    const words = `second recording of this job on the same GPU: ${tiled} for tiled and ${binned} for binned, in rounds`;
    await page.getByText(words).waitFor();
    assert.equal((await cellsOf(page, "10,000 steps")).length, 0, "times for 10,000 steps are in the chapter alone");
  });

  it("explains a term in a table's head by keys", async () => {
    await page.getByRole("columnheader", { name: "kernel" }).first().focus();
    await page.getByRole("tooltip").filter({ hasText: "A program that a GPU runs" }).waitFor();
  });

  it("measures the pipelines in the reader's browser", async () => {
    await page.getByRole("button", { name: "Measure here" }).click();
    const tables = page.getByRole("table").filter({ hasText: "step, median" });
    await tables.nth(1).waitFor();
    const rows = await cellsOf(page, "step, median");
    const [heads, binned, cpu] = rows.slice(1 + headline.measurements.length);
    assert.deepEqual([binned[0], cpu[0]], ["binned", "cpu"]);
    const at = heads.indexOf("% of peak");
    assert.match(binned[at], /^[\d.]+ %$/);
    assert.equal(cpu[at], "–");
  });

  it("logs no errors, and sends no foreign requests", () => {
    assert.deepEqual(watched.complaints, []);
    assert.deepEqual(watched.foreignRequests, []);
  });

  it("shows the work in relation to the recorded peaks", async () => {
    // In the context of the first page, for its cache.
    const other = await page.context().newPage();
    await other.route(/h200-headline/, (route) =>
      route.fulfill({ body: JSON.stringify(record), contentType: "application/json" }),
    );
    await other.goto("/performance");
    await other.getByRole("columnheader", { name: "% of copy rate" }).waitFor();
    const stages = await cellsOf(other, "% of copy rate");
    const row = (name: string) => stages.find(([stage]) => stage === name)!;
    // 20 operations on each of 10 million pairs in 100 µs, at a peak of 20 trillion per second.
    assert.deepEqual(row("rasterize").slice(1, 3), ["100 µs", "200 M"]);
    assert.equal(row("rasterize")[4], "10 %");
    assert.equal(row("rasterizeBackward")[2], "430 M");
    // A test of 25 operations for each of 200,000 entries with 4 subtiles.
    assert.equal(row("sortLists")[2], "20 M");
    assert.deepEqual([row("fillLists")[2], row("fillLists")[4]], ["–", "–"]);
    const [heads, ...pipelines] = await cellsOf(other, "step, median");
    const binned = pipelines.find(([pipeline]) => pipeline === "binned")!;
    const cell = (head: string) => binned[heads.indexOf(head)];
    assert.deepEqual(
      ["% of peak", "pixel–blob pairs per second", "render from lists", "render from parameters"].map(cell),
      ["3.5 %", "10 G", "50 µs", "125 µs"],
    );
    const points = figureOf(other, /Roofline/).locator('[aria-label="dot"] circle');
    assert.equal(await points.count(), 4, "a dot for each stage that computes");
    const words = await other.getByText("Times include the wait").innerText();
    assert.match(words, /20 trillion operations per second.*1\.5 ms per 1,000 steps of binned/s);
    assert.match(await other.getByRole("definition").locator("xpath=..").first().innerText(), /million operations/);
    await other.close();
  });

  it("is linked from the lab", async () => {
    const lab = await (await fetch(inject("site"))).text();
    assert.match(lab, /<a href="\.\/performance\.html">training speed<\/a> on one GPU/);
  });

  it("shows its recordings without WebGPU", async () => {
    await page.addInitScript("delete Navigator.prototype.gpu");
    await page.evaluate(() => scrollTo(0, 0));
    await page.reload();
    await figureOf(page, /Time by number of blobs/)
      .locator("svg")
      .first()
      .waitFor();
    assert.deepEqual(watched.complaints, []);
  });
});
