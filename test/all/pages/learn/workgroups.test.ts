import assert from "node:assert/strict";
import type { Locator, Page } from "playwright-core";
import { beforeAll, describe, it } from "vitest";
import { bringIntoView, marked, openPage, scrollTo, until, type WatchedPage } from "../../../support/pages.js";

describe("the page on workgroups", () => {
  let watched: WatchedPage;
  let page: Page;
  let stepper: Locator;
  beforeAll(async () => {
    watched = await openPage(`/learn/workgroups`);
    page = watched.page;
    stepper = page.getByRole("group", { name: "Arrivals of the threads" });
  });
  const figure = (title: string) => page.getByRole("figure", { name: title });
  const barrierFigure = () => figure("A barrier between write and read");
  const threadsOfTile = () => page.getByRole("application", { name: /^Threads of the chosen tile/ });
  /** Arrows lead to the threads that have read. */
  const reads = () => barrierFigure().locator("path").count();
  /** Returns the threads below the marked words of memory. */
  const markedThreads = async () => {
    const words = await marked(barrierFigure().locator("rect"));
    return Promise.all(words.map((word) => word.locator("xpath=following-sibling::*[3]").textContent()));
  };
  const fact = (name: string, value: string) =>
    page
      .locator("dl > div")
      .filter({ has: page.getByText(name, { exact: true }) })
      .locator("dd")
      .getByText(value, { exact: true })
      .waitFor();

  it("compares the reader's curve of stale reads with those on the GPU", async () => {
    const guess = page.getByRole("figure", { name: /^Each thread writes a number/ });
    await guess.getByRole("slider", { name: "Your prediction at threads = 8" }).press("ArrowUp");
    await guess.getByRole("button", { name: "Compare" }).click();
    await guess
      .getByRole("status")
      .filter({ hasText: /^Your curve is off by [\d.]+\s%/ })
      .waitFor();
  });

  it("shows the tile and pixel of each thread of the dispatch, by pointer or slider", async () => {
    const place = figure("Threads of a workgroup and pixels of its tile");
    await place.getByRole("slider", { name: "Thread of the dispatch" }).fill("205");
    // 6 tiles of 8×4 in a row of 44 pixels: 205 = 6 · 32 + 13.
    await fact("workgroup, its tile", "6");
    await fact("local index", "13");
    await fact("pixel", "5, 5");
    await threadsOfTile().getByText("31", { exact: true }).hover({ force: true });
    await fact("thread of the dispatch", "223");
    assert.equal((await marked(threadsOfTile().locator("rect"))).length, 1);
    assert.deepEqual(await markedThreads(), ["31"]);
    const tiles = place.getByRole("application", { name: /^Tiles of the image/ });
    await tiles.getByText("5", { exact: true }).click({ force: true });
    await fact("pixel", "47, 3 (outside)");
    await threadsOfTile().press("ArrowLeft");
    await fact("pixel", "46, 3 (outside)");
    await tiles.press("ArrowLeft");
    await fact("thread of the dispatch", "158");
    await page.getByLabel("TILE_WIDTH").selectOption({ label: "16" });
    await until(
      () => tiles.locator("text").count(),
      (count) => count === 3 * 7,
      "the number of tiles",
    );
    await fact("thread of the dispatch", "158");
  });

  it("counts the workgroup memory of the tiled pipeline against the adapter's limit", async () => {
    await page.getByLabel("Tile list capacity (GAUSSIANS_PER_BLOCK)").selectOption({ label: "1024" });
    const counted = page
      .getByRole("status")
      .filter({ hasText: /^64 of [\d,]+ threads, and 4,384 of [\d,]+ bytes: the limits of/ });
    await scrollTo(page.getByLabel("Tile list capacity (GAUSSIANS_PER_BLOCK)"), counted);
    assert.equal(await page.getByRole("row").filter({ hasText: "sh_" }).count(), 4);
    const bars = page.locator('[aria-label^="4,384 of"] [aria-label="bar"] rect');
    await bars.first().waitFor({ state: "attached" });
    assert.equal(await bars.count(), 4);
  });

  it("steps through the order of arrival on the GPU, and counts stale reads without the barrier", async () => {
    const barrier = barrierFigure();
    await scrollTo(
      barrier,
      page.getByText(/recorded by probes in the kernel. Every thread wrote before any thread read/),
    );
    await scrollTo(
      page.getByRole("button", { name: "Run without the barrier again" }),
      page.getByText(/With the barrier: 0 of 768/),
    );
    await bringIntoView(page.getByLabel("Threads of the workgroup"));
    await page.getByLabel("Threads of the workgroup").selectOption({ label: "8" });
    const words = stepper.getByRole("status");
    await words.filter({ hasText: "Arrival 4 of 16" }).waitFor();
    /** The words of memory with a number. */
    const filled = async () =>
      (await barrier.locator("rect + text").allTextContents()).filter((text) => text !== "").length;
    const becomes = (count: () => Promise<number>, expected: number, what: string) =>
      until(count, (seen) => seen === expected, what);
    await becomes(filled, 4, "the number of filled words");
    await becomes(reads, 0, "the number of reads");
    await stepper.getByRole("button", { name: "To the last step" }).click();
    await words.filter({ hasText: /^Arrival 16 of 16: thread \d is through the barrier and reads \d from/ }).waitFor();
    await becomes(reads, 8, "the number of reads");
    await page
      .locator("pre [aria-current]")
      .filter({ hasText: /^ *let value = sh_values/ })
      .waitFor();
    await stepper.getByRole("button", { name: "To the first step" }).click();
    await becomes(filled, 0, "the number of filled words");
    await scrollTo(
      page.getByRole("button", { name: "Run without the barrier again" }),
      page.getByText(/20 runs of 24 workgroups without the barrier: [\d,]+ of 3,840 reads/),
    );
    assert.equal(await figure("Data race without the barrier").locator('[aria-label="rect"] rect').count(), 8);
  });

  it("stays at the arrival that the reader chose while the kernel was running", async () => {
    await page.evaluate(() => {
      const { mapAsync } = GPUBuffer.prototype;
      const answered = new Promise<void>((answer) => Object.assign(window, { answer }));
      GPUBuffer.prototype.mapAsync = async function (...given) {
        await answered;
        return mapAsync.apply(this, given);
      };
    });
    const threads = page.getByLabel("Threads of the workgroup");
    await threads.selectOption({ label: "16" });
    const note = page.getByRole("status").filter({ hasText: /random order|recorded by probes/ });
    await note.filter({ hasText: "A random order that the barrier allows, until" }).waitFor();
    const words = stepper.getByRole("status");
    await words.filter({ hasText: "Arrival 8 of 32" }).waitFor();
    await stepper.getByRole("button", { name: "To the last step" }).click();
    await words.filter({ hasText: "Arrival 32 of 32" }).waitFor();
    await page.evaluate("answer()");
    await note.filter({ hasText: "recorded by probes in the kernel" }).waitFor();
    assert.match(await words.innerText(), /^Arrival 32 of 32/);
    assert.equal(await reads(), 16);
    await threads.selectOption({ label: "8" });
    await words.filter({ hasText: "Arrival 4 of 16" }).waitFor();
  });

  it("steps by keys, with the focus kept at the ends, and plays up to the last step", async () => {
    const words = stepper.getByRole("status");
    const isAt = (arrival: number) => words.filter({ hasText: `Arrival ${arrival} of 16` }).waitFor();
    const timeline = stepper.getByRole("slider");
    await timeline.press("End");
    await isAt(16);
    await timeline.press("ArrowLeft");
    await isAt(15);
    const forward = stepper.getByRole("button", { name: "One step forward" });
    for (let press = 0; press < 2; press++) await forward.press("Enter");
    await isAt(16);
    assert.equal(await forward.getAttribute("aria-disabled"), "true");
    assert.ok(await forward.evaluate((button) => button === document.activeElement));
    await timeline.fill("13");
    await stepper.getByRole("button", { name: "Play" }).click();
    assert.equal(await words.getAttribute("aria-live"), "off");
    await isAt(16);
    await stepper.getByRole("button", { name: "Play" }).waitFor();
    assert.equal(await words.getAttribute("aria-live"), "polite");
    assert.match((await timeline.getAttribute("aria-valuetext"))!, /^Arrival 16 of 16/);
  });

  it("steps through a model, and says so, without a GPU", async () => {
    await page.goto(`/learn/workgroups?engine=cpu`);
    await scrollTo(barrierFigure(), page.getByText(/This page has no GPU: the order is random/));
    await scrollTo(
      page.getByRole("button", { name: "Run without the barrier again" }),
      page.getByText(/In the model, .* [1-9][\d,]* of 15,360 reads were stale/),
    );
  });

  it("keeps the mark of a tapped thread in all figures until the next tap", async () => {
    const touch = await page.context().newCDPSession(page);
    const tap = async (at: Locator) => {
      await bringIntoView(at);
      const { x, y, width, height } = (await at.boundingBox())!;
      await touch.send("Input.dispatchTouchEvent", {
        type: "touchStart",
        touchPoints: [{ x: x + width / 2, y: y + height / 2 }],
      });
      await touch.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
    };
    const becomeMarked = (count: number) =>
      until(
        async () => (await marked(threadsOfTile().locator("rect"))).length,
        (seen) => seen === count,
        "the number of marked threads",
      );
    await tap(threadsOfTile().getByText("5", { exact: true }));
    await becomeMarked(1);
    assert.deepEqual(await markedThreads(), ["5"]);
    await tap(page.getByRole("heading", { name: "Barriers and data races" }));
    await becomeMarked(0);
    assert.deepEqual(await markedThreads(), []);
  });

  it("links from a kernel that failed to the help page", async () => {
    await page.goto("/learn/workgroups");
    await page.evaluate(() => {
      GPUDevice.prototype.createShaderModule = () => {
        throw new Error("this adapter is tired");
      };
    });
    await page.getByLabel("Threads of the workgroup").selectOption({ label: "64" });
    const failed = page.getByText("The kernel did not run: this adapter is tired. This is an order");
    await scrollTo(barrierFigure(), failed.getByRole("link", { name: "Troubleshooting" }));
    assert.deepEqual(watched.complaints, []);
    assert.deepEqual(watched.foreignRequests, []);
  });
});
