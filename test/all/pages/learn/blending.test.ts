import assert from "node:assert/strict";
import type { Locator, Page } from "playwright-core";
import { beforeAll, describe, it } from "vitest";
import {
  marked,
  openPage,
  recordAnnouncements,
  runBarOf,
  scrollTo,
  until,
  type WatchedPage,
  waitForRun,
} from "../../../support/pages.js";

const fact = (place: Locator | Page, name: string) =>
  place.locator("dl > div").filter({ hasText: name }).locator("dd").first();
const numbers = (text: string) => text.match(/−?\d+\.\d+/g)!.map((number) => Number(number.replace("−", "-")));

/** Waits until an element has a text. */
const says = (place: Locator, expected: string | RegExp) =>
  until(
    () => place.innerText(),
    (text) => (typeof expected === "string" ? text === expected : expected.test(text)),
    "the text",
  );

/** Opens a chapter and pauses its run once a pixel is selected. */
async function openPaused(name: string): Promise<WatchedPage> {
  const watched = await openPage(`/learn/${name}?engine=cpu&steps=100000000`, { webgpu: false });
  const { page } = watched;
  await runBarOf(page).getByRole("button", { name: "Pause" }).click();
  await waitForRun(page, "Paused");
  await fact(page, "pixel").waitFor();
  return watched;
}

function isClean({ complaints, foreignRequests }: WatchedPage): void {
  assert.deepEqual(complaints, []);
  assert.deepEqual(foreignRequests, []);
}

describe("the chapter on blending", () => {
  let watched: WatchedPage;
  let page: Page;
  let blend: Locator;
  let steps: Locator;
  let editor: Locator;
  const step = (label: string) => steps.getByRole("button", { name: label }).click();
  beforeAll(async () => {
    watched = await openPaused("blending");
    page = watched.page;
    blend = page.getByRole("figure").filter({ hasText: "Compositing a pixel of the run" });
    steps = page.getByRole("group", { name: "Iteration of the blending loop" });
    editor = page.getByRole("group", { name: "Change this blob" });
  });

  it("compares a predicted transmittance with that of the CPU reference", async () => {
    const guess = page.getByRole("figure", { name: /^How much of a pixel do n blobs leave uncovered/ });
    await guess.getByRole("slider", { name: "Your prediction at n = 4" }).press("ArrowUp");
    await guess.getByRole("button", { name: "Compare" }).click();
    await says(guess.getByRole("status"), /^Your curve is off by/);
  });

  it("picks pixels by pointer and keys, and ends with the colour of the render", async () => {
    const grid = page.getByRole("application", { name: /^Render/ });
    const box = (await grid.boundingBox())!;
    await grid.click({ position: { x: box.width / 2 + 2, y: box.height / 4 + 2 } });
    await says(fact(page, "pixel"), "32, 16");
    await grid.press("ArrowRight");
    await grid.press("Shift+ArrowDown");
    await says(fact(page, "pixel"), "33, 24");
    const target = page.getByRole("application", { name: /^Target/ });
    assert.equal(await target.locator("output").innerText(), "column 33, row 24");
    await says(steps.locator("output"), /^Blob/);
    await step("To the last step");
    await says(steps.locator("output"), /All blended: T = /);
    const made = numbers((await fact(page, "render | target").innerText()).split(";")[0]);
    await until(
      async () => numbers(await fact(blend, "C (1 − T) + T").innerText()),
      (shown) => shown.join() === made.join(),
      `the colour, expected to be ${made}`,
    );
  });

  it("steps through the blobs of a frozen step, with the active code and the colour over both backgrounds", async () => {
    const before = await fact(page, "pixel").innerText();
    await page.getByRole("button", { name: "most layers" }).click();
    await until(
      () => fact(page, "pixel").innerText(),
      (pixel) => pixel !== before,
      "the pixel",
    );
    const follows = page.getByLabel("follow the run");
    await follows.check();
    await step("To the first step");
    assert.equal(await follows.isChecked(), false);
    await says(steps.locator("output"), /Before the first blob: C = 0 and T = 1/);
    await step("One step forward");
    await says(steps.locator("output"), /^Blob \d+, 1 of \d+: α = /);
    await says(fact(blend, "T before"), "1.000000");
    const names = ["C (1 − T) + T", "C + T", "difference"];
    const [seed, white, apart] = await Promise.all(names.map((name) => fact(blend, name).innerText()));
    for (const [channel, c] of numbers(white).entries()) {
      assert.ok(Math.abs(c - numbers(seed)[channel] - numbers(apart)[channel]) < 2e-4);
    }
    const active = page.locator("pre [aria-current]");
    await active.filter({ hasText: /return vec4f\(pixel\.rgb \+ blob\.a \* pixel\.a \* blob\.rgb/ }).waitFor();
    await active.filter({ hasText: /state\.transmittance \*= 1 - attenuation \* alpha;/ }).waitFor();
  });

  it("applies changes of a blob's opacity, colour and position, and undoes them", async () => {
    const before = await steps.locator("output").innerText();
    const left = await fact(blend, "T after").innerText();
    assert.notEqual(left, "1.000000");
    await editor.getByLabel(/^Opacity/).fill("0");
    await says(fact(blend, "T after"), "1.000000");
    const undo = editor.getByRole("button", { name: "Undo all changes" });
    await undo.click();
    await says(fact(blend, "T after"), left);
    await editor.getByLabel("Colour").fill("#00ff00");
    await says(blend.locator('span:text-is("C so far") ~ span'), /^0\.0000, 0\.(?!0000)\d+, /);
    await editor.getByRole("button", { name: "Move later" }).click();
    await says(steps.locator("output"), /, 2 of \d+: /);
    await undo.click();
    await says(steps.locator("output"), before);
  });

  it("keeps the blob and the focus while it follows the run", async () => {
    const blob = async () => /^Blob \d+/.exec(await steps.locator("output").innerText())?.[0];
    const before = await blob();
    assert.ok(before);
    const held = page.getByRole("group", { name: "Displayed step" });
    const made = () => fact(page, "render | target").innerText();
    const madeBefore = await made();
    await held.getByLabel("follow the run").check();
    await page.getByRole("application", { name: /^Target/ }).press("Tab");
    const forward = steps.getByRole("button", { name: "One step forward" });
    await forward.focus();
    // Without the focus, which a press would take.
    await runBarOf(page).getByRole("button", { name: "Step", exact: true }).dispatchEvent("click");
    await until(made, (now) => now !== madeBefore, "the pixel's colour");
    assert.equal(await blob(), before);
    assert.ok(await forward.evaluate((button) => button === document.activeElement));
    assert.ok(await held.getByLabel("follow the run").isChecked(), "nothing but the reader ends that");
    // The blob can have another position at that step.
    const [, position] = /, (\d+) of \d+: /.exec(await steps.locator("output").innerText())!;
    await page.keyboard.press("Enter");
    await says(steps.locator("output"), new RegExp(`, ${Number(position) + 1} of \\d+: `));
    assert.equal(await held.getByLabel("follow the run").isChecked(), false);
    await step("One step back");
  });

  it("marks a blob in the image when the pointer is on its column, even if its band is thin, and goes to it on a click", async () => {
    const chart = page.getByRole("figure").filter({ hasText: "Weights of the blobs" });
    // Each blob has a column of the whole height, and a band in the stack.
    const [columns, bands] = [0, 1].map((nth) => chart.locator('[aria-label="rect"]').nth(nth).locator("rect"));
    const heights = await bands.evaluateAll((all) => all.map((rect) => Number(rect.getAttribute("height"))));
    assert.equal(await columns.count(), heights.length);
    const thinnest = heights.indexOf(Math.min(...heights));
    const column = columns.nth(thinnest);
    const { height } = (await column.boundingBox())!;
    // On its number on the axis.
    const position = { x: 5, y: height - 4 };
    await column.hover({ position });
    const markedEllipses = () => marked(blend.locator("path"));
    const isSome = (ellipses: Locator[]) => ellipses.length > 0;
    const outline = await (await until(markedEllipses, isSome, "the marked ellipses")).at(-1)!.getAttribute("d");
    await column.click({ position });
    await says(steps.locator("output"), new RegExp(`^Blob \\d+, ${thinnest + 1} of`));
    assert.equal(
      await blend.locator('path:not([fill="none"])').getAttribute("d"),
      outline,
      "it is the current blob now",
    );
    await step("To the first step");
    const made = () => fact(page, "render | target").innerText();
    const before = await made();
    await page.getByLabel("follow the run").check();
    await columns.nth(heights.indexOf(Math.max(...heights))).hover({ position });
    await page.mouse.down();
    await runBarOf(page).getByRole("button", { name: "Step", exact: true }).dispatchEvent("click");
    await until(made, (now) => now !== before, "the pixel's colour");
    await page.mouse.up();
    // A press is not lost when another step arrives before the release.
    await says(steps.locator("output"), /^Blob \d+, \d+ of/);
  });

  it("gives the same colour in both orders, for any layers", async () => {
    await page.getByRole("spinbutton", { name: /Layer 2/ }).fill("0.9");
    await page.getByLabel("Background").selectOption({ label: "black" });
    const layers = page.getByRole("group", { name: "Layers blended" });
    await layers.getByRole("button", { name: "To the last step" }).click();
    const over = page.getByRole("figure").filter({ hasText: "Front to back and back to front" });
    const verdict = await says(over.getByRole("status"), /^Front to back: C \+ T × background/);
    const [r1, g1, b1, r2, g2, b2] = numbers(verdict);
    assert.deepEqual([r1, g1, b1], [r2, g2, b2]);
    assert.match(verdict, /They differ by (0|[\d.]+ × 10⁻1?[¹⁶⁷]+)/);
  });

  it("announces nothing while it follows the run, and each step that the reader takes", async () => {
    await page.getByLabel("follow the run").check();
    const spoken = await recordAnnouncements(page);
    const display = page.getByRole("group", { name: "Displayed step" });
    const seen = [await display.innerText()];
    await page.getByRole("button", { name: "Run", exact: true }).click();
    const follows = async () => {
      const text = await display.innerText();
      if (!seen.includes(text)) seen.push(text);
      return seen.length;
    };
    await until(follows, (steps) => steps > 3, "the number of displayed steps");
    assert.deepEqual(await spoken(), []);
    await page.getByRole("button", { name: "Pause", exact: true }).click();
    await step("To the first step");
    await step("One step forward");
    const words = await steps.locator("output").innerText();
    assert.ok((await spoken()).includes(words), words);
  });

  it("logs no errors and makes no requests to other origins", async () => {
    isClean(watched);
    await page.context().close();
  });
});

describe("the chapter on the undo", () => {
  let watched: WatchedPage;
  let page: Page;
  const figureOf = (title: string) => page.getByRole("figure").filter({ hasText: title });
  beforeAll(async () => {
    watched = await openPaused("undo");
    page = watched.page;
  });

  it("compares a predicted error with that of undone stacks, which is a few roundings at every α", async () => {
    const guess = page.getByRole("figure", { name: /^12 blobs are blended, then undone/ });
    await guess.getByRole("slider", { name: "Your prediction at α = 0.9999" }).press("ArrowUp");
    await guess.getByRole("button", { name: "Compare" }).click();
    const verdict = guess.getByRole("status");
    await says(verdict, /^Your curve is off by a factor of .*, the answer is [1-5](\.\d+)? × 10⁻⁷\./);
  });

  it("shows the memory of both methods for a choice, the run and the original job", async () => {
    await page.getByRole("spinbutton", { name: /Blobs per pixel/ }).fill("64");
    await page.getByRole("combobox", { name: "Image" }).selectOption({ label: "4096 × 4096 pixels" });
    const cells = async (name: string) =>
      (await page.locator("tbody tr").filter({ hasText: name }).locator("td").allInnerTexts()).slice(2);
    await until(
      () => cells("your choice"),
      (row) => row.join("; ") === "64.0; 17.2 GB; 336 MB",
      "the row of the choice",
    );
    await page.locator("tbody tr").filter({ hasText: "458 MB" }).waitFor();
    const [length] = await cells("this run");
    assert.ok(Number(length) > 5);
    await page.getByText(/It starts with 109 blobs per pixel\. Their states take 458 MB\./).waitFor();
  });

  it("follows the run while the focus moves, until a pixel is chosen", async () => {
    const follows = page.getByLabel("follow the run");
    await follows.check();
    const picture = page.getByRole("application", { name: /^Target/ });
    for (const key of ["Tab", "Shift"]) await picture.press(key);
    assert.ok(await follows.isChecked());
    await picture.press("ArrowLeft");
    assert.equal(await follows.isChecked(), false);
  });

  it("steps forward and backward to the start, with a gradient for each blob", async () => {
    const figure = figureOf("Caching every state and undoing the last one");
    const steps = page.getByRole("group", { name: "Forward and backward pass" });
    await steps.getByRole("button", { name: "To the last step" }).click();
    await says(steps.locator("output"), /^Backward, (\d+) of \1: /);
    const [kept, undone] = [0, 1].map((side) => figure.getByText(/^T = /).nth(side));
    await says(kept, "T = 1.00000000");
    assert.ok(Math.abs(numbers(await undone.innerText())[0] - 1) < 1e-5);
    const table = page.getByRole("region", { name: "The pixel's blobs, their states and gradients" });
    assert.ok((await table.locator("tbody tr").count()) > 1);
    for (const cell of await table.locator("tbody td:nth-child(6)").allInnerTexts())
      assert.match(cell, /^−?\d\.\d{3}$/);
    const tableSteps = page.getByRole("group", { name: "Both passes, blob by blob" });
    await says(tableSteps.locator("output"), await steps.locator("output").innerText());
    await tableSteps.getByRole("button", { name: "To the first step" }).click();
    await says(figure.getByText(/states cached, /), /^0 states cached, 0 bytes/);
    await says(table.locator("tbody td:nth-child(4)").first(), "");
  });

  it("measures every pixel of the step that is shown, and shows the worst one in the figures above", async () => {
    await scrollTo(
      page.getByText("The figure compares undone and cached states"),
      page.getByText(/: 4096 pixels, by the CPU reference/),
    );
    const figure = figureOf("Rounding error of undoing in float32");
    assert.match(await fact(figure, "every T exact").innerText(), /^\d\d? %$/);
    const worst = /at (\d+, \d+)/.exec(await fact(figure, "T, worst pixel").innerText())![1];
    await figure.getByRole("button", { name: "Show the worst pixel" }).click();
    await says(fact(page, "pixel"), worst);
    assert.equal(await figure.locator("svg[aria-label]").count(), 4);
  });

  it("shows that no stack can be undone without the limit", async () => {
    await page.getByRole("combobox", { name: "Largest α" }).selectOption({ label: "1, no limit" });
    await page.getByLabel("Stop below T = 1/255").uncheck();
    const words = figureOf("Error of undoing by the largest α").getByRole("status");
    await says(words, /200 of 200 stacks of 12 blobs cannot be undone/);
  });

  it("marks the line of the adjoint that matches a line of the evaluation", async () => {
    const lines = figureOf("Evaluation of a blob and its adjoint").locator("code > span");
    await lines.filter({ hasText: "min(HIGHEST_ALPHA, blob.opacity" }).hover();
    const texts = await Promise.all((await marked(lines)).map((line) => line.innerText()));
    assert.equal(texts.length, 4, texts.join());
    assert.ok(
      texts.some((text) => text.includes("alpha < HIGHEST_ALPHA")),
      texts.join(),
    );
  });

  it("logs no errors and makes no requests to other origins", async () => {
    isClean(watched);
    await page.context().close();
  });
});
