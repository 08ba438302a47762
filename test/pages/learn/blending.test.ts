import assert from "node:assert/strict";
import type { Locator, Page } from "playwright-core";
import { beforeAll, describe, it } from "vitest";
import { fitsPhone, openPage, type WatchedPage } from "../../support/pages.js";

beforeAll(async () => {});

const figureOf = (page: Page, title: string) => page.locator("figure.learn-figure").filter({ hasText: title }).first();
const fact = (figure: Locator, name: string) =>
  figure.locator("dl > div").filter({ hasText: name }).locator("dd").innerText();
const numbers = (text: string) => text.match(/−?\d+\.\d+/g)!.map((number) => Number(number.replace("−", "-")));

/** Opens a chapter, and holds its run at a moment that the picker shows. */
async function openHeld(name: string): Promise<WatchedPage> {
  const watched = await openPage(`/learn/${name}?engine=cpu&steps=1000000`, { webgpu: false });
  const { page } = watched;
  const bar = page.locator(".run-bar");
  await bar.getByRole("button", { name: "Pause" }).click();
  await page.locator('.run-bar[data-state="paused"]').waitFor();
  await page.locator(".picked-pixel").first().waitFor({ state: "attached" });
  return watched;
}

function isClean({ complaints, foreign }: WatchedPage): void {
  assert.deepEqual(complaints, []);
  assert.deepEqual(foreign, []);
}

describe("the chapter on blending", () => {
  let watched: WatchedPage;
  let page: Page;
  let picker: Locator;
  let blend: Locator;
  const words = () => blend.locator(".stepper-words").innerText();
  const row = (name: string) =>
    blend.locator(".end-panel tr").filter({ hasText: name }).locator("td.number").innerText();
  const step = (label: string) => blend.getByRole("button", { name: label }).click();
  beforeAll(async () => {
    watched = await openHeld("blending");
    page = watched.page;
    picker = figureOf(page, "Pick a pixel");
    blend = figureOf(page, "blended blob by blob");
  });

  it("picks pixels by pointer and keys, and ends in the colour that the run has there", async () => {
    const stage = picker.locator(".picture-stage").first();
    const box = (await stage.boundingBox())!;
    await stage.click({ position: { x: box.width / 2 + 2, y: box.height / 4 + 2 } });
    assert.equal(await fact(picker, "pixel"), "32, 16");
    await stage.press("ArrowRight");
    await stage.press("Shift+ArrowDown");
    assert.equal(await fact(picker, "pixel"), "33, 24");
    await step("To the last step");
    assert.match(await words(), /All blended: T = /);
    const made = numbers((await picker.locator("dd .visually-hidden").innerText()).split(";")[0]);
    assert.deepEqual(numbers(await row("C (1 − T) + T")), made);
  });

  it("steps through the blobs, with the code at work and both composites beside the target", async () => {
    await picker.getByRole("button", { name: "most layers" }).click();
    await page.locator('figure[aria-busy="false"]').first().waitFor();
    await step("To the first step");
    assert.match(await words(), /Before the first blob: C = 0 and T = 1/);
    await step("One step forward");
    assert.match(await words(), /^Blob \d+, 1 of \d+: α = /);
    const [seed, white, apart] = await Promise.all(["C (1 − T) + T", "C + T", "difference"].map(row));
    for (const [channel, c] of numbers(white).entries()) {
      assert.ok(Math.abs(c - numbers(seed)[channel] - numbers(apart)[channel]) < 2e-4);
    }
    await page.locator(".code-line.active").first().waitFor();
    const active = (await blend.locator(".code-line.active").allInnerTexts()).join("\n");
    assert.match(active, /return vec4f\(pixel\.rgb \+ blob\.a \* pixel\.a \* blob\.rgb/);
    assert.match(active, /state\.transmittance \*= 1 - attenuation \* alpha;/);
  });

  it("follows a blob whose opacity, colour or place is changed, and goes back to the run's", async () => {
    const before = await words();
    const [left] = numbers(await fact(blend, "T after"));
    await blend.getByLabel(/^Opacity/).fill("0");
    assert.equal(numbers(await fact(blend, "T after"))[0], 1);
    await blend.getByRole("button", { name: "Undo all changes" }).click();
    assert.equal(numbers(await fact(blend, "T after"))[0], left);
    await blend.getByLabel("Colour").fill("#00ff00");
    const [red, green] = numbers(await blend.locator(".state-panel .swatch-text").innerText());
    assert.ok(red === 0 && green > 0);
    await blend.getByRole("button", { name: "Move later" }).click();
    assert.match(await words(), /, 2 of \d+: /);
    await blend.getByRole("button", { name: "Undo all changes" }).click();
    await step("To the first step");
    await step("One step forward");
    assert.equal(await words(), before);
  });

  it("marks a blob in the picture when its place in the chart is pointed at, however thin its share, and goes there by a click", async () => {
    const columns = blend.locator(".share-columns rect");
    const heights = await blend
      .locator('[aria-label="rect"]')
      .nth(1)
      .locator("rect")
      .evaluateAll((all) => all.map((rect) => Number(rect.getAttribute("height"))));
    assert.equal(await columns.count(), heights.length);
    const thinnest = heights.indexOf(Math.min(...heights));
    const column = columns.nth(thinnest);
    const thing = await column.getAttribute("data-things");
    const { height } = (await column.boundingBox())!;
    // By its number on the axis.
    const position = { x: 5, y: height - 4 };
    await column.hover({ position });
    await blend.locator(`ellipse[data-things="${thing}"].marked`).first().waitFor({ state: "attached" });
    await column.click({ position });
    assert.match(await words(), new RegExp(`^Blob ${thing!.split(":")[1]}, ${thinnest + 1} of`));
  });

  it("comes from both ends of a stack to one colour, whatever the layers", async () => {
    const over = figureOf(page, "Front to back, and back to front");
    await over.getByLabel(/Layer 2/).fill("0.9");
    await over.locator("select").selectOption("black");
    await over.getByRole("button", { name: "To the last step" }).click();
    const verdict = await over.locator(".over-verdict").innerText();
    const [r1, g1, b1, r2, g2, b2] = numbers(verdict);
    assert.deepEqual([r1, g1, b1], [r2, g2, b2]);
    assert.match(verdict, /They differ by (0|[\d.]+ × 10⁻1?[¹⁶⁷]+)/);
  });

  it("fits a phone, complains of nothing, and asks nobody but its own origin", async () => {
    await fitsPhone(page);
    isClean(watched);
    await page.context().close();
  });
});

describe("the chapter on the undo", () => {
  let watched: WatchedPage;
  let page: Page;
  beforeAll(async () => {
    watched = await openHeld("undo");
    page = watched.page;
  });

  it("reckons the memory of both ways for a choice, for the run and for the seeds' job", async () => {
    const figure = figureOf(page, "What it takes to keep every state");
    await figure.getByLabel(/Blobs in each list/).fill("6");
    await figure.locator("select").selectOption("4096");
    const cells = (name: string) => figure.locator("tbody tr").filter({ hasText: name }).locator("td").allInnerTexts();
    assert.deepEqual(await cells("your choice"), ["16,777,216", "64.0", "17.2 GB", "336 MB", "51.2 ×"]);
    await figure.locator("tbody tr").filter({ hasText: "458 MB" }).waitFor();
    const [pixels, length] = await cells("this run");
    assert.equal(pixels, "4,096");
    assert.ok(Number(length) > 5);
  });

  it("walks forward and back to where it began, with a gradient for each blob", async () => {
    const figure = figureOf(page, "Keeping every state, and undoing the last one");
    await figure.getByRole("button", { name: "To the last step" }).click();
    assert.match(await figure.locator(".stepper-words").innerText(), /^Backward, (\d+) of \1: /);
    const [kept, undone] = await figure.locator(".undo-side .swatch-text").filter({ hasText: "T =" }).allInnerTexts();
    assert.equal(kept, "T = 1.00000000");
    assert.ok(Math.abs(numbers(undone)[0] - 1) < 1e-5);
    const rows = await figure.locator("tbody tr").evaluateAll((all) => all.map((row) => row.textContent));
    assert.ok(rows.length > 1);
    for (const cell of await figure.locator("tbody td:nth-child(6)").allInnerTexts())
      assert.match(cell, /^−?\d\.\d{3}$/);
    await figure.getByRole("button", { name: "To the first step" }).click();
    assert.equal(await figure.locator("tbody td:nth-child(4)").first().innerText(), "");
    assert.match(await figure.locator(".undo-memory").first().innerText(), /^0 states kept, 0 bytes/);
  });

  it("measures every pixel of the moment, and shows the worst one in the figures above", async () => {
    const figure = figureOf(page, "What undoing adds, in float32");
    await figure.scrollIntoViewIfNeeded();
    await figure.getByText(/all 4,096 pixels, by the CPU's twin/).waitFor();
    assert.match(await fact(figure, "every T exact"), /^\d\d? %$/);
    const worst = /at (\d+, \d+)/.exec(await fact(figure, "T, worst pixel"))![1];
    await figure.getByRole("button", { name: "Look at the worst pixel" }).click();
    assert.equal(await fact(figureOf(page, "Pick a pixel"), "pixel"), worst);
    assert.equal(await figure.locator("figure.chart svg").count(), 4);
  });

  it("shows what the ceiling keeps away: no way back without it", async () => {
    const figure = figureOf(page, "What the ceiling of α is for");
    await figure.locator("select").selectOption("1");
    await figure.getByLabel("Stop below T = 1/255").uncheck();
    assert.match(await figure.locator(".over-verdict").innerText(), /200 of 200 stacks of 12 blobs have no way back/);
  });

  it("marks the line of the adjoint that belongs to a line of the evaluation", async () => {
    const line = page.locator('.code-line[data-things="code:adjoint.ceiling"]');
    await line.nth(3).waitFor();
    await line.first().hover();
    assert.equal(await page.locator('.code-line.marked[data-things="code:adjoint.ceiling"]').count(), 4);
  });

  it("fits a phone, complains of nothing, and asks nobody but its own origin", async () => {
    await fitsPhone(page);
    isClean(watched);
    await page.context().close();
  });
});
