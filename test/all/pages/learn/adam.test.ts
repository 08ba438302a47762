import assert from "node:assert/strict";
import type { Locator, Page } from "playwright-core";
import { beforeAll, describe, it } from "vitest";
import { longestStep } from "../../../../src/components/learn/adam/stepBound.js";
import { bringIntoView, marked, openPage, scrollTo, until, type WatchedPage } from "../../../support/pages.js";

describe("the page on Adam", () => {
  let watched: WatchedPage;
  let page: Page;
  beforeAll(async () => {
    watched = await openPage(`/learn/adam?engine=cpu&blobs=60&steps=100&size=32`, { webgpu: false });
    page = watched.page;
    await page.getByText(/^Recorded 100 steps of 60 blobs/).waitFor();
  });

  const figure = (title: string) => page.getByRole("figure", { name: title });
  const replay = () => figure("One raw parameter in four optimizers");
  const timeline = () => page.getByRole("slider", { name: "Training step" });
  const sentence = (text: RegExp) => page.getByText(text).waitFor();
  const values = () => page.getByRole("group", { name: /^Values at step \d+$/ });
  const row = async (name: string) => {
    const cells = values().locator("tr").filter({ hasText: name }).first().locator("td");
    return (await cells.allInnerTexts()).map((text) => Number(text.replace("−", "-").replace("e−", "e-")));
  };
  /** The step lengths of Adam's two variants at a step. */
  const lengthsAt = async (step: number) => {
    await page.getByRole("group", { name: `Values at step ${step}`, exact: true }).waitFor();
    return (await row("step ÷ η")).slice(0, 2).map(Math.abs);
  };
  const chart = (title: string) => page.getByLabel(`${title}, against training steps`, { exact: true });
  const lines = (figure: Locator) => figure.locator('[aria-label="line"] path').count();
  /** Types a number and confirms it. */
  const type = async (label: string, text: string) => {
    await page.getByLabel(label, { exact: true }).fill(text);
    await page.getByLabel(label, { exact: true }).press("Enter");
  };

  it("compares a predicted step with that of the optimizer, which is η long at any gradient but those near ε", async () => {
    const guess = page.getByRole("figure", { name: /^How long is Adam/ });
    await guess.getByRole("slider", { name: "Your prediction at g = 1", exact: true }).press("ArrowUp");
    await guess.getByRole("button", { name: "Compare" }).click();
    await guess
      .getByText(/^Your curve is off by a factor of .* you drew 0\.1 η, the answer is 0\.0099\d* η\./)
      .waitFor();
  });

  it("shows a recorded parameter with all rules, at the same step in charts, table and text", async () => {
    await page.getByLabel("Example").selectOption({ label: "freezes" });
    await sentence(/^After 100 steps of the recorded run, \d+ of 540 raw parameters are frozen\./);
    const flat = chart("Raw parameter").locator('[aria-label="rect"] rect');
    await flat.first().waitFor();
    assert.deepEqual(
      [
        await lines(chart("Gradient g")),
        await lines(chart("Root of the mean square: √v̂")),
        await lines(chart("Step")),
        await lines(chart("Raw parameter")),
      ],
      [1, 2, 4, 4],
    );
    await timeline().press("End");
    await sentence(/^Step 100 of 100: .* is 0\.$/);
    assert.ok((await lengthsAt(100))[0] < 0.01, "it no longer moves");
    await timeline().fill("0");
    await sentence(/^Step 1 of 100: the gradient of \w+( \w+)? of blob \d+ is/);
    // ε shortens steps slightly where gradients are small.
    for (const length of await lengthsAt(1)) {
      assert.ok(Math.abs(length - 1) < 1e-3, "both corrections are exact at first");
    }
  });

  it("moves the cursor of every chart when one is dragged", async () => {
    await bringIntoView(chart("Step"));
    const box = (await chart("Step").boundingBox())!;
    await page.mouse.move(box.x + 0.3 * box.width, box.y + 60);
    await page.mouse.down();
    await page.mouse.move(box.x + 0.5 * box.width, box.y + 60, { steps: 3 });
    await page.mouse.up();
    const step = Number(await timeline().inputValue());
    assert.ok(step > 40 && step < 55, `${step}`);
    // A cursor lies over each chart.
    const cursors = await replay()
      .locator("svg + div")
      .evaluateAll((all) => all.map((cursor) => Math.round(cursor.getBoundingClientRect().left)));
    assert.equal(cursors.length, 5);
    assert.equal(new Set(cursors).size, 1);
    assert.ok(Math.abs(cursors[0] - (box.x + 0.5 * box.width)) < 6);
    await lengthsAt(step + 1);
  });

  it("steps through the lines of an update in the kernel and its CPU reference, with the numbers of the step", async () => {
    const line = page.getByRole("slider", { name: "Line of the update" });
    const active = page.locator("pre [aria-current]");
    await line.fill("1");
    await active.first().filter({ hasText: "let first = BETA_1" }).waitFor();
    assert.match((await active.last().textContent())!, /^ *const m = beta1/);
    await line.fill("5");
    await active.first().filter({ hasText: "return AdamState(state.parameter" }).waitFor();
    await sentence(/^m ÷ .* becomes .*: a step of/);
    const markedLine = async () => (await marked(page.locator("code > span")))[0].innerText();
    await values().getByRole("rowheader", { name: "v", exact: true }).hover();
    assert.match(await markedLine(), /second = BETA_2/);
    // β₁ m + (1 − β₁) g
    await page.locator("mrow", { hasText: /^β1m\+\(1−β1\)g$/ }).hover();
    assert.match(await markedLine(), /first = BETA_1/);
  });

  it("chooses a blob by a click in the image, and rejects one that does not exist", async () => {
    const blob = page.getByLabel("Blob", { exact: true });
    const before = await blob.inputValue();
    const canvas = page.getByRole("img", { name: /^The image with 60 blobs/ });
    await canvas.click({ position: { x: 30, y: 200 } });
    const chosen = await blob.inputValue();
    assert.notEqual(chosen, before);
    assert.ok((await canvas.getAttribute("aria-label"))!.includes(`blob ${chosen} is chosen`));
    await sentence(new RegExp(`^Step .* of blob ${chosen} is`));
    await type("Blob", "60");
    await page.getByText("Give a whole number from 0 to 59").waitFor();
    await sentence(new RegExp(`^Step .* of blob ${chosen} is`));
    await type("Blob", "7");
    await sentence(/^Step .* of blob 7 is/);
    assert.ok((await canvas.getAttribute("aria-label"))!.includes("blob 7 is chosen"));
  });

  it("applies settings, reports invalid ones, and labels synthetic gradients", async () => {
    await page.getByText("Learning rates and constants").click();
    await page.getByLabel("Gradients", { exact: true }).selectOption("synthetic: steady");
    await timeline().press("End");
    await sentence(/^Step 100 of 100: .* the sequence “steady”/);
    const [constant, exact] = await lengthsAt(100);
    assert.ok(Math.abs(exact - 1) < 1e-3);
    assert.ok(constant < 1.03);
    await type("β₂", "0.9");
    const isThere = (length: number) => Math.abs(length - Math.sqrt(0.1) / 0.1) < 0.01;
    const other = await until(async () => (await lengthsAt(100))[0], isThere, "the step");
    await type("β₁", "1");
    assert.equal(await page.getByText("β₁ must be a number between 0 and 0.999 (got 1).").count(), 1);
    assert.equal((await lengthsAt(100))[0], other);
    await type("β₁", "0.9");
    await type("β₂", "0.999");
    await type("Blob", "8");
    assert.equal(
      await page.getByLabel("Gradients", { exact: true }).locator("option:checked").textContent(),
      "recorded",
    );
  });

  it("ends the worst case on the bound, at any length", async () => {
    const stepLength = figure("Step length and its bound");
    for (const steps of [25, 1350]) {
      await type("Steps in the sequence", String(steps));
      const words = stepLength.getByText(new RegExp(`constant correction: step ${steps} is`));
      await words.waitFor();
      const text = await words.innerText();
      for (const rule of ["constant", "exact"] as const) {
        const [, length, bound] =
          new RegExp(`${rule} correction: step ${steps} is ([\\d.]+) η long, with a bound of ([\\d.]+) η`).exec(text) ??
          [];
        assert.equal(bound, longestStep(rule, steps).toFixed(3), text);
        assert.ok(Number(length) > 0.99 * Number(bound) && Number(length) <= Number(bound), text);
      }
    }
    await page.getByLabel("Sequence", { exact: true }).selectOption("the recorded parameter");
    await stepLength.getByText(/constant correction: step 100 is/).waitFor();
    await stepLength.getByText(/the longest of all steps .* was [12]\.\d+ η/).waitFor();
  });

  it("trains the job with all four rules, and Adam reaches a higher PSNR than those without v", async () => {
    const again = page.getByRole("button", { name: "Train all four with these settings" });
    const rules = figure("Training curves by optimizer");
    await scrollTo(again, rules.getByText("100 steps each, from the same start."));
    assert.equal(await lines(chart("Loss")), 4);
    assert.equal(await lines(chart("The chosen raw parameter")), 4);
    const [constant, exact, momentum, plain] = (await rules.locator("dd").allInnerTexts()).map(Number.parseFloat);
    assert.ok(Math.min(constant, exact) > Math.max(momentum, plain) + 1, `${[constant, exact, momentum, plain]}`);
    assert.equal(await again.isDisabled(), true);
    await type("Adam’s η", "0.02");
    await bringIntoView(again);
    await until(
      () => again.isEnabled(),
      (isEnabled) => isEnabled,
      "the enabled button",
    );
  });

  it("judges an answer in code that shows the field for it", async () => {
    const exercise = page.getByRole("region", { name: "Exercise 3" });
    const answer = exercise.getByLabel("Your code");
    await scrollTo(exercise, answer);
    const [code, field] = [exercise.locator("pre"), answer];
    const isInView = async () => {
      const [outer, inner] = [(await code.boundingBox())!, (await field.boundingBox())!];
      return inner.y >= outer.y && inner.y + inner.height <= outer.y + outer.height;
    };
    await until(isInView, (isIn) => isIn, "the field for the answer");
    await answer.fill("+= (rate / (Math.sqrt(v / correction2) + epsilon)) * (m / correction1);");
    await exercise.getByRole("button", { name: "Check" }).click();
    await exercise.getByText("This goes up the slope: the loss grows.").waitFor();
  });

  it("logs no errors and makes no requests to other origins", () => {
    assert.deepEqual(watched.complaints, []);
    assert.deepEqual(watched.foreignRequests, []);
  });
});
