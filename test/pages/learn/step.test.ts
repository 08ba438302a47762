import assert from "node:assert/strict";
import type { Locator, Page } from "playwright-core";
import { beforeAll, describe, it } from "vitest";
import { bringIntoView, openPage, scrollTo, until, type WatchedPage } from "../../support/pages.js";

describe("the page of the whole step", () => {
  let watched: WatchedPage;
  let page: Page;
  beforeAll(async () => {
    // Stops at a fixed step.
    watched = await openPage(`/learn/step?engine=cpu&steps=40`, { webgpu: false });
    page = watched.page;
    await page.locator('.run-bar[data-state="done"]').waitFor();
  });

  const figure = async (title: string): Promise<Locator> => {
    const node = page.locator(".learn-figure").filter({ hasText: title });
    await bringIntoView(node);
    return node;
  };
  it("compares a predicted curve of the loss with that of the run", async () => {
    const guess = page.getByRole("figure", { name: /^How does the loss fall/ });
    await guess.getByRole("slider", { name: /^Your prediction at step = 1,?000$/ }).press("ArrowDown");
    await guess.getByRole("button", { name: "Compare" }).click();
    await guess
      .getByRole("status")
      .filter({ hasText: /^Your curve is off by/ })
      .waitFor();
  });

  it("shows the kernels of the chosen pipeline and the code of the chosen kernel", async () => {
    const heads = page.locator(".lane-stages text");
    await scrollTo(page.getByLabel("imageMain", { exact: true }), heads);
    const flow = await figure("Kernels of a step and the buffers between them");
    const names = ["clearDerivatives", "computeDerivatives", "updateBlobs", "imageMaindraws"];
    assert.deepEqual(await heads.allTextContents(), names);
    await page.getByLabel("binned", { exact: true }).check();
    await heads.filter({ hasText: "rasterizeBackward" }).waitFor();
    await page.getByLabel("gatherLists", { exact: true }).check();
    await flow.getByRole("heading", { name: "gatherLists" }).waitFor();
    assert.match(await flow.locator(".code-head").first().innerText(), /gatherLists\.wgsl/);
    await heads.filter({ hasText: "rasterizeBackward" }).click();
    await flow.getByRole("heading", { name: "rasterizeBackward" }).waitFor();
    assert.ok(await page.getByLabel("rasterizeBackward", { exact: true }).isChecked());
  });

  it("gives a reason and an adjoint for the chosen stage of the boundary", async () => {
    const flow = await figure("Differentiable stages of a step");
    assert.match(await flow.locator(".flow-chosen").innerText(), /has no gradient/);
    await page.getByLabel("Stage", { exact: true }).selectOption("Composite");
    await flow.getByRole("heading", { name: /compositeBackward/ }).waitFor();
    await flow.locator(".code-line").filter({ hasText: "fn compositeBackward" }).waitFor();
  });

  it("walks through a step: each stage shows what it writes, and its code", async () => {
    await figure("One training step of this run");
    const walk = page.locator(".walk-slot");
    await walk.locator("tr.written").waitFor();
    const written = () => walk.locator("tr.written th").allInnerTexts();
    assert.match((await written()).join(), /^gradient of \w+ of blob \d+$/);
    const forward = walk.getByRole("button", { name: "One step forward" });
    for (let k = 0; k < 3; k++) await forward.click();
    await walk
      .locator("p")
      .filter({ hasText: /^Sort: / })
      .waitFor();
    assert.match((await written()).join(), /^tile list of tile \d+$/);
    await page.locator(".code-line.active").filter({ hasText: "low > high" }).waitFor();
    await walk.getByLabel("Adam", { exact: true }).check();
    await walk
      .locator("p")
      .filter({ hasText: /Kernel: updateBlobs.*Adam/ })
      .waitFor();
    assert.equal((await written()).length, 3);
    const slot = walk.locator(".walk-memory tbody tr").first();
    assert.notEqual(await slot.locator("td").nth(1).innerText(), "0");
  });

  it("follows another pixel and blob, chosen by keys or at random", async () => {
    const picker = page.locator(".sample-picker");
    const grid = picker.getByRole("application");
    await bringIntoView(grid);
    const line = picker.locator(".sample-line");
    const tile = page.locator(".walk-slot").getByRole("img");
    const [before, drawn] = [await line.innerText(), await tile.ariaSnapshot()];
    const follows = page.getByLabel("follow the run");
    await follows.check();
    for (const stop of [grid, page.getByRole("slider", { name: "Stage of the step" })]) await stop.press("Tab");
    assert.ok(await follows.isChecked(), "Tab through a picker or a stepper chooses nothing");
    await grid.press("Shift+ArrowDown");
    assert.equal(await follows.isChecked(), false);
    assert.notEqual(await line.innerText(), before);
    const followed = await line.innerText();
    await picker.getByRole("button", { name: "Choose another blob and pixel" }).click();
    assert.notEqual(await line.innerText(), followed);
    await until(
      () => tile.ariaSnapshot(),
      (now) => now !== drawn,
      "the tile",
    );
    assert.equal(await picker.locator(".wrong-input").innerText(), "");
  });

  it("reports no errors and makes no requests to other origins", () => {
    assert.deepEqual(watched.complaints, []);
    assert.deepEqual(watched.foreignRequests, []);
  });
});
