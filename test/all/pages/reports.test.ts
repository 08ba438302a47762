import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { beforeAll, describe, it } from "vitest";
import { readRunDescription } from "../../../src/engine/files/runDescription.js";
import { openPage, readDownload } from "../../support/pages.js";
import { assertStaticReport, openWithoutScript } from "../../support/staticReport.js";

const names = readdirSync("data/runs", { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);
const described = (name: string) => readRunDescription(readFileSync(`data/runs/${name}/run.json`, "utf8"));

describe("the recorded runs", () => {
  let page: Page;
  beforeAll(async () => {
    ({ page } = await openPage("/reports/", { webgpu: false }));
  });

  const filmStrip = () => page.getByRole("region", { name: "Film of the run" });
  const comparison = () => page.getByRole("group", { name: "Image comparison" });

  it("are listed, and sort by columns", async () => {
    const links = page.getByRole("table", { name: "Recorded runs", exact: true }).getByRole("link");
    await links.first().waitFor();
    await page.getByRole("button", { name: "PSNR" }).click();
    const best = names.toSorted((a, b) => described(b).result.psnr - described(a).result.psnr);
    assert.deepEqual(await links.allInnerTexts(), best);
  });

  it("have a page each, with settings, film, tables and files, without a GPU", async () => {
    await page.getByRole("link", { name: "astronaut-seed" }).click();
    await filmStrip().locator("canvas").first().waitFor();
    const { config, film, result } = described("astronaut-seed");
    const setting = page.getByRole("row", { name: /^learningRate / });
    assert.deepEqual(await setting.locator("td").allInnerTexts(), [String(config.learningRate), "0.002"]);
    assert.equal(await filmStrip().locator("canvas").count(), film!.length);
    await page.getByText(`${result.psnr.toFixed(2)} dB with 1,000 blobs. Image: `).waitFor();
    await page
      .getByRole("figure", { name: /^Parameters/ })
      .getByText("1–10 of 1,000", { exact: true })
      .waitFor();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: "parameters.arrow" }).click(),
    ]);
    assert.deepEqual(await readDownload(download), readFileSync("data/runs/astronaut-seed/parameters.arrow"));
  });

  it("go through their film: images and charts show the same step", async () => {
    const slider = page.getByRole("slider", { name: "Displayed step" });
    const rules = page.getByRole("group", { name: "Training curves" }).getByLabel("rule", { exact: true });
    assert.equal(await rules.count(), 0);
    for (let back = 0; back < 3; back++) await slider.press("ArrowLeft");
    await comparison().getByRole("img", { name: "Render, step 16" }).waitFor();
    assert.equal(await filmStrip().locator("figure[aria-current=true] strong").innerText(), "step 16");
    assert.equal(await rules.count(), 3);
  });

  it("show their result, images, curves, settings and tables without any script, and link to their files", async () => {
    const { page, context } = await openWithoutScript("/reports/");
    await page.getByRole("link", { name: "astronaut-seed" }).click();
    await assertStaticReport(page, "data/runs/astronaut-seed");
    const file = await page.getByRole("link", { name: "parameters.arrow" }).getAttribute("href");
    const fetched = await context.request.get(new URL(file!, page.url()).href);
    assert.deepEqual(await fetched.body(), readFileSync("data/runs/astronaut-seed/parameters.arrow"));
    await context.close();
  });
});
