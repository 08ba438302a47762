import assert from "node:assert/strict";
import type { Locator, Page } from "playwright-core";
import { beforeAll, describe, it } from "vitest";
import { countSwaps, recordSort } from "../../../src/components/learn/sorting/sortModel.js";
import { openPage, scrollTo, until, type WatchedPage } from "../../support/pages.js";

const numbers = [9, 3, 27, 14, 8, 21, 5, 30, 11, 2, 19, 6, 24];
const record = recordSort(Uint32Array.from(numbers));
const swaps = record.comparators.map(countSwaps);

/** Returns the numbers over the bars, from left to right. */
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
  let state: Locator;
  beforeAll(async () => {
    watched = await openPage(`/learn/sorting?foo=1&learningRate=fast`);
    page = watched.page;
    const figure = (title: string) => page.locator(".learn-figure").filter({ hasText: title });
    network = figure("The comparison network");
    sort = figure("Bitonic sort, step by step");
    state = page.getByRole("region", { name: "State of the sort" });
    await figure("Proof by the 0–1 principle").waitFor();
  });

  const type = async (label: string, text: string) => {
    await page.getByLabel(label).fill(text);
    await page.getByLabel(label).press("Enter");
  };
  /** Goes to a step by its timeline, and waits for its text. */
  const goTo = async (name: string, step: string, words: string | RegExp) => {
    await page.getByRole("slider", { name }).fill(step);
    await stepWords(name).filter({ hasText: words }).waitFor();
  };
  const stepWords = (name: string) => page.getByRole("group", { name }).getByRole("status");
  const noted = (words: string | RegExp) => page.locator(".field-hint").filter({ hasText: words }).waitFor();
  /** Waits until the page draws what is expected. */
  const settles = <T>(read: () => Promise<T>, expected: T) =>
    until(read, (seen) => JSON.stringify(seen) === JSON.stringify(expected), JSON.stringify(expected));
  const at = (lines: Locator) =>
    lines.evaluateAll((all) => all.map((line) => line.textContent!.trim()).filter((text) => text !== ""));

  it("lets the reader predict the number of passes, and says by how much the prediction is off", async () => {
    const guess = page.getByRole("figure", { name: /How many passes/ });
    await guess.getByRole("slider", { name: "Your prediction at n = 16" }).press("ArrowUp");
    await guess.getByRole("button", { name: "Compare" }).click();
    await guess.getByText(/^Your curve is off by .* most at n = 2: .* the answer is 1\.$/).waitFor();
    await guess.getByRole("button", { name: "Draw again" }).click();
    await guess.getByRole("button", { name: "Show the answer" }).click();
    await guess.getByText("The answer goes from 1 at n = 2 to 55 at n = 1,024.").waitFor();
  });

  it("has three exercises that hide shipped code", async () => {
    const exercises = page.locator(".exercise");
    assert.equal(await exercises.count(), 3);
    await exercises.first().getByText("Partner of a place").waitFor();
    assert.equal((await exercises.first().innerText()).includes("i ^ j"), false);
  });

  it("sends typed numbers through the network pass by pass, with the swapping comparators in bold", async () => {
    assert.equal(await network.locator(".network-comparator").count(), 24);
    await type("Numbers that flow through it", "4 1 3 2 8 6 7 5");
    const flow = recordSort(Uint32Array.of(4, 1, 3, 2, 8, 6, 7, 5));
    const columns = () =>
      network
        .locator(".network-numbers")
        .evaluateAll((all) =>
          all.map((column) => Array.from(column.querySelectorAll("text"), (text) => text.textContent!)),
        );
    const expected = flow.arrangements.map((one) => Array.from(one.numbers, String));
    await settles(columns, expected);
    assert.equal(
      await network.locator(".swapped").count(),
      flow.comparators.reduce((sum, all) => sum + countSwaps(all), 0),
    );
    await goTo("Pass of the network", "2", "Pass 2 of 6");
    await settles(columns, expected.slice(0, 3));
    await type("Numbers that flow through it", "1 2 3 4 5 6 7 8 9");
    await noted(/At most 8 numbers fit \(got 9\)/);
    assert.deepEqual(await columns(), expected.slice(0, 3), "the figure keeps its numbers");
    await page.getByLabel("Places", { exact: true }).first().selectOption("16");
    await settles(() => network.locator(".network-comparator").count(), 80);
  });

  it("sorts typed numbers pass by pass, and the GPU's kernel makes the same swaps", async () => {
    await type("Numbers to sort", numbers.join(" "));
    await settles(() => bars(sort), [...numbers.map(String), "∞", "∞", "∞"]);
    await goTo("Step of the sort", "6", "Pass 6 of 10");
    await settles(
      () => bars(sort),
      Array.from(record.arrangements[6].numbers, (number) => (number === 0xffffffff ? "∞" : String(number))),
    );
    assert.equal(await sort.locator(".sort-arc.swapped").count(), swaps[5]);
    assert.deepEqual(await state.locator(".pass-table button").allInnerTexts(), swaps.map(String));
    const total = swaps.reduce((sum, n) => sum + n, 0);
    await scrollTo(state, state.getByText(`the same ${total} swaps in the same 10 passes`));
    await settles(() => state.locator(".pass-verdict").allInnerTexts(), Array(10).fill("✓"));
    await settles(() => state.locator(".kernel-swaps li").count(), swaps[5]);
    await page.getByLabel("Workgroup", { exact: true }).selectOption({ label: "4 × 4: 16 threads" });
    await state.getByText("did the same with 16 threads").waitFor();
  });

  it("steps by comparator with the active line marked in both codes, and goes to a pass from the table", async () => {
    await page.getByLabel("comparator", { exact: true }).check();
    await state.getByRole("button", { name: /^Pass 4,/ }).click();
    const words = stepWords("Step of the sort");
    await words.filter({ hasText: /Pass 4 of 10 .*the barrier/ }).waitFor();
    const active = () => at(state.locator(".code-line.active"));
    await settles(active, ["workgroupBarrier();"]);
    const first = record.comparators[4].findIndex(({ swapped }) => swapped);
    const stepper = page.getByRole("group", { name: "Step of the sort" });
    for (let step = 0; step <= first; step++) await stepper.getByRole("button", { name: "One step forward" }).click();
    assert.match(await words.innerText(), /Pass 5 of 10 .*: swapped\.$/);
    for (const line of ["sh_blobs[i] = high;", "sh_blobs[l] = low;", "if (swapped) ["])
      await state.locator(".code-line.active").filter({ hasText: line }).waitFor();
    await stepper.getByRole("button", { name: "One step back" }).click();
    assert.match(await words.innerText(), first > 0 ? /not swapped/ : /the barrier/);
  });

  it("rejects invalid input with an error, and keeps the list", async () => {
    await type("Numbers to sort", "1, two, 3");
    await noted(/“two” is not a whole number/);
    await type("Number of random values", "2000");
    await noted(/sorts 2 to 1,024 numbers/);
    assert.equal(await sort.locator(".sort-bar").count(), 16);
  });

  it("sorts a tile list in order of arrival, and more numbers than it draws one by one", async () => {
    await page.locator('.run-bar[data-state="done"]').waitFor();
    await page.getByRole("button", { name: "Tile list", exact: true }).click();
    await noted(/The list of tile \d+, \d+ at step 200, in your GPU’s order/);
    const list = (await page.getByLabel("Numbers to sort").inputValue()).split(", ");
    await settles(async () => (await bars(sort)).slice(0, list.length), list);
    await page.getByLabel("pass", { exact: true }).check();
    await page
      .getByRole("group", { name: "Step of the sort" })
      .getByRole("button", { name: "To the last step" })
      .click();
    await settles(
      async () => (await bars(sort)).slice(0, list.length),
      list.toSorted((a, b) => Number(a) - Number(b)),
    );
    await type("Number of random values", "100");
    await sort.locator(".sort-strip").waitFor();
    await settles(() => state.locator(".pass-table button").count(), 28);
  });

  it("marks a place in every figure while the reader points at it in one, and shows its partner", async () => {
    const pairing = page.locator(".learn-figure").filter({ hasText: "Partner of a place by XOR" });
    await page.getByLabel("8", { exact: true }).first().check();
    await settles(() => pairing.locator(".pair-arc").count(), 8);
    await pairing.locator('.pair-place[data-things="element:5"]').hover();
    await page.getByText("i = 5 is 0101. Its partner 5 ^ 8 = 13 is 1101").waitFor();
    for (const mark of [".network-wire.marked", ".direction-place.marked", ".merge-box.marked"]) {
      assert.ok((await page.locator(mark).count()) > 0, mark);
    }
    // The mark of a place under the pointer would go when the figure scrolls.
    await pairing.locator('.pair-place[data-things="element:5"]').click();
    await pairing.getByRole("slider", { name: "Place" }).press("ArrowRight");
    await page.getByText("i = 6 is 0110. Its partner 6 ^ 8 = 14 is 1110").waitFor();
  });

  it("shows the blocks of a block size, and a random list after its passes", async () => {
    const direction = page.locator(".learn-figure").filter({ hasText: "Sort direction by one digit" });
    await page.getByLabel("8", { exact: true }).last().check();
    await settles(() => direction.locator(".sort-direction").count(), 2);
    const heights = () =>
      direction.locator(".direction-bar").evaluateAll((all) => all.map((bar) => Number(bar.getAttribute("height"))));
    const half = await heights();
    const rising = half.toSorted((a, b) => a - b);
    const sortedHalf = (from: number) => half.slice(from, from + 8).toSorted((a, b) => a - b);
    assert.deepEqual(half.slice(0, 8), sortedHalf(0));
    assert.deepEqual(half.slice(8), sortedHalf(8).reverse());
    await page.getByLabel("16", { exact: true }).last().check();
    await settles(heights, rising);
  });

  it("merges a typed bitonic list and rejects another one", async () => {
    const merge = page.locator(".learn-figure").filter({ hasText: "Merging a bitonic list" });
    await type("A bitonic list", "1 5 9 4");
    await stepWords("Pass of the merge").filter({ hasText: "A bitonic list of 4" }).waitFor();
    await goTo("Pass of the merge", "1", /1 swap\..*: 4 ≤ 5/);
    const boxes = merge.locator(".merge-layer.at-work .merge-box");
    await settles(() => boxes.allTextContents(), ["1", "4", "9", "5"]);
    await type("A bitonic list", "1 5 2 4");
    await noted(/not bitonic/);
    assert.equal(await boxes.count(), 4);
  });

  it("proves the network by all zeros and ones, and finds a failing list when a pass is left out", async () => {
    const proof = page.locator(".learn-figure").filter({ hasText: "Proof by the 0–1 principle" });
    await page.getByRole("button", { name: "Try all lists" }).click();
    await proof.getByText("256 of 256 lists tried, 256 of them sorted.").waitFor();
    assert.match(await proof.innerText(), /sorts every list of 8 numbers/);
    await page.getByLabel("Network", { exact: true }).selectOption({ index: 3 });
    await proof.getByText("0 of 256 lists tried, 0 of them sorted.").waitFor();
    await page.getByRole("button", { name: "Try all lists" }).click();
    await proof.getByText(/not a sorting network\. It fails first at [01 ]+\./).waitFor();
  });

  it("counts the cost of the network by the length of the list", async () => {
    const row = page.getByRole("row").filter({ hasText: "11,520" });
    assert.deepEqual((await row.getByRole("cell").allInnerTexts()).slice(0, 5), [
      "512",
      "45",
      "11,520",
      "720",
      "4,608",
    ]);
  });

  it("lets the reader edit a cell, and updates the cells that depend on it", async () => {
    await page.getByRole("button", { name: "Edit the cells" }).click();
    const cell = page.locator(".cell-tools").filter({ hasText: "sortedBlocks" }).first();
    await cell.getByRole("button", { name: "Edit" }).click();
    const text = "const sortedBlocks = recordSort(Uint32Array.from({length: directionPlaces}, () => 7));";
    await cell.locator(".cm-content").fill(text);
    await cell.locator(".cm-content").press("Control+Enter");
    const direction = page.locator(".learn-figure").filter({ hasText: "Sort direction by one digit" });
    await settles(
      () =>
        direction
          .locator(".direction-bar")
          .evaluateAll((all) => new Set(all.map((bar) => bar.getAttribute("height"))).size),
      1,
    );
  });

  it("reports every error of its address, and trains its own small job", async () => {
    const bar = page.getByRole("group", { name: "Training", exact: true });
    assert.match(
      await bar.locator(".run-message").innerText(),
      /^config must be .* \(got "foo".*\)\. learningRate must be .* \(got "fast"\)\. Troubleshooting$/,
    );
    assert.match(await bar.locator("dd").first().innerText(), / of 200$/);
  });

  it("reports no errors and makes no requests to other origins", () => {
    assert.deepEqual(watched.complaints, []);
    assert.deepEqual(watched.foreignRequests, []);
  });
});
