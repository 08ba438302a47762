import assert from "node:assert/strict";
import type { Locator, Page } from "playwright-core";
import { beforeAll, describe, it } from "vitest";
import { countSwaps, recordSort } from "../../../../src/components/learn/sorting/sortModel.js";
import { marked, openPage, runBarOf, scrollTo, until, type WatchedPage, waitForRun } from "../../../support/pages.js";

const numbers = [9, 3, 27, 14, 8, 21, 5, 30, 11, 2, 19, 6, 24];
const record = recordSort(Uint32Array.from(numbers));
const swaps = record.comparators.map(countSwaps);

/** Returns the numbers over the bars, from left to right. */
function bars(figure: Locator): Promise<string[]> {
  return figure.locator("g > rect + text").evaluateAll((all) =>
    all
      .map((label) => ({ bar: label.previousElementSibling!.getBoundingClientRect(), text: label.textContent! }))
      .sort((a, b) => a.bar.x - b.bar.x)
      .map(({ text }) => text),
  );
}

/** Returns the numbers of a drawing, in order: without its other texts. */
async function numbersIn(figure: Locator): Promise<string[]> {
  return (await figure.locator("text").allTextContents()).filter((text) => /^(\d+|∞)$/.test(text));
}

/** Returns how many lines of a drawing are bold: one for each swap. */
function countBold(lines: Locator): Promise<number> {
  return lines.evaluateAll((all) => {
    const styles = all.map((line) => getComputedStyle(line));
    const visible = styles.filter(({ stroke }) => stroke !== "none" && stroke !== "rgba(0, 0, 0, 0)");
    return visible.filter(({ strokeWidth }) => Number.parseFloat(strokeWidth) > 2).length;
  });
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
    network = figure("The comparison network");
    sort = figure("Bitonic sort, step by step");
    state = page.getByRole("region", { name: "State of the sort" });
    await figure("Proof by the 0–1 principle").waitFor();
  });

  const figure = (title: string) => page.getByRole("figure", { name: title });
  const type = async (label: string, text: string) => {
    await page.getByLabel(label).fill(text);
    await page.getByLabel(label).press("Enter");
  };
  /** Goes to a step by its timeline, and waits for its text. */
  const goTo = async (name: string, step: string, words: string | RegExp) => {
    await page.getByRole("slider", { name }).fill(step);
    await stepWords(name).filter({ hasText: words }).waitFor();
  };
  const passes = () => state.getByRole("table", { name: /^Swaps in each pass/ }).getByRole("button");
  /** The heights of the bars over the places, without the area that takes the pointer. */
  const barHeights = (direction: Locator) =>
    direction.locator("rect + rect").evaluateAll((all) => all.map((bar) => Number(bar.getAttribute("height"))));
  const stepWords = (name: string) => page.getByRole("group", { name }).getByRole("status");
  const noted = (words: string | RegExp) => page.getByRole("status").filter({ hasText: words }).waitFor();
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
    const exercises = page.getByRole("region", { name: /^Exercise \d/ });
    assert.equal(await exercises.count(), 3);
    await exercises.first().getByText("Partner of a place").waitFor();
    assert.equal((await exercises.first().innerText()).includes("i ^ j"), false);
  });

  it("sends typed numbers through the network pass by pass, with the swapping comparators in bold", async () => {
    // A comparator begins with a dot.
    const comparators = network.locator("circle");
    assert.equal(await comparators.count(), 24);
    await type("Numbers that flow through it", "4 1 3 2 8 6 7 5");
    const flow = recordSort(Uint32Array.of(4, 1, 3, 2, 8, 6, 7, 5));
    /** The numbers before each pass, after the places at the left edge. */
    const columns = async () => (await numbersIn(network)).slice(8);
    const expected = flow.arrangements.map((one) => Array.from(one.numbers, String));
    await settles(columns, expected.flat());
    assert.equal(
      await countBold(network.locator("line")),
      flow.comparators.reduce((sum, all) => sum + countSwaps(all), 0),
    );
    await goTo("Pass of the network", "2", "Pass 2 of 6");
    await settles(columns, expected.slice(0, 3).flat());
    await type("Numbers that flow through it", "1 2 3 4 5 6 7 8 9");
    await noted(/At most 8 numbers fit \(got 9\)/);
    assert.deepEqual(await columns(), expected.slice(0, 3).flat(), "the figure keeps its numbers");
    await page.getByLabel("Places", { exact: true }).first().selectOption("16");
    await settles(() => comparators.count(), 80);
  });

  it("sorts typed numbers pass by pass, and the GPU's kernel makes the same swaps", async () => {
    await type("Numbers to sort", numbers.join(" "));
    await settles(() => bars(sort), [...numbers.map(String), "∞", "∞", "∞"]);
    await goTo("Step of the sort", "6", "Pass 6 of 10");
    await settles(
      () => bars(sort),
      Array.from(record.arrangements[6].numbers, (number) => (number === 0xffffffff ? "∞" : String(number))),
    );
    // An arc comes before its head.
    assert.equal(await countBold(sort.locator("path:first-child")), swaps[5]);
    assert.deepEqual(await passes().allInnerTexts(), swaps.map(String));
    const total = swaps.reduce((sum, n) => sum + n, 0);
    await scrollTo(state, state.getByText(`the same ${total} swaps in the same 10 passes`));
    await settles(() => state.getByTitle("the kernel agrees").allInnerTexts(), Array(10).fill("✓"));
    await settles(
      () => state.getByRole("list", { name: "Swaps in order of arrival" }).getByRole("listitem").count(),
      swaps[5],
    );
    await page.getByLabel("Workgroup", { exact: true }).selectOption({ label: "4 × 4: 16 threads" });
    await state.getByText("did the same with 16 threads").waitFor();
  });

  it("steps by comparator with the active line marked in both codes, and goes to a pass from the table", async () => {
    await page.getByLabel("comparator", { exact: true }).check();
    await state.getByRole("button", { name: /^Pass 4,/ }).click();
    const words = stepWords("Step of the sort");
    await words.filter({ hasText: /Pass 4 of 10 .*the barrier/ }).waitFor();
    const active = state.locator("pre [aria-current]");
    await settles(() => at(active), ["workgroupBarrier();"]);
    const first = record.comparators[4].findIndex(({ swapped }) => swapped);
    const stepper = page.getByRole("group", { name: "Step of the sort" });
    for (let step = 0; step <= first; step++) await stepper.getByRole("button", { name: "One step forward" }).click();
    assert.match(await words.innerText(), /Pass 5 of 10 .*: swapped\.$/);
    for (const line of ["sh_blobs[i] = high;", "sh_blobs[l] = low;", "if (swapped) ["])
      await active.filter({ hasText: line }).waitFor();
    await stepper.getByRole("button", { name: "One step back" }).click();
    assert.match(await words.innerText(), first > 0 ? /not swapped/ : /the barrier/);
  });

  it("rejects invalid input with an error, and keeps the list", async () => {
    await type("Numbers to sort", "1, two, 3");
    await noted(/“two” is not a whole number/);
    await type("Number of random values", "2000");
    await noted(/sorts 2 to 1,024 numbers/);
    assert.equal((await bars(sort)).length, 16);
  });

  it("sorts a tile list in order of arrival, and more numbers than it draws one by one", async () => {
    await waitForRun(page, "Done");
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
    // Thin bars without numbers, over the whole width.
    await settles(() => sort.locator("svg > rect").count(), 128);
    await settles(() => passes().count(), 28);
  });

  it("marks a place in every figure while the reader points at it in one, and shows its partner", async () => {
    const pairing = figure("Partner of a place by XOR");
    await page.getByLabel("8", { exact: true }).first().check();
    await settles(() => pairing.locator("path").count(), 8);
    const place = pairing.getByText("5", { exact: true });
    await place.hover();
    await page.getByText("i = 5 is 0101. Its partner 5 ^ 8 = 13 is 1101").waitFor();
    for (const title of ["The comparison network", "Sort direction by one digit", "Merging a bitonic list"]) {
      assert.ok((await marked(figure(title).locator("rect, line"))).length > 0, title);
    }
    // The mark of a place under the pointer would go when the figure scrolls.
    await place.click();
    await pairing.getByRole("slider", { name: "Place" }).press("ArrowRight");
    await page.getByText("i = 6 is 0110. Its partner 6 ^ 8 = 14 is 1110").waitFor();
  });

  it("shows the blocks of a block size, and a random list after its passes", async () => {
    const direction = figure("Sort direction by one digit");
    await page.getByLabel("8", { exact: true }).last().check();
    await settles(
      async () => (await direction.locator("text").allTextContents()).slice(0, 2),
      ["ascending", "descending"],
    );
    const heights = () => barHeights(direction);
    const half = await heights();
    const rising = half.toSorted((a, b) => a - b);
    const sortedHalf = (from: number) => half.slice(from, from + 8).toSorted((a, b) => a - b);
    assert.deepEqual(half.slice(0, 8), sortedHalf(0));
    assert.deepEqual(half.slice(8), sortedHalf(8).reverse());
    await page.getByLabel("16", { exact: true }).last().check();
    await settles(heights, rising);
  });

  it("merges a typed bitonic list and rejects another one", async () => {
    const merge = figure("Merging a bitonic list");
    await type("A bitonic list", "1 5 9 4");
    await stepWords("Pass of the merge").filter({ hasText: "A bitonic list of 4" }).waitFor();
    await goTo("Pass of the merge", "1", /1 swap\..*: 4 ≤ 5/);
    const lists = ["1", "5", "9", "4", "1", "4", "9", "5"];
    await settles(() => numbersIn(merge), lists);
    await type("A bitonic list", "1 5 2 4");
    await noted(/not bitonic/);
    assert.deepEqual(await numbersIn(merge), lists);
  });

  it("proves the network by all zeros and ones, and finds a failing list when a pass is left out", async () => {
    const proof = figure("Proof by the 0–1 principle");
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
    const cell = page.getByRole("group", { name: "Cell sortedBlocks", exact: true });
    await cell.getByRole("button", { name: "Edit" }).click();
    const text = "const sortedBlocks = recordSort(Uint32Array.from({length: directionPlaces}, () => 7));";
    await cell.getByRole("textbox").fill(text);
    await cell.getByRole("textbox").press("Control+Enter");
    const direction = figure("Sort direction by one digit");
    await settles(async () => new Set(await barHeights(direction)).size, 1);
  });

  it("reports every error of its address, and trains its own small job", async () => {
    const bar = runBarOf(page);
    assert.match(
      await bar.getByRole("status").innerText(),
      /^config must be .* \(got "foo".*\)\. learningRate must be .* \(got "fast"\)\. Troubleshooting$/,
    );
    assert.match(await bar.locator("dd").first().innerText(), / of 200$/);
  });

  it("reports no errors and makes no requests to other origins", () => {
    assert.deepEqual(watched.complaints, []);
    assert.deepEqual(watched.foreignRequests, []);
  });
});
