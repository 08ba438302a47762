import assert from "node:assert/strict";
import type { Locator, Page } from "playwright-core";
import { beforeAll, describe, it } from "vitest";
import { longestStep } from "../../../src/components/learn/adam/bound.js";
import { fitsPhone, openPage, type WatchedPage } from "../../support/pages.js";

describe("the page on Adam", () => {
  let watched: WatchedPage;
  let page: Page;
  let replay: Locator;
  let rules: Locator;
  let bound: Locator;
  beforeAll(async () => {
    watched = await openPage(`/learn/adam?engine=cpu&blobs=60&steps=100&size=32`, { webgpu: false });
    page = watched.page;
    const figure = (title: string) => page.locator(".learn-figure").filter({ hasText: title });
    replay = figure("One raw parameter, and four rules");
    rules = figure("The same job, trained by each rule");
    bound = figure("How long a step can be");
    await replay.scrollIntoViewIfNeeded();
    await page
      .getByText(/^100 steps of 60 blobs are recorded/)
      .first()
      .waitFor();
  });

  const timeline = () => replay.getByRole("slider", { name: "Training step" });
  const words = () => replay.locator(".stepper-words").first().innerText();
  const row = async (name: string) =>
    (await replay.locator(".adam-table tr").filter({ hasText: name }).first().locator("td").allInnerTexts()).map(
      (text) => Number(text.replace("−", "-").replace("e−", "e-")),
    );
  const chart = (title: string) =>
    replay.locator("figure.chart").filter({ has: page.getByText(title, { exact: true }) });
  const lines = (figure: Locator) => figure.locator('[aria-label="line"] path').count();
  /** Numbers are typed, and taken when one leaves the control. */
  const turn = async (label: string, text: string) => {
    await replay.getByLabel(label, { exact: true }).fill(text);
    await replay.getByLabel(label, { exact: true }).press("Enter");
  };

  it("draws a recorded parameter through the rules, and puts the same step into charts, table and words", async () => {
    await replay.getByLabel("Or find").selectOption({ label: "one that freezes" });
    assert.deepEqual(
      [
        await lines(chart("Gradient g")),
        await lines(chart("Their size: √v̂")),
        await lines(chart("Step")),
        await lines(chart("Raw parameter")),
      ],
      [1, 2, 4, 4],
    );
    assert.ok((await chart("Raw parameter").locator('[aria-label="rect"] rect').count()) > 0, "what is flat is grey");
    await timeline().fill("0");
    assert.match(await words(), /^Step 1 of 100: the gradient of \w+( \w+)? of blob \d+ is/);
    // ε takes a little off where gradients are small.
    for (const length of (await row("step ÷ η")).slice(0, 2)) {
      assert.ok(Math.abs(Math.abs(length) - 1) < 1e-3, "both corrections are right at first");
    }
    await timeline().press("End");
    assert.match(await words(), /^Step 100 of 100: .* is 0\.$/);
    assert.ok(Math.abs((await row("step ÷ η"))[0]) < 0.01, "it has coasted to a halt");
  });

  it("takes the cursor where it is dragged, in every chart", async () => {
    await chart("Step").scrollIntoViewIfNeeded();
    const box = (await chart("Step").locator(".trace-stage").boundingBox())!;
    await page.mouse.move(box.x + 0.3 * box.width, box.y + 60);
    await page.mouse.down();
    await page.mouse.move(box.x + 0.5 * box.width, box.y + 60, { steps: 3 });
    await page.mouse.up();
    const step = Number(await timeline().inputValue());
    assert.ok(step > 40 && step < 55, `${step}`);
    const cursors = await replay
      .locator(".trace-cursor")
      .evaluateAll((all) => all.map((cursor) => Math.round(cursor.getBoundingClientRect().left)));
    assert.equal(cursors.length, 5);
    assert.equal(new Set(cursors).size, 1);
    assert.ok(Math.abs(cursors[0] - (box.x + 0.5 * box.width)) < 6);
  });

  it("goes through the lines of an update in the kernel and its twin, with the step's numbers", async () => {
    const line = replay.getByRole("slider", { name: "Line of the update" });
    const active = () =>
      replay.locator(".code-line.active").evaluateAll((all) => all.map((one) => one.textContent!.trim()));
    await line.fill("1");
    const [wgsl, twin] = await active();
    assert.match(wgsl, /^let first = BETA_1/);
    assert.match(twin, /^const m = beta1/);
    await line.fill("5");
    assert.match((await active())[0], /^return AdamState\(state\.parameter/);
    const told = await replay.locator(".line-by-line .stepper-words").innerText();
    assert.match(told, /becomes/);
    await replay.locator(".adam-table th").filter({ hasText: /^v$/ }).hover();
    assert.match(await replay.locator(".code-line.marked").first().innerText(), /second = BETA_2/);
    await page.locator('.formula [data-things="code:adam.first"]').last().hover();
    assert.match(await replay.locator(".code-line.marked").first().innerText(), /first = BETA_1/);
  });

  it("chooses a blob by a click in the picture, and refuses one that there is not", async () => {
    const blob = replay.getByLabel("Blob", { exact: true });
    const before = await blob.inputValue();
    const canvas = replay.locator("canvas");
    await canvas.click({ position: { x: 30, y: 200 } });
    const chosen = await blob.inputValue();
    assert.notEqual(chosen, before);
    assert.ok((await canvas.getAttribute("aria-label"))!.includes(`blob ${chosen} is chosen`));
    await turn("Blob", "60");
    assert.equal(await replay.getByText("A whole number from 0 to 59.").count(), 1);
    assert.match(await words(), new RegExp(`of blob ${chosen} is`), "the figure keeps what it has");
    await turn("Blob", "7");
    assert.match(await words(), /of blob 7 is/);
  });

  it("follows its settings, says what is wrong with one, and names synthetic gradients as such", async () => {
    await replay.getByLabel("Gradients", { exact: true }).selectOption("steady");
    await timeline().press("End");
    const [constant, exact] = (await row("step ÷ η")).map(Math.abs);
    assert.ok(Math.abs(exact - 1) < 1e-3);
    assert.ok(constant < 1);
    assert.match(await words(), /the sequence “steady”/);
    await turn("β₂", "0.9");
    const [other] = (await row("step ÷ η")).map(Math.abs);
    assert.ok(Math.abs(other - Math.sqrt(0.1) / 0.1) < 0.01, `${other}`);
    await turn("β₁", "1");
    assert.equal(await replay.getByText("A number from 0, below 1.").count(), 1);
    assert.ok(Math.abs(Math.abs((await row("step ÷ η"))[0]) - other) < 1e-6);
    await turn("β₁", "0.9");
    await turn("β₂", "0.999");
    await replay.getByLabel("Gradients", { exact: true }).selectOption("recorded");
  });

  it("ends the worst case on the bound, wherever it ends", async () => {
    await bound.scrollIntoViewIfNeeded();
    for (const share of ["40", "90"]) {
      await bound.getByLabel("Steps in the sequence").fill(share);
      const steps = Math.round(3000 ** (Number(share) / 100));
      const told = await bound.locator(".bound-words").first().innerText();
      for (const rule of ["constant", "exact"] as const) {
        const [, length, most] =
          new RegExp(`${rule} correction: step ${steps} is ([\\d.]+) η long, at most ([\\d.]+) η`).exec(told) ?? [];
        assert.equal(most, longestStep(rule, steps).toFixed(3), told);
        assert.ok(Number(length) > 0.99 * Number(most) && Number(length) <= Number(most), told);
      }
    }
    await bound.getByLabel("Gradients", { exact: true }).selectOption("recorded");
    assert.match(await bound.locator(".bound-words").last().innerText(), /the longest of all steps .* was [12]\.\d+ η/);
  });

  it("trains the job by all four rules, and Adam comes nearer to the picture than those without v", async () => {
    await rules.scrollIntoViewIfNeeded();
    await rules.getByText("100 steps each, from the same start.").waitFor();
    assert.equal(await lines(rules.locator("figure.chart").first()), 4);
    assert.equal(await lines(rules.locator("figure.chart").last()), 4);
    const [constant, exact, momentum, plain] = (await rules.locator("dd").allInnerTexts()).map(Number.parseFloat);
    assert.ok(Math.min(constant, exact) > Math.max(momentum, plain) + 1, `${[constant, exact, momentum, plain]}`);
    const again = rules.getByRole("button", { name: "Train all four with these settings" });
    assert.equal(await again.isDisabled(), true);
    await turn("Adam’s η", "0.02");
    assert.equal(await again.isEnabled(), true);
  });

  it("has no request for anybody else, no complaint, and fits a phone", async () => {
    await fitsPhone(page);
    assert.deepEqual(watched.complaints, []);
    assert.deepEqual(watched.foreign, []);
  });
});
