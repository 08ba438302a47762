import assert from "node:assert/strict";
import type { Locator, Page } from "playwright-core";
import { beforeAll, describe, it } from "vitest";
import { openPage, type WatchedPage } from "../../support/pages.js";

describe("the page on workgroups", () => {
  let watched: WatchedPage;
  let page: Page;
  beforeAll(async () => {
    watched = await openPage(`/learn/workgroups`);
    page = watched.page;
  });
  const figure = (title: string) => page.locator("figure.learn-figure").filter({ hasText: title });
  const fact = (within: Locator, name: string) =>
    within
      .locator(".learn-facts div")
      .filter({ has: page.getByText(name, { exact: true }) })
      .locator("dd")
      .innerText();

  it("tells each thread of the dispatch its tile and its pixel, pointed at or dragged to", async () => {
    const place = figure("A workgroup over its tile");
    await place.getByRole("slider", { name: "Thread of the dispatch" }).fill("205");
    // 6 tiles of 8×4 in a row of 44 pixels: 205 = 6 · 32 + 13.
    assert.equal(await fact(place, "workgroup, its tile"), "6");
    assert.equal(await fact(place, "local index"), "13");
    assert.equal(await fact(place, "pixel"), "5, 5");
    await place.locator(".place-threads g").nth(31).hover();
    assert.equal(await fact(place, "thread of the dispatch"), "223");
    assert.equal((await page.locator('.marked[data-things~="thread:31"]').count()) > 1, true);
    await place.locator(".place-map g").nth(5).click({ force: true });
    assert.match(await fact(place, "pixel"), /^47, 3 \(outside\)$/);
    await place.getByLabel("TILE_WIDTH").selectOption("16");
    assert.equal(await place.locator(".place-tile").count(), 3 * 7);
  });

  it("counts the memory that the tiled pipeline declares, against the adapter's limit", async () => {
    const place = figure("A workgroup over its tile");
    const sum = place.locator(".memory-sum");
    await place.getByLabel("GAUSSIANS_PER_BLOCK").selectOption("1024");
    assert.match(await sum.innerText(), /^64 of [\d,]+ threads, and 4,384 of [\d,]+ bytes/);
    assert.equal(await place.locator(".memory-table tbody tr").count(), 4);
  });

  it("steps through the order in which the GPU's threads came to the barrier, and counts without it", async () => {
    const barrier = figure("Write, wait, read");
    await barrier.scrollIntoViewIfNeeded();
    await barrier.getByText(/told by probes in the kernel. Every thread wrote before any thread read/).waitFor();
    await barrier.getByText(/With the barrier: 0 of 768/).waitFor();
    await barrier.getByLabel("Threads of the workgroup").selectOption("8");
    const words = barrier.locator(".stepper-words");
    await barrier.getByText("Arrival 4 of 16").waitFor();
    assert.equal(await barrier.locator(".word.filled").count(), 4);
    await barrier.getByRole("button", { name: "To the last step" }).click();
    assert.match(await words.innerText(), /^Arrival 16 of 16: thread \d is through the barrier and reads \d from/);
    assert.equal(await barrier.locator(".read-arc.shown").count(), 8);
    assert.match((await barrier.locator(".code-line.active").innerText()).trim(), /^let value = sh_values/);
    await barrier.getByRole("button", { name: "To the first step" }).click();
    assert.equal(await barrier.locator(".word.filled").count(), 0);
    await barrier
      .getByText(/480 workgroups|20 runs of 24 workgroups without the barrier: [\d,]+ of 3,840 reads/)
      .waitFor();
    assert.equal(await barrier.locator(".stale-bar").count(), 8);
  });

  it("is stepped by keys, with the focus kept at the ends, and by itself up to the last step", async () => {
    const barrier = figure("Write, wait, read");
    const words = barrier.locator(".stepper-words");
    const isAt = (arrival: number) => words.filter({ hasText: `Arrival ${arrival} of 16` }).waitFor();
    const timeline = barrier.getByRole("slider");
    await timeline.press("End");
    await isAt(16);
    await timeline.press("ArrowLeft");
    await isAt(15);
    const forward = barrier.getByRole("button", { name: "One step forward" });
    for (let press = 0; press < 2; press++) await forward.press("Enter");
    await isAt(16);
    assert.equal(await forward.getAttribute("aria-disabled"), "true");
    assert.ok(await forward.evaluate((button) => button === document.activeElement));
    await timeline.fill("13");
    await barrier.getByRole("button", { name: "Play" }).click();
    assert.equal(await words.getAttribute("aria-live"), "off");
    await isAt(16);
    await barrier.getByRole("button", { name: "Play" }).waitFor();
    assert.equal(await words.getAttribute("aria-live"), "polite");
    assert.match((await timeline.getAttribute("aria-valuetext"))!, /^Arrival 16 of 16/);
  });

  it("steps through a model, and says so, where there is no GPU", async () => {
    await page.goto(`/learn/workgroups?engine=cpu`);
    const barrier = figure("Write, wait, read");
    await barrier.scrollIntoViewIfNeeded();
    await barrier.getByText(/no GPU on this page: this order is drawn by lot/).waitFor();
    await barrier
      .getByText(/In the model, .* [1-9]\d* of 15,360 reads were stale|In the model, .* [\d,]+ of 15,360/)
      .waitFor();
  });

  it("keeps the mark of what a finger has tapped in all figures until it taps elsewhere", async () => {
    const touch = await page.context().newCDPSession(page);
    const tap = async (at: Locator) => {
      await at.scrollIntoViewIfNeeded();
      const { x, y, width, height } = (await at.boundingBox())!;
      await touch.send("Input.dispatchTouchEvent", {
        type: "touchStart",
        touchPoints: [{ x: x + width / 2, y: y + height / 2 }],
      });
      await touch.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
    };
    await tap(page.locator(".place-threads .thread").nth(5));
    await page.locator('.place-threads .marked[data-things~="thread:5"]').waitFor();
    assert.ok((await page.locator('.barrier-drawing .marked[data-things~="thread:5"]').count()) > 0);
    await tap(page.getByRole("heading", { name: "Waiting: the barrier" }));
    await page.locator(".marked").first().waitFor({ state: "detached" });
    assert.deepEqual(watched.complaints, []);
    assert.deepEqual(watched.foreign, []);
  });
});
