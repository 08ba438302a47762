import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { beforeAll, describe, it } from "vitest";
import { openPage, scrollTo, until } from "../../../support/pages.js";
import { predict } from "./chapter.js";

describe("the chapter on real-time training", () => {
  let page: Page;
  beforeAll(async () => {
    ({ page } = await openPage("/learn/realtime"));
  });
  const choose = (label: string, option: string) => page.getByLabel(label, { exact: true }).selectOption(option);

  it("runs five programs on the reader's machine, which give the same image and gradients", async () => {
    await predict(page, /How many blobs does a pixel evaluate/);
    await choose("Blobs", "8");
    await choose("Longer side", "16 pixels");
    await choose("Tile list capacity (GAUSSIANS_PER_BLOCK)", "16");
    const race = page.getByRole("figure", { name: "Five programs on your machine" });
    await scrollTo(race, page.getByText("Ready on"));
    await page.getByRole("button", { name: "Start", exact: true }).click();
    const facts = () => race.locator("[role=group] > p").allTextContents();
    const hasRun = (text: string) => /^[1-9][\d,]* steps?(, done)?\n[\d.]+ dB\n/.test(text);
    await until(facts, (all) => all.length === 5 && all.every(hasRun), "the status of the programs");
    await page.getByRole("button", { name: "Pause" }).click();
    await page.getByText("Paused. Each program has run for").waitFor();
    await page.getByRole("button", { name: "Compare results" }).click();
    const rows = page.getByRole("table").filter({ hasText: "largest difference" }).locator("tbody tr");
    await rows.last().getByText("reference").first().waitFor();
    for (const row of (await rows.all()).slice(0, 4)) {
      const [, , psnr, difference] = await row.locator("> *").allInnerTexts();
      assert.ok(psnr === "equal" || Number.parseFloat(psnr) > 90, psnr);
      assert.match(difference, /^(none|[\d.]+ × 10⁻[⁴-⁹])$/);
    }
  });

  it("shows recorded times without WebGPU", async () => {
    const other = await page.context().newPage();
    await other.addInitScript("delete Navigator.prototype.gpu");
    await other.goto("/learn/realtime");
    await other.getByText("WebGPU is not available. The comparison needs WebGPU; recorded").waitFor();
    assert.ok(await other.getByRole("button", { name: "Start", exact: true }).isDisabled());
    const recorded = other.getByRole("figure", { name: "Recorded times" });
    await scrollTo(recorded, recorded.locator("svg").first());
  });
});
