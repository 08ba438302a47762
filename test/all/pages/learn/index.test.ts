import assert from "node:assert/strict";
import type { BrowserContext, Page } from "playwright-core";
import sharp from "sharp";
import { describe, it } from "vitest";
import { openContext, openPage, scrollTo, waitForRun } from "../../../support/pages.js";

/** Opens a chapter in the context of a page and waits for its run. */
async function openChapter(context: BrowserContext, path: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(path);
  await waitForRun(page, "Done");
  return page;
}

/** Returns the first colour of the field at the end of the line on the pixel. */
const targetColor = (page: Page) =>
  page
    .getByText(/^At step .* with the target colour/)
    .first()
    .locator("[aria-hidden]")
    .evaluate((node) => /rgba?\(.*?\)/.exec(getComputedStyle(node).backgroundImage)?.[0]);

const green = sharp({ create: { width: 40, height: 30, channels: 3, background: "#00ff00" } });

/** A small job that goes on for as long as a test. */
const long = "engine=cpu&blobs=40&steps=100000&size=32";

describe("the page of all chapters", () => {
  it("lets the chapters train on the reader's image, from its file or the gallery", async () => {
    const context = await openContext({ webgpu: false });
    const page = await context.newPage();
    await page.goto("/learn/");
    await page.getByText("astronaut, 512 × 512 pixels, is trained at 64 × 64.").waitFor();
    const file = { name: "green.png", mimeType: "image/png", buffer: await green.png().toBuffer() };
    await page.locator('input[type="file"][accept="image/*"]').setInputFiles(file);
    await page.getByText("green.png is trained at its full 40 × 30 pixels.").waitFor();
    const chapter = await openChapter(context, "/learn/gradients?engine=cpu&steps=40");
    assert.equal(await targetColor(chapter), "rgb(0, 255, 0)");
    await page.reload();
    await page.getByText("green.png is trained at its full 40 × 30 pixels.").waitFor();
    await page.getByRole("button", { name: "coffee" }).click();
    await page.getByText(/^coffee, .* is trained at/).waitFor();
    await page.reload();
    await page.getByText(/^coffee, .* is trained at/).waitFor();
    await chapter.reload();
    await waitForRun(chapter, "Done");
    assert.match((await targetColor(chapter))!, /^rgb\((?!0, 255, 0\))/);
    await context.close();
  });

  it("passes the step at which figures are stopped to the next chapter of the tab", async () => {
    const { page } = await openPage(`/learn/gradients?${long}`, { webgpu: false });
    await page.getByLabel("follow the run").waitFor();
    await page.getByText(/^Step [\d,]+ of the run\.$/).waitFor();
    await page.getByLabel("follow the run").uncheck();
    const stopped = page.getByText(/^Stopped at step [\d,]+ of the run\.$/);
    const step = await stopped.innerText();
    await page.goto(`/learn/step?${long}`);
    await stopped.waitFor();
    assert.equal(await stopped.innerText(), step);
    assert.equal(await page.getByLabel("follow the run").isChecked(), false);
    await page.getByLabel("follow the run").check();
    await page.goto(`/learn/undo?${long}`);
    await page.getByText(/^Step [\d,]+ of the run\.$/).waitFor();
    await page.context().close();
  });

  it("takes settings for all chapters from a link, which readers can remove", async () => {
    const context = await openContext({ webgpu: false });
    const page = await context.newPage();
    const query = "picture=coffee&blobs=120&tile=4x4&language=typescript&exercises=undo.alpha";
    // Unknown and wrong parameters are reported, and change nothing.
    await page.goto(`/learn/?${query}&learningRate=fast&colour=1`);
    const settings = page.getByText(/^All chapters use these settings of a link/);
    assert.match(await settings.innerText(), /: blobs 120, tile 4x4, code in TypeScript, exercises undo\.alpha\./);
    await page.getByText(/learningRate must be .* \(got "fast"\)/).waitFor();
    await page.getByText(/colour is not a setting\./).waitFor();
    await page.getByText(/^coffee, .* is trained at/).waitFor();
    const chapter = await openChapter(context, "/learn/gradients?engine=cpu&steps=40");
    await chapter.getByText("1,080 parameters").waitFor();
    const loss = chapter.getByRole("figure", { name: "Loss: from" });
    const code = loss.locator("pre:visible");
    await scrollTo(loss, code);
    assert.match((await code.getAttribute("aria-label"))!, /^CPU reference/);
    await loss.locator("summary", { hasText: /^WGSL$/ }).click();
    assert.equal(await code.count(), 2);
    await page.getByRole("button", { name: "Use the defaults" }).click();
    await settings.waitFor({ state: "detached" });
    await page.reload();
    await page.getByText(/^coffee, .* is trained at/).waitFor();
    assert.equal(await settings.count(), 0);
    await context.close();
  });
});
