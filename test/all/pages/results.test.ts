import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { describe, inject, it } from "vitest";
import type { Story } from "../../../src/components/learn/sorting/trialTable.js";
import type { Anchors } from "../../../src/components/results/anchors.js";
import { ablationOf, imagesOf, seriesOf } from "../../../src/components/results/qualityFacts.js";
import type { BenchResult } from "../../../src/engine/bench/benchResult.js";
import { readQuality } from "../../../src/engine/bench/qualityResult.js";
import { readScaling } from "../../../src/engine/bench/scaling.js";
import { openPage } from "../../support/pages.js";

const readJson = async (name: string) => JSON.parse(await readFile(`data/bench/${name}`, "utf8"));

const figureOf = (page: Page, title: string) =>
  page.getByRole("figure").filter({ has: page.getByRole("heading", { name: title }) });

/** Returns the number of dots and bars of a chart. */
async function marksOf(page: Page, title: string): Promise<number> {
  const chart = figureOf(page, title);
  await chart.locator("svg").last().waitFor();
  return chart.locator(':is([aria-label="dot"], [aria-label="bar"]) :is(path, circle, rect)').count();
}

const textOf = async (page: Page, title: string) =>
  (await figureOf(page, title).locator('[aria-label="text"]').allTextContents()).join();

describe("the page on image quality", () => {
  it("draws three charts of the recorded runs and the published results, without WebGPU", async () => {
    const quality = readQuality(await readFile("data/bench/quality.arrow"));
    const { published }: Anchors = await readJson("anchors.json");
    const { page, complaints, foreignRequests: foreign } = await openPage("/docs/quality", { webgpu: false });
    const own = seriesOf(quality.runs).reduce((sum, { means }) => sum + means.length, 0);
    const reported = published.reduce((sum, { psnr }) => sum + psnr.length, 0);
    assert.equal(await marksOf(page, "PSNR by number of blobs"), own + reported);
    const names = await textOf(page, "PSNR by number of blobs");
    for (const { who } of published) assert.ok(names.includes(who), `${who}: ${names}`);
    await page.getByText("Published results", { exact: true }).click();
    assert.equal(await page.getByRole("listitem").filter({ hasText: "primitives:" }).count(), published.length);
    assert.equal(await marksOf(page, "PSNR by file size"), own);
    const { ladder, without } = ablationOf(quality.runs);
    assert.equal(await marksOf(page, "Cumulative ablation"), ladder.length * (1 + imagesOf(ladder).length));
    const gains = await textOf(page, "Cumulative ablation");
    for (const { gain } of ladder.slice(1)) assert.ok(gains.includes(Math.abs(gain).toFixed(2)), `${gain}: ${gains}`);
    const text = await page.getByRole("main").innerText();
    for (const { row } of without) assert.ok(text.includes(`dB (${row})`), row);
    assert.ok(text.includes(`Recorded on ${quality.date.slice(0, 10)} on ${quality.adapter}`));
    assert.deepEqual([complaints, foreign], [[], []]);
    await page.context().close();
  });
});

describe("the page on training speed", () => {
  it("draws three charts: by number of blobs, by kernel and by version, without WebGPU", async () => {
    const { rows } = readScaling(await readFile("data/bench/scaling.arrow"));
    const headline: BenchResult = await readJson("h200-headline.json");
    const { versions }: Story = await readJson("story.json");
    const { page, complaints, foreignRequests: foreign } = await openPage("/docs/speed", { webgpu: false });
    const measured = rows.filter(({ axis, refusal }) => refusal === "" && ["blobs", "all"].includes(axis));
    assert.equal(await marksOf(page, "Time of a step by number of blobs"), measured.length);
    const { stageTimes } = headline.measurements.find(({ pipeline }) => pipeline === "binned")!;
    assert.equal(await marksOf(page, "Time of each kernel of binned"), Object.keys(stageTimes!).length);
    const times = await textOf(page, "Time of a step by version");
    for (const { name, predicted = [], measured } of versions) {
      assert.ok((await page.getByRole("term").allTextContents()).includes(name));
      for (const each of [...measured, ...predicted]) assert.ok(times.includes(each.toLocaleString("en-US")));
    }
    assert.deepEqual([complaints, foreign], [[], []]);
    await page.context().close();
  });
});

it("the former addresses of pages lead to the new ones, to the same section", async () => {
  const { page } = await openPage("/quality?a=1#ablation", { webgpu: false });
  await page.waitForURL("**/docs/quality.html?a=1#ablation");
  for (const [former, path] of [
    ["/performance.html", "/docs/speed.html"],
    ["/docs/measurements", "/docs/speed.html"],
    ["/where", "/docs/index.html"],
  ]) {
    await page.goto(former);
    await page.waitForURL(inject("site") + path);
  }
  await page.context().close();
});
