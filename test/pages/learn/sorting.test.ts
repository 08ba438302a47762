import assert from "node:assert/strict";
import type { Locator, Page } from "playwright-core";
import { beforeAll, describe, it } from "vitest";
import { recordSort, swapsOf } from "../../../src/components/learn/sorting/sortModel.js";
import { fitsPhone, openPage, type WatchedPage } from "../../support/pages.js";

const numbers = [9, 3, 27, 14, 8, 21, 5, 30, 11, 2, 19, 6, 24];
const record = recordSort(Uint32Array.from(numbers));
const swaps = record.comparators.map(swapsOf);

/** The numbers over the bars, from left to right. */
function bars(figure: Locator): Promise<string[]> {
  return figure.locator(".sort-bar").evaluateAll((all) =>
    all
      .map((bar) => ({ x: Number.parseFloat((bar as SVGElement).style.transform.slice(11)), text: bar.textContent! }))
      .sort((a, b) => a.x - b.x)
      .map(({ text }) => text),
  );
}

describe("the page on sorting", () => {
  let watched: WatchedPage;
  let page: Page;
  let network: Locator;
  let sort: Locator;
  beforeAll(async () => {
    watched = await openPage(`/learn/sorting?learningRate=fast`);
    page = watched.page;
    const figure = (title: string) => page.locator(".learn-figure").filter({ hasText: title });
    network = figure("The comparison network");
    sort = figure("Bitonic sort, step by step");
    await figure("A proof by zeros and ones").waitFor();
  });

  const type = async (figure: Locator, label: string, text: string) => {
    await figure.getByLabel(label).fill(text);
    await figure.getByLabel(label).press("Enter");
  };
  const timeline = (figure: Locator) => figure.getByRole("slider");
  const at = (lines: Locator) =>
    lines.evaluateAll((all) => all.map((line) => line.textContent!.trim()).filter((text) => text !== ""));

  it("sends typed numbers through the network, with those comparators bold that swap them, pass by pass", async () => {
    assert.equal(await network.locator(".network-comparator").count(), 24);
    await type(network, "Numbers that flow through it", "4 1 3 2 8 6 7 5");
    const flow = recordSort(Uint32Array.of(4, 1, 3, 2, 8, 6, 7, 5));
    assert.equal(
      await network.locator(".swapped").count(),
      flow.comparators.reduce((sum, all) => sum + swapsOf(all), 0),
    );
    const columns = await network
      .locator(".network-numbers")
      .evaluateAll((all) =>
        all.map((column) => Array.from(column.querySelectorAll("text"), (text) => text.textContent)),
      );
    assert.deepEqual(
      columns,
      flow.arrangements.map((one) => Array.from(one.numbers, String)),
    );
    await timeline(network).fill("2");
    assert.equal(await network.locator(".network-numbers.later").count(), 4);
    await type(network, "Numbers that flow through it", "1 2 3 4 5 6 7 8 9");
    assert.match(await network.locator(".wrong-input").innerText(), /room for 8 numbers, and these are 9/);
    assert.equal(await network.locator(".network-numbers.later").count(), 4, "the figure keeps what it has");
    await network.getByLabel("Places").selectOption("16");
    assert.equal(await network.locator(".network-comparator").count(), 80);
  });

  it("sorts typed numbers pass by pass, and the GPU's kernel makes the same swaps", async () => {
    await type(sort, "Numbers to sort", numbers.join(" "));
    assert.deepEqual(await bars(sort), [...numbers.map(String), "∞", "∞", "∞"]);
    await timeline(sort).fill("6");
    assert.deepEqual(
      await bars(sort),
      Array.from(record.arrangements[6].numbers, (number) => (number === 0xffffffff ? "∞" : String(number))),
    );
    assert.equal(await sort.locator(".sort-arc.swapped").count(), swaps[5]);
    assert.deepEqual(await sort.locator(".pass-table button").allInnerTexts(), swaps.map(String));
    const total = swaps.reduce((sum, n) => sum + n, 0);
    await sort.getByText(`the same ${total} swaps in the same 10 passes`).waitFor();
    assert.deepEqual(await sort.locator(".pass-verdict").allInnerTexts(), Array(10).fill("✓"));
    assert.equal(await sort.locator(".kernel-swaps li").count(), swaps[5]);
    await sort.getByLabel("Workgroup").selectOption("4 × 4: 16 threads");
    await sort.getByText("did the same with 16 threads").waitFor();
  });

  it("steps by comparator with the line at work marked in both texts, and goes to the pass that the table names", async () => {
    await sort.getByLabel("comparator", { exact: true }).check();
    await sort.getByRole("button", { name: /^Pass 4,/ }).click();
    assert.match(await sort.locator(".stepper-words").innerText(), /Pass 4 of 10 .*the barrier/);
    assert.deepEqual(await at(sort.locator(".code-line.active")), ["workgroupBarrier();"]);
    const first = record.comparators[4].findIndex(({ swapped }) => swapped);
    for (let step = 0; step <= first; step++) await sort.getByRole("button", { name: "One step forward" }).click();
    assert.match(await sort.locator(".stepper-words").innerText(), /Pass 5 of 10 .*: swapped\.$/);
    const active = (await at(sort.locator(".code-line.active"))).join("\n");
    for (const line of ["sh_blobs[i] = high;", "sh_blobs[l] = low;", "if (swapped) ["])
      assert.ok(active.includes(line), active);
    await sort.getByRole("button", { name: "One step back" }).click();
    assert.match(await sort.locator(".stepper-words").innerText(), first > 0 ? /left as they are/ : /the barrier/);
  });

  it("refuses what it cannot sort in a sentence, and keeps the list", async () => {
    await type(sort, "Numbers to sort", "1, two, 3");
    assert.match(await sort.locator(".wrong-input").innerText(), /“two” is not a whole number/);
    await type(sort, "How many", "2000");
    assert.match(await sort.locator(".sort-origin").innerText(), /sorts 2 to 1,024 numbers/);
    assert.equal(await sort.locator(".sort-bar").count(), 16);
  });

  it("sorts the short-list of a tile as it arrived, and more numbers than it draws one by one", async () => {
    await page.locator('.run-bar[data-state="done"]').waitFor();
    await sort.getByRole("button", { name: "A tile’s short-list" }).click();
    await sort.getByText(/The short-list of tile \d+, \d+ at step 200, as your GPU’s threads found it/).waitFor();
    const list = (await sort.getByLabel("Numbers to sort").inputValue()).split(", ").map(Number);
    await sort.getByLabel("pass", { exact: true }).check();
    await sort.getByRole("button", { name: "To the last step" }).click();
    const end = (await bars(sort)).slice(0, list.length);
    assert.deepEqual(
      end.map(Number),
      list.toSorted((a, b) => a - b),
    );
    await type(sort, "How many", "100");
    await sort.locator("canvas.sort-strip").waitFor();
    assert.equal(await sort.locator(".pass-table button").count(), 28);
  });

  it("marks a place in every figure while the reader points at it in one, and says who its partner is", async () => {
    const pairing = page.locator(".learn-figure").filter({ hasText: "Partners by XOR" });
    await pairing.getByLabel("8", { exact: true }).check();
    await pairing.locator('.pair-place[data-things="element:5"]').hover();
    assert.match(await pairing.innerText(), /i = 5 is 0101\. Its partner 5 \^ 8 = 13 is 1101/);
    for (const mark of [".network-wire.marked", ".direction-place.marked", ".merge-box.marked"]) {
      assert.ok((await page.locator(mark).count()) > 0, mark);
    }
  });

  it("shows the blocks of a block size, and what a random list has become by then", async () => {
    const direction = page.locator(".learn-figure").filter({ hasText: "Directions by one bit" });
    await direction.getByLabel("8", { exact: true }).check();
    assert.equal(await direction.locator(".sort-direction").count(), 2);
    const heights = await direction
      .locator(".direction-bar")
      .evaluateAll((all) => all.map((bar) => Number(bar.getAttribute("height"))));
    const rising = heights.toSorted((a, b) => a - b);
    const sortedHalf = (from: number) => heights.slice(from, from + 8).toSorted((a, b) => a - b);
    assert.deepEqual(heights.slice(0, 8), sortedHalf(0));
    assert.deepEqual(heights.slice(8), sortedHalf(8).reverse());
    await direction.getByLabel("16", { exact: true }).last().check();
    const all = await direction
      .locator(".direction-bar")
      .evaluateAll((all) => all.map((bar) => Number(bar.getAttribute("height"))));
    assert.deepEqual(all, rising);
  });

  it("merges a typed bitonic list and refuses another one", async () => {
    const merge = page.locator(".learn-figure").filter({ hasText: "Merging a bitonic list" });
    await type(merge, "A bitonic list", "1 5 9 4");
    await timeline(merge).fill("1");
    assert.match(await merge.locator(".stepper-words").innerText(), /1 swap\..*: 4 ≤ 5/);
    assert.deepEqual(await merge.locator(".merge-layer.at-work .merge-box").allTextContents(), ["1", "4", "9", "5"]);
    await type(merge, "A bitonic list", "1 5 2 4");
    assert.match(await merge.locator(".wrong-input").innerText(), /not bitonic/);
    assert.equal(await merge.locator(".merge-layer.at-work .merge-box").count(), 4);
  });

  it("proves the network by all zeros and ones, and finds a list that fails once a pass is left out", async () => {
    const proof = page.locator(".learn-figure").filter({ hasText: "A proof by zeros and ones" });
    await proof.getByRole("button", { name: "Try all lists" }).click();
    await proof.getByText("256 of 256 lists tried, 256 of them sorted.").waitFor();
    assert.match(await proof.innerText(), /sorts every list of 8 numbers/);
    await proof.getByLabel("Network").selectOption({ index: 3 });
    await proof.getByRole("button", { name: "Try all lists" }).click();
    await proof.getByText(/no sorting network\. It fails first at [01 ]+\./).waitFor();
  });

  it("fits a phone, with its wide drawings in boxes of their own", async () => {
    await fitsPhone(page);
  });

  it("says what its address has wrong, and trains its own small job", async () => {
    const bar = page.locator(".learn-run-bar");
    assert.match(await bar.locator(".wrong-input").innerText(), /^learningRate is "fast", but must be .*\.$/);
    assert.match(await bar.locator("dd").first().innerText(), / of 200$/);
  });

  it("has complained of nothing, and asked nobody but its own origin", () => {
    assert.deepEqual(watched.complaints, []);
    assert.deepEqual(watched.foreign, []);
  });
});
