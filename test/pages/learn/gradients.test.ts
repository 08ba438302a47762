import assert from "node:assert/strict";
import type { Locator, Page } from "playwright-core";
import { beforeAll, describe, it } from "vitest";
import { openPage, type WatchedPage } from "../../support/pages.js";

describe("the page on gradients", () => {
  let watched: WatchedPage;
  let page: Page;
  beforeAll(async () => {
    watched = await openPage(`/learn/gradients?steps=1000000`);
    page = watched.page;
  });
  const figure = (title: string) => page.locator("figure.learn-figure").filter({ hasText: title });
  const fact = (within: Locator, name: string) =>
    within
      .locator(".learn-facts div")
      .filter({ has: page.getByText(name, { exact: true }) })
      .locator("dd");
  const isFact = async (within: Locator, name: string, text: string | RegExp) => {
    await fact(within, name).filter({ hasText: text }).waitFor();
  };

  it("reduces real gradients of the run, of the tile and blob that the reader picks, as the kernel does", async () => {
    const tree = figure("From a gradient in every thread");
    await page.getByRole("button", { name: "Pause" }).click();
    await tree.scrollIntoViewIfNeeded();
    await tree.getByText(/^The gradient of red of blob \d+ at the pixels of tile \d+/).waitFor();
    await tree.getByText("all 15 partial sums have the same bits as here").waitFor();
    const picker = tree.locator(".tile-picker");
    const before = await picker.getAttribute("aria-label");
    await picker.click({ position: { x: 8, y: 8 } });
    assert.match((await picker.getAttribute("aria-label"))!, /column 0, row 0/);
    assert.notEqual(await picker.getAttribute("aria-label"), before);
    await picker.press("ArrowRight");
    assert.match((await picker.getAttribute("aria-label"))!, /column 1, row 0/);
    await tree.getByLabel("Raw parameter").selectOption("8");
    const blob = await tree.getByRole("combobox", { name: "Blob" }).inputValue();
    await tree.getByText(`The gradient of opacity of blob ${blob} at the pixels of tile 1`).waitFor();
  });

  it("clamps and reduces numbers that are typed, and keeps the last good ones", async () => {
    const tree = figure("From a gradient in every thread");
    await tree.getByLabel("Workgroup size").selectOption("8");
    const numbers = tree.getByLabel("Numbers, by local index");
    await numbers.fill("1, 2, 3, 4, 5, 6, 7, 80");
    await numbers.blur();
    await tree.getByRole("button", { name: "To the last step" }).click();
    await isFact(tree, "thread 0’s value", /^38$/);
    await isFact(tree, "clamped", /^1 of 8$/);
    await isFact(tree, "additions so far", /^7$/);
    assert.equal(await tree.locator(".code-line.active").filter({ hasText: "return sh_reduction[0];" }).count(), 1);
    await tree.getByLabel("Clamp to ±").fill("2");
    await tree.getByLabel("Clamp to ±").press("Enter");
    await tree.getByRole("button", { name: "To the last step" }).click();
    await isFact(tree, "thread 0’s value", /^15$/);
    await numbers.fill("1, 2, three");
    await numbers.blur();
    await tree.getByText("“three” is no number").waitFor();
    await isFact(tree, "thread 0’s value", /^15$/);
    await tree.getByRole("button", { name: "One step back" }).click();
    await isFact(tree, "round", /^3 of 3$/);
    assert.equal(await tree.locator(".tree-link").count(), 7);
  });

  it("lets the reader say which thread goes next in the race for a word", async () => {
    const swap = figure("Compare, and swap");
    await swap.scrollIntoViewIfNeeded();
    await swap.getByLabel("Values, one a thread").fill("1, 2, 0");
    await swap.getByLabel("Values, one a thread").press("Enter");
    const card = (thread: number) => swap.locator(".swap-thread").nth(thread);
    assert.ok(await card(2).isDisabled(), "a zero is not added");
    // Both load, then the second one is quicker.
    for (const thread of [0, 1, 1, 1, 0, 0]) await card(thread).click();
    await isFact(swap, "the word", /^2$/);
    await isFact(swap, "its bits", /^0x40000000$/);
    await isFact(swap, "swaps that failed", /^1$/);
    assert.equal(await swap.locator(".code-line.active").filter({ hasText: "seen = swap.old_value;" }).count(), 1);
    await swap.getByRole("button", { name: "To the last step" }).click();
    await isFact(swap, "the word", /^3$/);
    await swap.getByLabel("Who goes next").selectOption("one");
    await swap.getByRole("button", { name: "To the last step" }).click();
    await isFact(swap, "swaps that failed", /^0$/);
    await swap.getByText(/the 3 threads, each of a workgroup of its own, needed [2-9] swaps/).waitFor();
    assert.ok((await swap.locator(".swap-table tbody tr").count()) >= 4);
  });

  it("sums a blob's gradient on the GPU again and again: many results by arrival, one in a fixed order", async () => {
    const race = figure("The same sum");
    await race.scrollIntoViewIfNeeded();
    await race.getByRole("combobox", { name: "Runs" }).selectOption("100");
    await isFact(race, "runs", /^100 of 100$/);
    await isFact(race, "results in fixed order", /^1$/);
    assert.ok(Number(await fact(race, "results by arrival").innerText()) >= 1);
    assert.ok((await race.locator('[aria-label="rect"] rect').count()) >= 2);
    await race.getByLabel("Blob").fill("9999");
    await race.getByLabel("Blob").press("Enter");
    await race.getByText("The blob must be a whole number from 0 to 199.").waitFor();
  });

  it("races in a model, and says so, where there is no GPU", async () => {
    await page.goto(`/learn/gradients?engine=cpu&steps=1000000`);
    await page.getByRole("button", { name: "Pause" }).click();
    const race = figure("The same sum");
    await race.scrollIntoViewIfNeeded();
    await race.getByText(/in a model on the CPU, in float32 and in orders drawn by lot/).waitFor();
    await race.getByRole("combobox", { name: "Runs" }).selectOption("100");
    await isFact(race, "runs", /^100 of 100$/);
    await isFact(race, "results by arrival", /^([2-9]|\d\d+)$/);
    await isFact(race, "results in fixed order", /^1$/);
    assert.deepEqual(watched.complaints, []);
    assert.deepEqual(watched.foreign, []);
  });
});
