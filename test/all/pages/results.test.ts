import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { describe, inject, it } from "vitest";
import { seriesOf } from "../../../src/components/results/qualityFacts.js";
import type { Quality, Scaling } from "../../../src/engine/bench/results.js";
import { openPage } from "../../support/pages.js";

describe("the pages of results", () => {
  it("draw a mark for each recorded and published result, without WebGPU", async () => {
    const quality: Quality = JSON.parse(await readFile("data/bench/quality.json", "utf8"));
    const { rows }: Scaling = JSON.parse(await readFile("data/bench/scaling.json", "utf8"));
    const measured = rows.filter(({ axis, refusal }) => refusal === "" && ["blobs", "all"].includes(axis));
    const { page } = await openPage("/docs/quality", { webgpu: false });
    /** Returns the number of dots of a chart. */
    const dotsOf = async (title: string) => {
      const chart = page.getByRole("figure").filter({ has: page.getByRole("heading", { name: title }) });
      await chart.locator("svg").last().waitFor();
      return chart.locator('[aria-label="dot"] :is(path, circle)').count();
    };
    const own = seriesOf(quality.runs).reduce((sum, { means }) => sum + means.length, 0);
    assert.equal(await dotsOf("PSNR by file size"), own);
    await page.getByText(`Recorded on ${quality.date.slice(0, 10)} on ${quality.adapter}`).waitFor();
    await page.goto("/docs/speed");
    assert.equal(await dotsOf("Time of a step by number of blobs"), measured.length);
    await page.context().close();
  });

  it("are found at their former addresses, at the same section", async () => {
    const { page } = await openPage("/quality?a=1#ablation", { webgpu: false });
    await page.waitForURL("**/docs/quality.html?a=1#ablation");
    await page.goto("/performance.html");
    await page.waitForURL(`${inject("site")}/docs/speed.html`);
  });
});
