import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { beforeAll, describe, it } from "vitest";
import { showNumber } from "../../../src/components/page/format.js";
import { readParameters } from "../../../src/engine/files/arrow.js";
import { readRunDescription } from "../../../src/engine/files/runDescription.js";
import { decodedValues, modelOf } from "../../../src/engine/model/blob.js";
import { openPage, readDownload } from "../../support/pages.js";
import { assertStaticReport, openWithoutScript } from "../../support/staticReport.js";

const names = readdirSync("data/runs", { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);
const described = (name: string) => readRunDescription(readFileSync(`data/runs/${name}/run.json`, "utf8"));
const byPsnr = (a: string, b: string) => described(b).result.psnr - described(a).result.psnr;

describe("the recorded runs", () => {
  let page: Page;
  beforeAll(async () => {
    ({ page } = await openPage("/reports/", { webgpu: false }));
  });

  const filmStrip = () => page.getByRole("region", { name: "Film of the run" });

  it("are listed, and sort by date, PSNR or blobs", async () => {
    const links = page.getByRole("list", { name: "Recorded runs" }).getByRole("link");
    await links.first().waitFor();
    await page.getByRole("radio", { name: "PSNR" }).click();
    await page.waitForFunction(
      (name) => document.querySelector(".run-cards a")?.textContent === name,
      names.toSorted(byPsnr)[0],
    );
    assert.deepEqual(await links.allInnerTexts(), names.toSorted(byPsnr));
  });

  it("have a page each, with settings, film, tables and files, without a GPU", async () => {
    await page.getByRole("link", { name: "astronaut-seed" }).click();
    await filmStrip().locator("canvas").first().waitFor();
    const { config, film, result } = described("astronaut-seed");
    const setting = page.locator(".settings div").filter({ hasText: "learningRate" });
    assert.equal(await setting.locator("dd").innerText(), `${config.learningRate} instead of 0.002`);
    assert.equal(await filmStrip().locator("canvas").count(), film!.length);
    await page.getByText(`${result.psnr.toFixed(2)} dB with 1,000 blobs on astronaut.png, `).waitFor();
    await page.getByText("Decoded, after 1,000 steps. 10 of 1,000 blobs.").waitFor();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: "parameters.arrow" }).click(),
    ]);
    assert.deepEqual(await readDownload(download), readFileSync("data/runs/astronaut-seed/parameters.arrow"));
  });

  it("sort all blobs by a column, and show a blob that is clicked in an image first", async () => {
    const table = page.getByRole("table", { name: "Parameters", exact: true });
    const shown = async () => (await table.locator("td:nth-child(6)").allInnerTexts()).map(Number);
    const { config, parameters } = readParameters(readFileSync("data/runs/astronaut-seed/parameters.arrow"));
    const model = modelOf(config, described("astronaut-seed").image);
    const values = Array.from({ length: config.blobs }, (_, blob) => decodedValues(parameters, blob, model)[4]);
    const sorted = values.toSorted((a, b) => b - a).map((value) => Number(showNumber(value)));
    const head = table.getByRole("button", { name: "correlation" });
    await head.click();
    assert.deepEqual(await shown(), sorted.slice(0, 10));
    await head.click();
    assert.deepEqual(await shown(), sorted.slice(-10).reverse());
    const image = page.getByRole("img", { name: /^Render at step/ });
    await image.hover();
    await page.locator(".blob-outline").first().waitFor({ state: "attached" });
    await image.click();
    const blobs = await page.locator("tr.pinned th").allInnerTexts();
    assert.equal(blobs.length, 2);
    assert.deepEqual(await page.locator("tbody tr:first-child th").allInnerTexts(), blobs);
  });

  it("show their result, images, curves, settings and tables without any script, and link to their files", async () => {
    const { page, context } = await openWithoutScript("/reports/");
    await page.getByRole("link", { name: "astronaut-seed" }).click();
    await assertStaticReport(page.locator(".report"), "data/runs/astronaut-seed");
    const file = await page.getByRole("link", { name: "parameters.arrow" }).getAttribute("href");
    const fetched = await context.request.get(new URL(file!, page.url()).href);
    assert.deepEqual(await fetched.body(), readFileSync("data/runs/astronaut-seed/parameters.arrow"));
    await context.close();
  });
});
