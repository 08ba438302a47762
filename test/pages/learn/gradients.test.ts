import assert from "node:assert/strict";
import type { Locator, Page } from "playwright-core";
import { beforeAll, describe, it } from "vitest";
import { bringIntoView, openPage, scrollTo, type WatchedPage } from "../../support/pages.js";

describe("the page on gradients", () => {
  let watched: WatchedPage;
  let page: Page;
  beforeAll(async () => {
    // Stops at a fixed step.
    watched = await openPage(`/learn/gradients?engine=cpu&steps=40`, { webgpu: false });
    page = watched.page;
    await page.locator('.run-bar[data-state="done"]').waitFor();
  });

  const figure = async (title: string): Promise<Locator> => {
    const node = page.locator(".learn-figure").filter({ hasText: title });
    await bringIntoView(node);
    return node;
  };
  const stage = async (name: string, title: string): Promise<Locator> => {
    await figure(title);
    const node = page.locator(`.stage[data-stage=${name}]`);
    await node.locator(".adjoint-verdict").filter({ hasText: /agree/ }).waitFor();
    await scrollTo(node.locator(".adjoint-verdict"), node.locator(".code-pair"));
    return node;
  };
  const verdict = (node: Locator) => node.locator(".adjoint-verdict").innerText();

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
      const node = await stage(name, title);
      assert.match(await verdict(node), /^✓ All \d agree/, name);
      assert.equal(await node.locator(".not-agreeing").count(), 0);
      const charts = node.getByLabel(/^Show the curve/);
      assert.equal(await charts.isChecked(), name === "decode");
      await charts.check();
      await scrollTo(node.locator(".phone-views"), node.locator(".chart-frame svg").nth(1));
      const lines = node.locator('.chart-frame svg [aria-label="line"] path');
      for (const line of await lines.all()) assert.match((await line.getAttribute("d"))!, /^M[\d.-]+,[\d.-]+/, name);
      assert.ok((await node.locator(".code-line.active").count()) > 0, name);
      await charts.setChecked(name === "decode");
    }
  });

  it("detects a mistake, a poor h, and a kink", async () => {
    const blend = await stage("blend", "Blend: from");
    const mistake = blend.getByLabel(/^Make a mistake/);
    await mistake.check();
    assert.match(await verdict(blend), /^✗ 1 of 8 do not agree .*transmittance/);
    await mistake.uncheck();
    assert.match(await verdict(blend), /^✓/);
    const decode = await stage("decode", "Decoding: from");
    await decode.getByLabel("Step size h, as a power of ten").first().fill("-13");
    assert.match(await verdict(decode), /^✗/);
    const falloff = await stage("falloff", "Falloff and opacity: from");
    assert.equal(await falloff.locator(".chart-frame").count(), 0);
    await falloff.getByRole("button", { name: /^At the limit/ }).click();
    // A kink opens the charts.
    await scrollTo(falloff.locator(".phone-views"), falloff.locator(".chart-frame svg").first());
    assert.match(
      await verdict(falloff),
      /^✓ All 3 agree.* opacity uses a one-sided difference \(slope .* from the left, 0 from the right\)/,
    );
    assert.match(await falloff.locator(".kink-words").innerText(), /limit/);
    await falloff.getByRole("button", { name: "Back to the run’s values" }).click();
    assert.match(await verdict(falloff), /^✓/);
  });

  it("accepts valid numbers, rejects others with an error, and marks the line of code of a row that is pointed at", async () => {
    const shape = await stage("covariance", "Covariance: from");
    const rho = shape.getByLabel("correlation", { exact: true });
    const adjoint = shape.locator("tbody tr").nth(2).locator("td.number").first();
    const first = await adjoint.innerText();
    await rho.fill("1.5");
    await rho.press("Enter");
    assert.match(
      await shape.locator(".wrong-input").innerText(),
      /“1.5” is not a valid correlation: .* between −1 and 1/,
    );
    assert.equal(await adjoint.innerText(), first);
    await shape.getByLabel("variance along x", { exact: true }).fill("1e300");
    await rho.focus();
    assert.match(
      await shape.locator(".wrong-input").innerText(),
      /variance along x: it must be within a million of zero/,
    );
    await rho.fill("0.3");
    await rho.press("Enter");
    assert.equal(await shape.locator(".wrong-input").innerText(), "");
    assert.notEqual(await adjoint.innerText(), first);
    await shape.locator(".code-line.active").filter({ hasText: "point.x * point.y" }).waitFor();
    await shape.locator("tbody tr").first().hover();
    assert.match(await shape.locator(".code-line.marked").first().innerText(), /point \/ blob\.variance/);
    await page.locator('.formula [data-things="code:covariance.2"]').first().hover();
    assert.match(await shape.locator(".code-line.marked").first().innerText(), /point\.x \* point\.y/);
  });

  it("checks a whole step against the loss of the image", async () => {
    const check = page.locator(".learn-figure").filter({ hasText: "Gradient check of the whole step" });
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
