import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { beforeAll, describe, it } from "vitest";
import { readSweepFile } from "../../../src/engine/files/sweepFile.js";
import { becomes, openPage, readDownload } from "../../support/pages.js";

const job = "engine=cpu&picture=coffee&size=32&steps=20";

describe("the sweep page", () => {
  let page: Page;
  beforeAll(async () => {
    ({ page } = await openPage(`/sweep?${job}&vary=learningRate=0.01,0.05&vary=blobs=10,20`, { webgpu: false }));
  });

  const isDone = (count: number) => page.getByText(`${count} runs. The best reaches `).waitFor();
  const tableRows = () => page.locator("form tbody tr").allInnerTexts();

  it("trains each combination, and has a row, a render and a curve per run", async () => {
    await isDone(4);
    assert.equal((await tableRows()).length, 4);
    const renders = page.getByLabel("Renders by Learning rate and Blobs");
    await becomes(renders.locator("image"), 4);
    const curves = page.getByLabel("Training PSNR by step, for each Learning rate and Blobs");
    await becomes(curves.locator("[aria-label=line] path"), 4);
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Download sweep.arrow" }).press("Enter"),
    ]);
    assert.deepEqual(
      readSweepFile(await readDownload(file)).rows.map(({ values, status, step }) => [...values, status, step]),
      [
        [0.01, 10, "done", 20],
        [0.01, 20, "done", 20],
        [0.05, 10, "done", 20],
        [0.05, 20, "done", 20],
      ],
    );
  });

  it("rejects wrong values, trains again when they change, and keeps them in its address and command", async () => {
    const values = page.getByLabel("Column values");
    await values.fill("10,many");
    await values.press("Enter");
    await page.getByText('blobs must be a whole number of at least 1 (got "many").').waitFor();
    await values.fill("10..30+3");
    await values.press("Enter");
    await isDone(6);
    assert.deepEqual(new URL(page.url()).searchParams.getAll("vary"), ["learningRate=0.01,0.05", "blobs=10,20,30"]);
    const command = await page.locator("pre[data-language=sh]").innerText();
    assert.match(command, /^npx splatbook sweep "coffee.png" --longest 32 .*--vary blobs=10,20,30 .*--steps 20/);
  });

  it("shows the error of one run in its place, and trains the others", async () => {
    await page.goto(`/sweep?${job}&blobs=10&vary=blend=over,sum`);
    await isDone(2);
    const [done, refused] = await tableRows();
    assert.match(done, /done$/);
    assert.match(refused, /refused$/);
  });
});
