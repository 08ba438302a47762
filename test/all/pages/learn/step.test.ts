import assert from "node:assert/strict";
import type { Locator, Page } from "playwright-core";
import { beforeAll, describe, it } from "vitest";
import { bringIntoView, openPage, scrollTo, until, type WatchedPage, waitForRun } from "../../../support/pages.js";

describe("the page of the whole step", () => {
  let watched: WatchedPage;
  let page: Page;
  beforeAll(async () => {
    // Stops at a fixed step.
    watched = await openPage(`/learn/step?engine=cpu&steps=40`, { webgpu: false });
    page = watched.page;
    await waitForRun(page, "Done");
  });

  const figure = async (title: string): Promise<Locator> => {
    const node = page.getByRole("figure", { name: title });
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
    const chart = page.getByRole("group", { name: /^The kernels of a step of/ });
    const heads = chart.locator('[aria-label="x-axis tick label"] text');
    await scrollTo(page.getByLabel("imageMain", { exact: true }), heads);
    const flow = await figure("Kernels of a step and the buffers between them");
    const names = ["clearDerivatives", "computeDerivatives", "updateBlobs", "imageMaindraws"];
    assert.deepEqual(await heads.allTextContents(), names);
    await page.getByLabel("binned", { exact: true }).check();
    await heads.filter({ hasText: "rasterizeBackward" }).waitFor();
    await page.getByLabel("gatherLists", { exact: true }).check();
    await flow.getByRole("heading", { name: "gatherLists" }).waitFor();
    await flow.getByRole("group", { name: /^WGSL, .*gatherLists\.wgsl$/ }).waitFor();
    await heads.filter({ hasText: "rasterizeBackward" }).click();
    await flow.getByRole("heading", { name: "rasterizeBackward" }).waitFor();
    assert.ok(await page.getByLabel("rasterizeBackward", { exact: true }).isChecked());
  });

  it("gives a reason and an adjoint for the chosen stage of the boundary", async () => {
    const flow = await figure("Differentiable stages of a step");
    await flow.getByText("It has no gradient").waitFor();
    await page.getByLabel("Stage", { exact: true }).selectOption("Composite");
    await flow.getByRole("heading", { name: /compositeBackward/ }).waitFor();
    await flow.locator("pre").filter({ hasText: "fn compositeBackward" }).waitFor();
  });

  it("walks through a step: each stage shows what it writes, and its code", async () => {
    const walk = await figure("One training step of this run");
    // An arrow leads to what the stage writes.
    const written = walk.getByRole("row").filter({ has: page.getByRole("cell", { name: /^→/ }) });
    await written.waitFor();
    const names = () => written.getByRole("rowheader").allInnerTexts();
    assert.match((await names()).join(), /^gradient of \w+ of blob \d+$/);
    const forward = page
      .getByRole("group", { name: "Stage of the step" })
      .getByRole("button", { name: "One step forward" });
    for (let k = 0; k < 3; k++) await forward.click();
    await walk
      .locator("p")
      .filter({ hasText: /^Sort: / })
      .waitFor();
    assert.match((await names()).join(), /^tile list of tile \d+$/);
    await page.locator("pre [aria-current]").filter({ hasText: "low > high" }).waitFor();
    await page.getByLabel("Adam", { exact: true }).check();
    await walk
      .locator("p")
      .filter({ hasText: /Kernel: updateBlobs.*Adam/ })
      .waitFor();
    assert.equal((await names()).length, 3);
    const slot = walk.locator("tbody tr").first();
    assert.notEqual(await slot.locator("td").nth(1).innerText(), "0");
  });

  it("follows another pixel and blob, chosen by keys or at random", async () => {
    const grid = page.getByRole("application", { name: /^Pixels of the run’s image/ });
    await bringIntoView(grid);
    const line = page.getByText(/^At step .* with the target colour/);
    const tile = page.getByRole("figure", { name: "One training step of this run" }).getByRole("img");
    const [before, drawn] = [await line.innerText(), await tile.ariaSnapshot()];
    const follows = page.getByLabel("follow the run");
    await follows.check();
    for (const stop of [grid, page.getByRole("slider", { name: "Stage of the step" })]) await stop.press("Tab");
    assert.ok(await follows.isChecked(), "Tab through a picker or a stepper chooses nothing");
    await grid.press("Shift+ArrowDown");
    assert.equal(await follows.isChecked(), false);
    assert.notEqual(await line.innerText(), before);
    const followed = await line.innerText();
    await page.getByRole("button", { name: "Choose another blob and pixel" }).click();
    assert.notEqual(await line.innerText(), followed);
    await until(
      () => tile.ariaSnapshot(),
      (now) => now !== drawn,
      "the tile",
    );
    assert.equal(await page.getByText(/^Pixel .* has no blob\.$/).count(), 0);
  });

  it("reports no errors and makes no requests to other origins", () => {
    assert.deepEqual(watched.complaints, []);
    assert.deepEqual(watched.foreignRequests, []);
  });
});
