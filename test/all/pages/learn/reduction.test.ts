import assert from "node:assert/strict";
import type { Locator, Page } from "playwright-core";
import { beforeAll, describe, it } from "vitest";
import { openPage, scrollTo, until, type WatchedPage } from "../../../support/pages.js";

describe("the page on summing gradients", () => {
  let watched: WatchedPage;
  let page: Page;
  beforeAll(async () => {
    watched = await openPage(`/learn/reduction?steps=1000000`);
    page = watched.page;
  });
  const figure = (title: string) => page.getByRole("figure", { name: title });
  const fact = (within: Locator, name: string) =>
    within
      .locator("dl > div")
      .filter({ has: page.getByText(name, { exact: true }) })
      .locator("dd");
  const isFact = async (within: Locator, name: string, text: string | RegExp) => {
    await fact(within, name).filter({ hasText: text }).waitFor();
  };

  it("compares predicted rounds with those of the reduction", async () => {
    const guess = page.getByRole("figure", { name: /^How many rounds/ });
    const last = guess.getByRole("slider", { name: "Your prediction at n = 256" });
    await last.press("ArrowDown");
    await guess.getByRole("button", { name: "Compare" }).click();
    await guess
      .getByRole("status")
      .filter({ hasText: /^Your curve is off by/ })
      .waitFor();
  });

  it("reduces the gradients of the chosen tile and blob, bit-identical to the kernel", async () => {
    await page.getByRole("button", { name: "Pause" }).click();
    await page.getByText(/^The gradient of red of blob \d+ at the pixels of tile \d+/).waitFor();
    const kernel = page.getByText("all 15 partial sums are bit-identical to those shown");
    await scrollTo(page.getByRole("group", { name: /^WGSL, / }).filter({ hasText: "fn treeReduce" }), kernel);
    const picker = page.getByRole("application", { name: "Tiles of the blobs’ image" });
    const chosen = picker.locator("output");
    const before = await chosen.textContent();
    assert.notEqual(before, "column 0, row 0");
    // A later step can replace the grid.
    const isAt = (column: number, choose: () => Promise<void>) =>
      until(
        async () => {
          if ((await chosen.textContent()) !== `column ${column}, row 0`) await choose();
          return chosen.textContent();
        },
        (text) => text === `column ${column}, row 0`,
        "the tile",
      );
    await isAt(0, () => picker.click({ position: { x: 8, y: 8 } }));
    await isAt(1, async () => {
      await picker.click({ position: { x: 8, y: 8 } });
      await picker.press("ArrowRight");
    });
    await page.getByLabel("Raw parameter").selectOption("8");
    await page.getByText(/^The gradient of opacity of blob \d+ at the pixels of tile 1,/).waitFor();
    const blob = page.getByRole("combobox", { name: "Blob", exact: true }).locator("option:checked");
    await page
      .getByText(`The gradient of opacity of blob ${await blob.textContent()} at the pixels of tile 1,`)
      .waitFor();
  });

  it("clamps and reduces typed numbers, and keeps the last valid ones", async () => {
    const tree = figure("Tree reduction of the gradients of a tile");
    const rounds = page.getByRole("group", { name: "Rounds of the reduction" });
    await page.getByLabel("Workgroup size").selectOption("8");
    await isFact(tree, "round", /^2 of 3$/);
    const numbers = page.getByLabel("Numbers, by local index");
    await numbers.fill("1, 2, 3, 4, 5, 6, 7, 80");
    await numbers.blur();
    await page.getByText("Numbers of your own.").waitFor();
    await rounds.getByRole("button", { name: "To the last step" }).click();
    await isFact(tree, "thread 0’s value", /^38$/);
    await isFact(tree, "clamped", /^1 of 8$/);
    await isFact(tree, "additions so far", /^7$/);
    await page.locator("pre [aria-current]").filter({ hasText: "return sh_reduction[localIndex];" }).waitFor();
    await page.getByLabel("Clamp to ±", { exact: true }).fill("2");
    await page.getByLabel("Clamp to ±", { exact: true }).press("Enter");
    await isFact(tree, "thread 0’s value", /^15$/);
    await numbers.fill("1, 2, three");
    await numbers.blur();
    await page.getByText("“three” is not a float32 number").waitFor();
    await isFact(tree, "thread 0’s value", /^15$/);
    await rounds.getByRole("button", { name: "One step back" }).click();
    await isFact(tree, "round", /^3 of 3$/);
    const additions = tree.getByRole("img", { name: /^8 gradients/ }).locator("path[fill=none]");
    assert.equal(await additions.count(), 7);
  });

  it("runs the thread that the reader chooses next", async () => {
    const swap = figure("Compare-and-swap loop");
    const steps = page.getByRole("group", { name: "Steps of the threads" });
    await page.getByLabel("Values, one per thread").fill("1, 2, 0");
    await page.getByLabel("Values, one per thread").press("Enter");
    const card = (thread: number) => page.getByRole("button", { name: new RegExp(`^Thread ${thread} ?adds`) });
    await page.getByRole("button", { name: /^Thread 2 ?adds 0.*done/ }).waitFor();
    assert.ok(await card(2).isDisabled(), "a zero is not added");
    // Both load, then the second one swaps first.
    for (const thread of [0, 1, 1, 1, 0, 0]) await card(thread).click();
    await isFact(swap, "word", /^2$/);
    await isFact(swap, "bits", /^0x40000000$/);
    await isFact(swap, "failed swaps", /^1$/);
    await swap.locator("pre [aria-current]").filter({ hasText: "seen = swap.old_value;" }).waitFor();
    await steps.getByRole("button", { name: "To the last step" }).click();
    await isFact(swap, "word", /^3$/);
    await page.getByLabel("Order of threads").selectOption("one thread after the other");
    await isFact(swap, "word", /^0$/);
    await steps.getByRole("button", { name: "To the last step" }).click();
    await isFact(swap, "word", /^3$/);
    await isFact(swap, "failed swaps", /^0$/);
    await scrollTo(
      page.getByRole("button", { name: "Run on the GPU again" }),
      page.getByText(/the 3 threads, each in its own workgroup, needed [2-9] swaps/),
    );
    const events = page.getByRole("group", { name: "Events of the GPU’s threads" });
    assert.ok((await events.locator("tbody tr").count()) >= 4);
  });

  it("sums a blob's gradient repeatedly on the GPU: results in order of arrival, one result in a fixed order", async () => {
    const race = figure("Repeated sums");
    await page.getByLabel("Runs", { exact: true }).selectOption("100");
    const ran = fact(race, "runs").filter({ hasText: /^100 of 100$/ });
    await scrollTo(page.getByRole("button", { name: "Run again" }), ran);
    await isFact(race, "results in fixed order", /^1$/);
    assert.ok(Number(await fact(race, "results in order of arrival").innerText()) >= 1);
    assert.ok((await race.locator('[aria-label="rect"] rect').count()) >= 2);
    await page.getByLabel("Blob to sum", { exact: true }).fill("9999");
    await page.getByLabel("Blob to sum", { exact: true }).press("Enter");
    await page.getByText("Blob to sum must be a whole number between 0 and 199 (got 9999).").waitFor();
  });

  it("runs a CPU model without a GPU, and reports it", async () => {
    await page.goto(`/learn/reduction?engine=cpu&steps=100000000`);
    await page.getByRole("button", { name: "Pause" }).click();
    const race = figure("Repeated sums");
    await scrollTo(
      page.getByRole("button", { name: "Run again" }),
      page.getByText(/in a CPU model, in float32 and random order/),
    );
    await page.getByLabel("Runs", { exact: true }).selectOption("100");
    await isFact(race, "runs", /^100 of 100$/);
    await isFact(race, "results in order of arrival", /^([2-9]|\d\d+)$/);
    await isFact(race, "results in fixed order", /^1$/);
    assert.deepEqual(watched.complaints, []);
    assert.deepEqual(watched.foreignRequests, []);
  });
});
