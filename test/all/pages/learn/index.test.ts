import assert from "node:assert/strict";
import type { BrowserContext, Page } from "playwright-core";
import sharp from "sharp";
import { beforeAll, describe, it } from "vitest";
import { openContext, waitForRun } from "../../../support/pages.js";

describe("the page of all chapters", () => {
  let context: BrowserContext;
  let page: Page;
  beforeAll(async () => {
    context = await openContext({ webgpu: false });
    page = await context.newPage();
  });

  /** Opens a chapter in the same context and waits for its run. */
  const openChapter = async () => {
    const chapter = await context.newPage();
    await chapter.goto("/learn/gradients?engine=cpu&steps=40");
    await waitForRun(chapter, "Done");
    return chapter;
  };

  it("lets the chapters train on the reader's image, also after a reload", async () => {
    await page.goto("/learn/");
    await page.getByText("astronaut, 512 × 512 pixels, is trained at 64 × 64.").waitFor();
    const green = sharp({ create: { width: 40, height: 30, channels: 3, background: "#00ff00" } });
    const file = { name: "green.png", mimeType: "image/png", buffer: await green.png().toBuffer() };
    await page.locator('input[type="file"][accept="image/*"]').setInputFiles(file);
    await page.getByText("green.png is trained at its full 40 × 30 pixels.").waitFor();
    const chapter = await openChapter();
    const target = chapter
      .getByText(/^At step .* with the target colour/)
      .first()
      .locator("[aria-hidden]");
    const colour = await target.evaluate((node) => getComputedStyle(node).backgroundImage);
    assert.match(colour, /rgb\(0, 255, 0\)/);
    await chapter.close();
    await page.getByText("The chapters show green.png.").waitFor();
    const adam = await context.newPage();
    await adam.goto("/learn/adam");
    await adam.getByText("the same 300 blobs on the same 40 × 30 pixels").waitFor();
    await adam.close();
    await page.reload();
    await page.getByText("green.png is trained at its full 40 × 30 pixels.").waitFor();
  });

  it("takes settings for all chapters from a link, reports wrong ones, and removes them on request", async () => {
    await page.goto("/learn/?picture=coffee&blobs=120&tile=4x4&learningRate=fast&colour=1");
    const settings = page.getByText(/^All chapters use these settings of a link/);
    assert.match(await settings.innerText(), /: blobs 120, tile 4x4\./);
    await page.getByText(/learningRate must be .* \(got "fast"\)/).waitFor();
    await page.getByText(/colour is not a setting\./).waitFor();
    const chapter = await openChapter();
    await chapter.getByText("1,080 parameters").waitFor();
    await chapter.close();
    await page.getByRole("button", { name: "Use the defaults" }).click();
    await settings.waitFor({ state: "detached" });
    await page.reload();
    await page.getByText(/^coffee, .* is trained at/).waitFor();
    assert.equal(await settings.count(), 0);
  });
});
