import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { beforeAll, describe, inject, it } from "vitest";
import type { Anchors } from "../../src/components/quality/anchors.js";
import { ablationOf, imagesOf, seriesOf } from "../../src/components/quality/qualityFacts.js";
import { curvesFile, qualityFile, readCurves, readQuality } from "../../src/engine/bench/qualityResult.js";
import { bringIntoView, openPage, type WatchedPage } from "../support/pages.js";

const quality = readQuality(await readFile("data/bench/quality.arrow"));
const curves = readCurves(await readFile("data/bench/quality-curves.arrow"));
const anchors: Anchors = JSON.parse(await readFile("data/bench/anchors.json", "utf8"));
const { ladder, without } = ablationOf(quality.runs);
const series = seriesOf(quality.runs);

const comparison = (page: Page) => page.getByRole("group", { name: "Image comparison" });
/** One of the images of the comparison, which have the same place. */
const imageOf = (page: Page) => comparison(page).getByRole("img").first();

/** Returns the fraction of the image, from the left, that shows the original. */
async function dividerOf(page: Page): Promise<number> {
  const box = (await imageOf(page).boundingBox())!;
  const divider = (await comparison(page).locator("div").last().boundingBox())!;
  return (divider.x + divider.width / 2 - box.x) / box.width;
}

const figureOf = (page: Page, title: string) =>
  page.getByRole("figure").filter({ has: page.getByRole("heading", { name: title }) });

describe("the quality page", () => {
  let watched: WatchedPage;
  let page: Page;
  beforeAll(async () => {
    watched = await openPage(`/quality`);
    page = watched.page;
  });

  const figure = (title: string) => figureOf(page, title);
  const dots = async (title: string) => {
    await figure(title).locator("svg").first().waitFor();
    return figure(title).locator('[aria-label="dot"] :is(path, circle)').count();
  };
  const texts = (title: string) => figure(title).locator('[aria-label="text"]').allTextContents();

  it("draws the cumulative and the leave-one-out ablation, with the numbers", async () => {
    const first = "Cumulative ablation";
    assert.equal(await dots(first), ladder.length * (1 + imagesOf(ladder).length));
    const shown = (await texts(first)).join();
    for (const { gain } of ladder.slice(1)) assert.ok(shown.includes(Math.abs(gain).toFixed(2)), `${gain}: ${shown}`);
    const other = figure("Leave-one-out ablation");
    if (without.length > 0) await other.locator("svg").first().waitFor();
    assert.equal(await other.locator('[aria-label="bar"] rect').count(), without.length);
  });

  it("has the same in a table, with each image below it", async () => {
    const tables = page.getByRole("table").filter({ hasText: "gain, dB" });
    const rows = await tables
      .locator("tbody tr")
      .evaluateAll((all) => all.map((row) => Array.from(row.children, (cell) => cell.textContent)));
    assert.deepEqual(
      rows.map(([, row, psnr]) => [row, psnr]),
      [...ladder, ...without].map(({ row, psnr }) => [row, psnr.toFixed(2)]),
    );
    const details = page.locator("details").filter({ hasText: "PSNR of each" });
    await details.locator("summary").click();
    const heads = await details.getByRole("columnheader").allInnerTexts();
    assert.deepEqual(heads.slice(1), imagesOf(ladder));
  });

  it("draws the quality preset by number of blobs, by bits and by structure, with published results", async () => {
    const own = series.reduce((sum, { means }) => sum + means.length, 0);
    const reported = anchors.published.reduce((sum, { psnr }) => sum + psnr.length, 0);
    assert.equal(await dots("PSNR by number of blobs"), own + reported);
    const names = (await texts("PSNR by number of blobs")).join();
    for (const { who } of anchors.published) assert.ok(names.includes(who), `${who}: ${names}`);
    assert.equal(await dots("PSNR by file size"), own);
    const structure = anchors.published.filter(({ msSsim }) => msSsim !== undefined).length;
    assert.equal(await dots("MS-SSIM by number of blobs"), own + structure);
    const summary = page.locator("summary").filter({ hasText: /^Published results/ });
    const details = page.locator("details").filter({ has: summary });
    await summary.click();
    assert.equal(await details.locator("tbody tr").count(), anchors.published.length);
  });

  it("draws PSNR against seconds, with a line per number of blobs", async () => {
    const title = "PSNR by training time";
    await figure(title).locator("svg").first().waitFor();
    assert.equal(await figure(title).locator('[aria-label="line"] path').count(), series[0].means.length);
    const shown = (await texts(title)).join();
    for (const { blobs } of series[0].means) assert.ok(shown.includes(blobs.toLocaleString("en-US")), shown);
  });

  it("names the adapter and the date of the recording", async () => {
    const text = await page.getByRole("main").innerText();
    assert.ok(text.includes(`Recorded on ${quality.date.slice(0, 10)} on ${quality.adapter}`));
  });

  it("compares the original with the render, with a divider that follows pointer and keys", async () => {
    await page.getByRole("slider", { name: /^Divider/, disabled: false }).waitFor();
    assert.match(
      await page.getByText(/a file of .* bits per pixel/).innerText(),
      /1,000 blobs, 10,000 steps, a file of [\d.]+ kB, .* bits per pixel: PSNR [\d.]+ dB/,
    );
    const [left, right] = await comparison(page)
      .locator("canvas")
      .evaluateAll((canvases) =>
        canvases.map((canvas) => {
          const { width, height } = canvas as HTMLCanvasElement;
          const pixels = (canvas as HTMLCanvasElement).getContext("2d")!.getImageData(0, 0, width, height).data;
          return { width, height, alt: canvas.ariaLabel, colors: new Set(new Uint32Array(pixels.buffer)).size };
        }),
      )
      .then((canvases) => canvases.reverse());
    assert.deepEqual([left.width, left.height], [right.width, right.height]);
    assert.ok(left.colors > 1000 && right.colors > 1000, "neither is empty");
    assert.match(right.alt!, /drawn by 1,000 blobs, PSNR [\d.]+ dB/);
    assert.ok(Math.abs((await dividerOf(page)) - 0.5) < 0.01);

    await bringIntoView(comparison(page));
    const box = (await imageOf(page).boundingBox())!;
    await page.mouse.move(box.x + 0.5 * box.width, box.y + 0.5 * box.height);
    await page.mouse.down();
    await page.mouse.move(box.x + 0.2 * box.width, box.y + 0.4 * box.height, { steps: 4 });
    await page.mouse.up();
    const dragged = await dividerOf(page);
    assert.ok(Math.abs(dragged - 0.2) < 0.02, `${dragged}`);
    await page.getByRole("slider", { name: "Divider: original to the left" }).press("ArrowRight");
    assert.ok((await dividerOf(page)) > dragged);
    const slider = page.getByRole("slider");
    assert.match((await slider.getAttribute("aria-valuetext"))!, /^\d+ % original$/);
  });

  it("draws another image with another number of blobs at the same position", async () => {
    const before = await comparison(page).boundingBox();
    await page.getByLabel("image", { exact: true }).selectOption("chelsea");
    await page.getByLabel("blobs", { exact: true }).selectOption("5,000");
    await page.getByText(/^5,000 blobs, [\d,]+ steps, a file of/).waitFor();
    const after = await comparison(page).boundingBox();
    assert.deepEqual([after?.width, after?.height], [before?.width, before?.height]);
  });

  it("offers exactly the stored files", async () => {
    const names = await readdir("data/quality");
    const offered: string[] = [];
    for (const image of await page.getByLabel("image", { exact: true }).locator("option").allInnerTexts()) {
      await page.getByLabel("image", { exact: true }).selectOption(image);
      for (const option of await page.getByLabel("blobs", { exact: true }).locator("option").all()) {
        offered.push(`${image}-quality-${(await option.innerText()).replace(",", "")}.splat2d`);
      }
    }
    assert.deepEqual(offered.sort(), names.sort());
  });

  it("logs no errors, and sends no foreign requests", () => {
    assert.deepEqual(watched.complaints, []);
    assert.deepEqual(watched.foreignRequests, []);
  });

  it("is linked from the lab and the page on speed", async () => {
    for (const [path, words] of [
      ["/", "image quality"],
      ["/performance", "Image quality"],
    ]) {
      const html = await (await fetch(inject("site") + path)).text();
      assert.ok(html.includes(`<a href="./quality.html">${words}`), path);
    }
  });

  it("compares another program with runs on the same image, and names both adapters", async () => {
    const { image, adapter, points } = anchors.measured;
    const [{ blobs }] = points;
    const own = quality.runs.filter(({ row, part }) => part === "sizes" && row === "quality");
    const first = own[0];
    const runs = [...quality.runs, { ...first, image, blobs }];
    const same = ({ row, image, blobs }: (typeof curves)[number]) =>
      row === first.row && image === first.image && blobs === first.blobs;
    const added = curves.filter(same).map((point) => ({ ...point, image, blobs }));
    const shortRuns = quality.runs.filter((run) => run.part === "seconds" && run.image === image);
    const there = { ...quality, adapter: `${adapter} (driver 1)`, runs };
    // In the context of the first page, for its cache.
    const other = await page.context().newPage();
    const answer = (name: RegExp, bytes: Uint8Array) =>
      other.route(name, (route) => route.fulfill({ body: Buffer.from(bytes) }));
    await answer(/quality\.[0-9a-f]+\.arrow/, qualityFile(there));
    await answer(/quality-curves\.[0-9a-f]+\.arrow/, curvesFile([...curves, ...added], there));
    await other.goto("/quality?engine=cpu");
    const chart = figureOf(other, `PSNR of splatbook and ${anchors.measured.who} on ${image}`);
    await chart.locator("svg").first().waitFor();
    assert.equal(await chart.locator('[aria-label="dot"] :is(path, circle)').count(), points.length + shortRuns.length);
    const caption = await chart.locator("figcaption").innerText();
    assert.match(caption, new RegExp(`Lines: splatbook on ${adapter}.*Diamonds: .* on ${adapter}`));
    await other.close();
  });
});
