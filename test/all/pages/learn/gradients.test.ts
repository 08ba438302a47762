import assert from "node:assert/strict";
import type { Locator, Page } from "playwright-core";
import { beforeAll, describe, it } from "vitest";
import { bringIntoView, marked, openPage, scrollTo, type WatchedPage, waitForRun } from "../../../support/pages.js";

describe("the page on gradients", () => {
  let watched: WatchedPage;
  let page: Page;
  beforeAll(async () => {
    // Stops at a fixed step.
    watched = await openPage(`/learn/gradients?engine=cpu&steps=40`, { webgpu: false });
    page = watched.page;
    await waitForRun(page, "Done");
  });

  const figure = async (title: string): Promise<Locator> => {
    const node = page.getByRole("figure", { name: title });
    await bringIntoView(node);
    return node;
  };
  const verdictOf = (node: Locator) => node.getByRole("status").filter({ hasText: /^[✓✗]/ });
  const verdict = (node: Locator) => verdictOf(node).innerText();
  const stage = async (title: string): Promise<Locator> => {
    const node = await figure(title);
    await verdictOf(node).waitFor();
    await scrollTo(verdictOf(node), node.locator("pre"));
    return node;
  };
  /** Charts are figures in the figure of a stage. */
  const chartsOf = (node: Locator) => node.getByRole("figure").locator("svg");

  it("compares a predicted error of the finite difference with that of the sample", async () => {
    const guess = page.getByRole("figure", { name: /^How far is a finite difference/ });
    await guess
      .getByRole("slider", { name: /^Your prediction at h = / })
      .first()
      .press("ArrowUp");
    await guess.getByRole("button", { name: "Compare" }).click();
    await guess
      .getByRole("status")
      .filter({ hasText: /^Your curve is off by/ })
      .waitFor();
  });

  it("shows the loss of the chosen pixel along a parameter, with the gradient as its slope", async () => {
    const slope = await figure("Loss of a pixel along one raw parameter");
    const chart = slope.getByLabel("The weighted outputs along");
    await chart.waitFor();
    assert.equal(await chart.locator('[aria-label="line"] path').count(), 3);
    const title = slope.locator("figcaption").nth(1);
    const before = await title.innerText();
    assert.match(before, /^Raw parameter \w+ of blob \d+$/);
    await page.getByRole("button", { name: "Choose another blob and pixel" }).first().click();
    await title.filter({ hasNotText: before }).waitFor();
  });

  it("compares the adjoints of each stage with finite differences, and they agree", async () => {
    const titles = {
      decode: "Decoding: from",
      covariance: "Covariance: from",
      falloff: "Falloff and opacity: from",
      blend: "Blend: from",
      undo: "Undo: the adjoint",
      composite: "Compositing: from",
      loss: "Loss: from",
      chain: "All stages: from",
    };
    for (const [name, title] of Object.entries(titles)) {
      const node = await stage(title);
      assert.match(await verdict(node), /^✓ All \d agree/, name);
      const rows = node.locator("tbody tr");
      assert.equal(await rows.filter({ hasText: "✓" }).count(), await rows.count(), name);
      const charts = node.getByLabel(/^Show the curve/);
      assert.equal(await charts.isChecked(), name === "decode");
      await charts.check();
      await scrollTo(node.locator("table"), chartsOf(node).nth(1));
      const lines = chartsOf(node).locator('[aria-label="line"] path');
      for (const line of await lines.all()) assert.match((await line.getAttribute("d"))!, /^M[\d.-]+,[\d.-]+/, name);
      assert.ok((await node.locator("pre [aria-current]").count()) > 0, name);
      await charts.setChecked(name === "decode");
    }
  });

  it("detects a mistake, a poor h, and a kink", async () => {
    const blend = await stage("Blend: from");
    const mistake = blend.getByLabel(/^Make a mistake/);
    await mistake.check();
    assert.match(await verdict(blend), /^✗ 1 of 8 do not agree .*transmittance/);
    await mistake.uncheck();
    assert.match(await verdict(blend), /^✓/);
    const decode = await stage("Decoding: from");
    await decode.getByLabel("Step size h, as a power of ten").first().fill("-13");
    assert.match(await verdict(decode), /^✗/);
    const falloff = await stage("Falloff and opacity: from");
    assert.equal(await chartsOf(falloff).count(), 0);
    await falloff.getByRole("button", { name: /^At the limit/ }).click();
    // A kink opens the charts.
    await scrollTo(falloff.locator("table"), chartsOf(falloff).first());
    assert.match(
      await verdict(falloff),
      /^✓ All 3 agree.* opacity uses a one-sided difference \(slope .* from the left, 0 from the right\)/,
    );
    await falloff.getByRole("status").filter({ hasNotText: "agree" }).filter({ hasText: "limit" }).waitFor();
    await falloff.getByRole("button", { name: "Back to the run’s values" }).click();
    assert.match(await verdict(falloff), /^✓/);
  });

  it("accepts valid numbers, rejects others with an error, and marks the line of code of a row that is pointed at", async () => {
    const shape = await stage("Covariance: from");
    const rho = shape.getByLabel("correlation", { exact: true });
    const refusal = shape.getByRole("status").filter({ hasText: "it must be" });
    // After the cell with the value.
    const adjoint = shape.locator("tbody tr").nth(2).locator("td").nth(1);
    const first = await adjoint.innerText();
    await rho.fill("1.5");
    await rho.press("Enter");
    assert.match(await refusal.innerText(), /“1.5” is not a valid correlation: .* between −1 and 1/);
    assert.equal(await adjoint.innerText(), first);
    await shape.getByLabel("variance along x", { exact: true }).fill("1e300");
    await rho.focus();
    assert.match(await refusal.innerText(), /variance along x: it must be within a million of zero/);
    await rho.fill("0.3");
    await rho.press("Enter");
    assert.equal(await refusal.count(), 0);
    assert.notEqual(await adjoint.innerText(), first);
    await shape.locator("pre [aria-current]").filter({ hasText: "point.x * point.y" }).waitFor();
    const markedLine = async () => (await marked(shape.locator("code > span")))[0].innerText();
    await shape.locator("tbody tr").first().hover();
    assert.match(await markedLine(), /point \/ blob\.variance/);
    // The adjoint of ρ.
    await page.locator("mover", { hasText: "ρ" }).first().hover();
    assert.match(await markedLine(), /point\.x \* point\.y/);
  });

  it("checks a whole step against the loss of the image", async () => {
    const check = page.getByRole("figure", { name: "Gradient check of the whole step" });
    await scrollTo(page.getByRole("button", { name: "Check the run as it is now" }), check);
    const status = check.getByRole("status");
    await status.filter({ hasText: /^✓ All nine/ }).waitFor();
    await page.getByLabel("Blob", { exact: true }).fill("200");
    await status.filter({ hasText: /blob must be a whole number from 0 to 199/ }).waitFor();
    await page.getByLabel("Blob", { exact: true }).fill("7");
    await page.getByLabel("Backward pass by").selectOption({ label: "cpu, with float32 results" });
    await status.filter({ hasText: /of blob 7 .* agree/ }).waitFor();
  });

  it("reports no errors and makes no requests to other origins", () => {
    assert.deepEqual(watched.complaints, []);
    assert.deepEqual(watched.foreignRequests, []);
  });
});
