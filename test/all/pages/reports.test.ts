import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { beforeAll, describe, it } from "vitest";
import { showNumber } from "../../../src/components/page/format.js";
import { readParameters } from "../../../src/engine/files/arrow.js";
import { readRunDescription } from "../../../src/engine/files/runDescription.js";
import { decodedValues, modelOf } from "../../../src/engine/model/blob.js";
import { becomes, openPage, readDownload } from "../../support/pages.js";
import { assertStaticReport, openWithoutScript } from "../../support/staticReport.js";

const names = readdirSync("data/runs", { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);
const described = (name: string) => readRunDescription(readFileSync(`data/runs/${name}/run.json`, "utf8"));
const finishedAt = (name: string) => Date.parse(described(name).timings.finishedAt);

describe("the recorded runs", () => {
  let page: Page;
  beforeAll(async () => {
    ({ page } = await openPage("/reports/", { webgpu: false }));
  });

  const filmStrip = () => page.getByRole("region", { name: "Film of the run" });

  it("are listed, the latest first", async () => {
    const links = page.getByRole("list", { name: "Recorded runs" }).getByRole("link");
    await links.first().waitFor();
    assert.deepEqual(
      await links.allInnerTexts(),
      names.toSorted((a, b) => finishedAt(b) - finishedAt(a)),
    );
  });

  it("have a page each, with settings, film, tables and files, without a GPU", async () => {
    await page.getByRole("link", { name: "astronaut-seed" }).click();
    await filmStrip().locator("canvas").first().waitFor();
    const { config, film, result } = described("astronaut-seed");
    const setting = page.locator(".settings div").filter({ hasText: "learningRate" });
    assert.equal(await setting.locator("dd").innerText(), `${config.learningRate} instead of 0.002`);
    await becomes(filmStrip().locator("canvas"), film!.length);
    await page.getByText(`${result.psnr.toFixed(2)} dB with 1,000 blobs on astronaut.png, `).waitFor();
    await page.getByText("Decoded, after 1,000 steps. 10 of 1,000 blobs: those").waitFor();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: "parameters.arrow" }).click(),
    ]);
    assert.deepEqual(await readDownload(download), readFileSync("data/runs/astronaut-seed/parameters.arrow"));
  });

  it("show the ten blobs with the largest area times opacity", async () => {
    const table = page.getByRole("table", { name: "Parameters", exact: true });
    const { config, parameters } = readParameters(readFileSync("data/runs/astronaut-seed/parameters.arrow"));
    const model = modelOf(config, described("astronaut-seed").image);
    const sizes = Array.from({ length: config.blobs }, (_, blob) => {
      const [opacity, width, height] = decodedValues(parameters, blob, model).slice(8);
      return opacity * width * height;
    });
    const largest = [...sizes.keys()].sort((a, b) => sizes[b] - sizes[a]).slice(0, 10);
    assert.deepEqual(await table.locator("tbody th").allInnerTexts(), largest.map(String));
    const first = decodedValues(parameters, largest[0], model);
    assert.deepEqual(await table.locator("tbody tr:first-child td").allInnerTexts(), Array.from(first, showNumber));
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
