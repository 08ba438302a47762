import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { beforeAll, describe, it } from "vitest";
import { readSweepFile } from "../../../src/engine/files/sweepFile.js";
import { assertAccessible, openPage, readDownload, type WatchedPage } from "../../support/pages.js";

const job = "engine=cpu&picture=coffee&size=32&steps=20";

describe("the sweep page", () => {
  let watched: WatchedPage;
  let page: Page;
  beforeAll(async () => {
    watched = await openPage(`/sweep?${job}&vary=learningRate=0.01,0.05&vary=blobs=10,20`, { webgpu: false });
    page = watched.page;
  });

  const isDone = (count: number) => page.getByText(`${count} runs. The best reaches `).waitFor();
  const tableRows = () => page.locator("form tbody tr").allInnerTexts();
  const download = async () => {
    const save = page.getByRole("button", { name: "Download sweep.arrow" });
    const [file] = await Promise.all([page.waitForEvent("download"), save.press("Enter")]);
    return readSweepFile(await readDownload(file));
  };

  it("trains each combination, and has a row, a render and a curve per run", async () => {
    await isDone(4);
    assert.equal((await tableRows()).length, 4);
    const renders = page.getByLabel("Renders by Learning rate and Blobs");
    assert.equal(await renders.locator("image").count(), 4);
    const curves = page.getByLabel("Training PSNR by step, for each Learning rate and Blobs");
    assert.equal(await curves.locator("[aria-label=line] path").count(), 4);
    const { rows, image } = await download();
    assert.deepEqual([image.name, image.width], ["coffee", 32]);
    assert.deepEqual(
      rows.map(({ values, status, step }) => [...values, status, step]),
      [
        [0.01, 10, "done", 20],
        [0.01, 20, "done", 20],
        [0.05, 10, "done", 20],
        [0.05, 20, "done", 20],
      ],
    );
    const link = await renders.locator("a").last().getAttribute("href");
    const { blobs, learningRate, size, picture } = Object.fromEntries(new URL(link!, page.url()).searchParams);
    assert.deepEqual([blobs, learningRate, size, picture], ["20", "0.05", "32", "coffee"]);
  });

  it("trains again when a value changes, and keeps the values in its address", async () => {
    const values = page.getByLabel("Column values");
    await values.fill("10,many");
    await values.press("Enter");
    await page.getByText('blobs must be a whole number of at least 1 (got "many").').waitFor();
    await values.fill("10..30+3");
    await values.press("Enter");
    await isDone(6);
    assert.equal((await tableRows()).length, 6);
    assert.deepEqual(new URL(page.url()).searchParams.getAll("vary"), ["learningRate=0.01,0.05", "blobs=10,20,30"]);
    const command = await page.locator("pre[data-language=sh]").innerText();
    assert.match(command, /^npx splatbook sweep "coffee.png" --longest 32 .*--vary blobs=10,20,30 .*--steps 20/);
  });

  it("shows the error of one run in its place, and trains the others", async () => {
    await page.goto(`/sweep?${job}&blobs=10&vary=blend=over,sum`);
    await isDone(2);
    const rows = await tableRows();
    assert.match(rows[0], /done$/);
    assert.match(rows[1], /refused$/);
    const texts = await page.getByLabel("Renders by Blend and Random seed").locator("text").allTextContents();
    assert.match(texts.join(), /background\s?must/);
  });

  it("leaves the console clean, and requests only its own origin", async () => {
    await assertAccessible(page);
    assert.deepEqual(watched.complaints, []);
    assert.deepEqual(watched.foreignRequests, []);
  });
});
