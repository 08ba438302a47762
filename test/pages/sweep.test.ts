import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { beforeAll, describe, it } from "vitest";
import { readSweepFile } from "../../src/engine/files/sweepFile.js";
import { readSweepJson } from "../../src/engine/files/sweepJson.js";
import { smallImage, splatbook, temporaryFolder } from "../cli/command.js";
import {
  assertAccessible,
  openPage,
  readDownload,
  recordAnnouncements,
  until,
  type WatchedPage,
} from "../support/pages.js";

const folder = temporaryFolder();

/** A short job for the CPU. */
const job = "engine=cpu&picture=coffee&size=32&steps=20";
const vary = (...fields: string[]) => fields.map((text) => `vary=${encodeURIComponent(text)}`).join("&");

/** Records layout shifts. */
const watchShifts = `
  globalThis.shifts = [];
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) shifts.push(entry.value);
  }).observe({ type: "layout-shift" });
`;

describe("the sweep page", () => {
  let watched: WatchedPage;
  let page: Page;
  beforeAll(async () => {
    const query = `${job}&${vary("learningRate=0.01,0.05", "blobs=10,20")}`;
    watched = await openPage(`/sweep?${query}`, { webgpu: false, script: watchShifts });
    page = watched.page;
    await reaches("Ready");
  });

  const sweepBar = (page: Page) => page.getByRole("group", { name: "Sweep", exact: true });
  const reaches = (state: string, on = page) => sweepBar(on).getByText(state, { exact: true }).waitFor();
  const button = (name: string) => page.getByRole("button", { name, exact: true });
  const chart = () => page.getByRole("group", { name: "Chart of the results" });
  /** The runs in the grid. */
  const gridRuns = () => page.getByRole("group", { name: "Runs", exact: true }).getByRole("button");
  const cellTexts = () => chart().locator('[aria-label="text"] text').allTextContents();
  /** Waits until the chart's cells show texts. */
  const cellsShow = (texts: string[]) => until(cellTexts, (now) => String(now) === String(texts), "the chart's cells");
  const gridTexts = async () => (await gridRuns().allTextContents()).map((text) => text.trim());
  // By keyboard, since a click misses if the page moves. Unlike a click, a key does not wait for an enabled button.
  const table = async () => {
    const save = page.locator("button:enabled").filter({ hasText: /^sweep\.arrow$/ });
    const [download] = await Promise.all([page.waitForEvent("download"), save.press("Enter")]);
    return readSweepFile(await readDownload(download));
  };

  it("trains nothing before the start, and shows the plan", async () => {
    await page.getByText("4 runs, 2 × 2.", { exact: true }).waitFor();
    await chart()
      .getByText(/^No run is done yet\./)
      .waitFor();
    assert.deepEqual(await gridTexts(), new Array(4).fill("missing"));
    assert.equal(await button("sweep.arrow").isDisabled(), true);
    const isDisabled = (label: string) => page.getByLabel(label, { exact: true }).isDisabled();
    assert.deepEqual([await isDisabled("Blobs"), await isDisabled("Steps")], [true, false]);
  });

  it("trains each combination, and shows each result in its cell without layout shifts", async () => {
    await page.evaluate("shifts.length = 0");
    const spoken = await recordAnnouncements(page);
    await button("Start sweep").click();
    await reaches("Done");
    assert.deepEqual([...new Set(await spoken())], ["Done"], "only the end is announced, not each run");
    const { rows, sweep, image } = await table();
    assert.deepEqual(sweep.vary, [
      { field: "learningRate", values: [0.01, 0.05] },
      { field: "blobs", values: [10, 20] },
    ]);
    assert.deepEqual([image.name, Math.max(image.width, image.height)], ["coffee", 32]);
    assert.deepEqual(
      rows.map(({ values, status, step }) => [...values, status, step]),
      [
        [0.01, 10, "done", 20],
        [0.01, 20, "done", 20],
        [0.05, 10, "done", 20],
        [0.05, 20, "done", 20],
      ],
    );
    const shown = rows.map(({ psnr }) => psnr.toFixed(2));
    assert.equal(new Set(shown).size, 4);
    await cellsShow(shown);
    assert.deepEqual(
      await gridTexts(),
      shown.map((psnr) => `${psnr} dB`),
    );
    await page.getByLabel("loss", { exact: true }).check();
    await cellsShow(rows.map(({ loss }) => String(Number(loss.toPrecision(3)))));
    await page.getByLabel("PSNR", { exact: true }).check();
    assert.deepEqual(await page.evaluate("shifts"), []);
  });

  it("highlights a hovered or focused run in map and grid, and shows its settings", async () => {
    const chartRuns = chart().locator("rect[tabindex]");
    const marked = () =>
      Promise.all(
        [chartRuns, gridRuns()].map((runs) =>
          runs.evaluateAll((nodes) => nodes.flatMap((node, i) => (node.ariaCurrent === "true" ? [i] : []))),
        ),
      );
    const settles = (index: number) => gridRuns().nth(index).and(page.locator("[aria-current=true]")).waitFor();
    await gridRuns().nth(1).hover();
    await settles(1);
    assert.deepEqual(await marked(), [[1], [1]]);
    await chartRuns.nth(1).focus();
    await page.keyboard.press("ArrowDown");
    await settles(3);
    assert.deepEqual(await marked(), [[3], [3]]);
    const detail = page.getByRole("region", { name: "Selected run" });
    await detail.getByRole("heading", { name: "Learning rate 0.05, Blobs 20" }).waitFor();
    const settings = (await detail.locator("dl").innerText()).replaceAll(/\s+/g, " ");
    assert.match(settings, /blobs 20 steps 20 learningRate 0\.05/);
    const link = new URL((await detail.getByRole("link", { name: "lab" }).getAttribute("href"))!, page.url());
    assert.equal(link.pathname, "/");
    const { engine, picture, size, blobs, steps, learningRate } = Object.fromEntries(link.searchParams);
    assert.deepEqual([engine, picture, size, blobs, steps, learningRate], ["cpu", "coffee", "32", "20", "20", "0.05"]);
  });

  it("restores results after a reload, and trains only the missing runs of a changed sweep", async () => {
    const before = await cellTexts();
    await page.reload();
    await reaches("Done");
    await cellsShow(before);
    const saved = await table();
    await page.getByRole("group", { name: "Suggested values" }).nth(0).getByLabel("0.03").check();
    await page.getByText("6 runs, 3 × 2. 4 of them have results.").waitFor();
    await button("Resume").click();
    await reaches("Done");
    const { rows } = await table();
    assert.equal(rows.length, 6);
    assert.deepEqual([...rows.slice(0, 2), ...rows.slice(4)], saved.rows, "to the last digit of their seconds");
  });

  it("reports a wrong value at once, and keeps the sweep", async () => {
    const values = page.getByLabel("Columns: values");
    await values.fill("10,many");
    await page.getByText('blobs must be a whole number of at least 1 (got "many")').waitFor();
    await page.getByText(/^6 runs, 3 × 2\./).waitFor();
    await values.fill("10,20");
    await page.getByLabel("Columns", { exact: true }).selectOption("Learning rate");
    await page.getByText("Another input varies the same setting. Choose another one, or none.").waitFor();
  });

  it("keeps finished runs when it is stopped, next to those that cannot be trained", async () => {
    const sweep = vary("steps=20,100000000", "blend=over,sum");
    await page.goto(`/sweep?${job.replace("&steps=20", "")}&blobs=10&seed=3&${sweep}`);
    await page.getByText("4 runs, 2 × 2, of which 2 cannot be trained.").waitFor();
    await button("Start sweep").click();
    await gridRuns().filter({ hasText: "of 100000000" }).waitFor();
    await button("Stop").click();
    await gridRuns().filter({ hasText: "stopped" }).waitFor();
    const { rows } = await table();
    assert.deepEqual(
      rows.map(({ status }) => status),
      ["done", "refused", "stopped", "refused"],
    );
    await cellsShow([rows[0].psnr.toFixed(2), "refused", "stopped", "refused"]);
    assert.ok(rows[2].step > 0 && rows[2].step < 1e6);
    await gridRuns().nth(1).focus();
    await page.getByText(/It cannot be trained: background must be white or black/).waitFor();
    await page.reload();
    await page.getByText("1 of them has a result.").waitFor();
    assert.equal(await button("Resume").isEnabled(), true);
  });

  it("draws a line if one setting varies", async () => {
    await page.goto(`/sweep?${job}&blobs=10&seed=4&${vary("learningRate=0.01..0.1x3")}`);
    await button("Start sweep").click();
    await reaches("Done");
    const { rows } = await table();
    await cellsShow(rows.map(({ psnr }) => psnr.toFixed(2)));
    assert.equal(await chart().locator('[aria-label="dot"] circle').count(), 3);
  });

  it("opens a sweep of the command line with its results, and saves one for the command line", async () => {
    const swept = ["--vary", "learning-rate=0.01..0.05x", "--vary", "blobs=10,20"];
    const out = join(folder, "opened");
    const small = [await smallImage(folder), "--pipeline", "cpu", "--steps", "5"];
    assert.equal((await splatbook(["sweep", ...small, ...swept, "--random", "5", "--out", out, "--quiet"])).code, 0);
    await page.getByLabel("folder", { exact: true }).setInputFiles(out);
    await page.getByText("5 runs. All of them have results.").waitFor();
    const { rows: trained, sweep } = readSweepFile(readFileSync(join(out, "sweep.arrow")));
    assert.deepEqual(
      await gridTexts(),
      trained.map(({ psnr }) => `${psnr.toFixed(2)} dB`),
    );
    await page.getByRole("img", { name: /^Parallel coordinates: Learning rate, Blobs, PSNR$/ }).waitFor();
    assert.equal(await chart().locator("path[tabindex]").count(), 5);
    const save = page.getByRole("button", { name: "sweep.json", exact: true });
    const [download] = await Promise.all([page.waitForEvent("download"), save.press("Enter")]);
    const saved = readSweepJson(Buffer.from(await readDownload(download)).toString());
    assert.deepEqual([saved.sweep.vary, saved.sweep.random, saved.longest], [sweep.vary, 5, 24]);
  });

  it("works without storage, and reports that at the end", async () => {
    const refuse = "IDBFactory.prototype.open = () => { throw new DOMException('Not here', 'SecurityError'); };";
    const query = `${job}&blobs=10&steps=2&${vary("learningRate=0.01,0.05")}`;
    const other = await openPage(`/sweep?${query}`, { webgpu: false, script: refuse });
    await reaches("Ready", other.page);
    await other.page.getByRole("button", { name: "Start sweep", exact: true }).click();
    await reaches("Done", other.page);
    await other.page.getByText("This browser does not store results, so they are lost on reload: Not here.").waitFor();
    assert.deepEqual(other.complaints, []);
    await other.page.context().close();
  });

  it("keeps all results, and offers to delete them when the storage is full", async () => {
    const query = `${job}&blobs=10&steps=2&${vary("learningRate=0.01,0.05")}`;
    const other = (await openPage(`/sweep?${query}`, { webgpu: false })).page;
    const results = (added: number) =>
      other.evaluate(async (added) => {
        const answer = <T>(asked: IDBRequest<T>) =>
          new Promise<T>((done) => (asked.onsuccess = () => done(asked.result)));
        const db = await answer(indexedDB.open("splatbook-sweeps"));
        const runs = db.transaction("runs", "readwrite").objectStore("runs");
        for (let i = 0; i < added; i++) runs.put({ keptAt: i }, `of old ${i}`);
        const count = await answer(runs.count());
        db.close();
        return count;
      }, added);
    const bar = sweepBar(other);
    const ends = async () => {
      await bar.getByRole("button", { name: "Start sweep", exact: true }).click();
      await reaches("Done", other);
    };
    await reaches("Ready", other);
    const before = await results(1100);
    await ends();
    await until(
      () => results(0),
      (count) => count === before + 2,
      "the number of results",
    );
    await other.evaluate(() => {
      IDBObjectStore.prototype.put = () => {
        throw new DOMException("full", "QuotaExceededError");
      };
    });
    await bar.getByRole("button", { name: "Delete results", exact: true }).click();
    await ends();
    await bar.getByText("The browser's storage is full, so new results are lost on reload").waitFor();
    await bar.getByRole("button", { name: "Delete results of all sweeps" }).click();
    await bar.getByRole("button", { name: "Delete for good", exact: true }).click();
    await bar.getByText("The browser's storage is full").waitFor({ state: "detached" });
    assert.equal(await results(0), 0);
    await other.context().close();
  });

  it("leaves the console clean, and requests only its own origin", async () => {
    await assertAccessible(page);
    assert.deepEqual(watched.complaints, []);
    assert.deepEqual(watched.foreignRequests, []);
  });
});
