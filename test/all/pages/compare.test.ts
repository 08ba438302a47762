import assert from "node:assert/strict";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, it } from "vitest";
import { readMetrics, readParameters } from "../../../src/engine/files/arrow.js";
import { runFiles } from "../../../src/engine/files/runFiles.js";
import { openRunFolder } from "../../../src/runs/runFolder.js";
import { becomes, until } from "../../support/pages.js";
import { LabPage } from "./labPage.js";

/** Density control and a learning-rate schedule: resuming needs more than the parameters. */
const job = "preset=quality&blobs=40&steps=160&growEvery=2&size=32&tile=8x8";

describe("saved and compared runs", () => {
  let lab: LabPage;
  let page: Page;
  let folder: string;
  beforeAll(async () => {
    lab = await LabPage.open(`?${job}`, { webgpu: false });
    page = lab.page;
    folder = await mkdtemp(join(tmpdir(), "splatbook-"));
  });
  afterAll(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  const savedRuns = () => page.getByRole("list", { name: "Saved runs" });
  const addRuns = () => page.getByRole("group", { name: "Add runs" });
  const runTable = () => page.getByRole("table", { name: "Runs", exact: true });
  const runNames = () => runTable().getByRole("rowheader").allInnerTexts();
  const legend = () => page.getByRole("list", { name: "Legend" }).getByRole("listitem");
  const differingSettings = () => page.getByRole("group", { name: "Settings that differ" });
  const errorMaps = () => page.getByRole("group", { name: "Error maps" }).getByRole("figure");
  const curves = () => page.getByLabel("PSNR against step").locator('g[aria-label="line"]');

  /** Starts the run over and takes some steps, of which the latest is stored. */
  const takeSteps = async (steps: number) => {
    await lab.button("Restart").click();
    for (let step = 1; step <= steps; step++) {
      await lab.button("Step").click();
      await lab.untilStep((done) => done === step);
    }
    await page.getByText(`Stored now: step ${steps}.`).waitFor();
  };
  /** Returns the offers to resume with a text. */
  const offer = (text: string | RegExp, where = page) =>
    where.locator("p").filter({ hasText: "Unsaved run: " }).filter({ hasText: text });
  /** Presses a delete button twice. */
  const remove = async (item: Locator) => {
    await item.getByRole("button", { name: "Delete", exact: true }).click();
    await item.getByRole("button", { name: /^Delete for good, frees / }).click();
  };

  it("resumes a closed page's run, with the parameters and rows of an uninterrupted one", async () => {
    await lab.reaches("Done");
    const whole = readParameters(await lab.download("parameters.arrow"));
    await lab.button("Save").click();
    await lab.bar.getByRole("button", { name: "Saved", exact: true }).waitFor();
    await takeSteps(3);
    // Another job starts at once.
    await lab.visit("?blobs=20&steps=10&size=32");
    await lab.reaches("Done");
    await offer("astronaut, 40 blobs, step 3 of 160").getByRole("button", { name: "Resume" }).click();
    await lab.untilStep((step) => step === 160);
    await lab.reaches("Done");
    assert.deepEqual(readParameters(await lab.download("parameters.arrow")), whole);
    const steps = readMetrics(await lab.download("metrics.arrow")).rows.map(({ step }) => step);
    assert.ok(steps[0] === 1 && steps.includes(3) && steps.at(-1) === 160, `rows of the steps ${steps}`);
    // Its end replaces the state from which it was resumed.
    await page.getByText("Stored now: step 160.").waitFor();
  });

  it("waits with a job of which it stores an unfinished run, and keeps that until the reader deletes it", async () => {
    await takeSteps(5);
    await lab.visit(`?${job}`);
    await lab.bar.getByText("This job has an unfinished run").waitFor();
    assert.equal(await lab.step(), 0);
    await page.evaluate(() => {
      IDBObjectStore.prototype.put = () => {
        throw new DOMException("full", "QuotaExceededError");
      };
    });
    await offer("step 5 of 160").getByRole("button", { name: "Resume" }).click();
    await page.getByText("The run cannot be resumed after a reload: The browser has no space left").waitFor();
    await page.reload();
    await remove(offer("step 5 of 160"));
    // Deleting is a choice too.
    await lab.reaches("Done");
    assert.equal(await lab.step(), 160);
  });

  it("stores the run of a hidden page, and offers it after the page's crash, but not while it is open", async () => {
    await lab.unfold();
    await page.getByText("Stored now: step 160.").waitFor();
    await lab.turn("Steps", 100_000_000);
    await lab.bar.getByText("of 100,000,000").waitFor();
    await page.evaluate(() => {
      Object.defineProperty(document, "hidden", { value: true });
      document.dispatchEvent(new Event("visibilitychange"));
    });
    await page.getByText(/Stored now: step (?!160\.)/).waitFor();
    const other = await page.context().newPage();
    await other.goto("/?blobs=20&steps=10&size=32");
    await other.getByRole("group", { name: "Training", exact: true }).getByText("Done", { exact: true }).waitFor();
    assert.equal(await offer("of 100,000,000", other).count(), 0);
    const crash = page.waitForEvent("crash");
    // The answer may never come.
    void page.goto("chrome://crash").catch(() => {});
    await crash;
    await other.reload();
    await offer("of 100,000,000", other).waitFor();
    await page.close();
    page = other;
  });

  it("saves a run with the files of a run folder, which the command line reads", async () => {
    await page.goto("/compare");
    await savedRuns().locator("summary").click();
    const links = savedRuns().locator("details").getByRole("link");
    await links.first().waitFor();
    const names = await links.allInnerTexts();
    for (const link of await links.all()) {
      const text = await link.evaluate(async (node) => {
        const bytes = new Uint8Array(await (await fetch((node as HTMLAnchorElement).href)).arrayBuffer());
        return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
      });
      const path = join(folder, "saved", await link.innerText());
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, Buffer.from(text, "base64"));
    }
    const run = await openRunFolder(join(folder, "saved"));
    const { step, files, result } = run.description;
    assert.equal(step, 160);
    // The hashes by which files are checked.
    assert.deepEqual(Object.keys(files!).sort(), names.filter((name) => name !== "run.json").sort());
    assert.ok((await run.state()).secondMoments.some((value) => value > 0));
    assert.equal((await run.gradients())[0].step, 161);
    assert.equal((await run.image(runFiles.render)).width, 32);
    assert.equal((await run.metrics()).at(-1)?.psnr.toFixed(1), result.psnr.toFixed(1));
    // The page shows the PSNR of the final render, which is not that of the last row.
    const psnr = `PSNR ${result.psnr.toFixed(2)} dB`;
    assert.ok((await savedRuns().innerText()).includes(`, ${psnr}, `));
    await errorMaps().getByText(psnr, { exact: true }).waitFor();
  });

  it("reads folders, reports an error for some, and shows the others", async () => {
    const runs = join(folder, "runs");
    await cp(join(folder, "saved"), join(runs, "other"), { recursive: true });
    const description = await readFile(join(runs, "other", "run.json"), "utf8");
    const regions = { side: 32, windows: 0, done: 1, list: [{ x: 0, y: 0, width: 32, height: 32, blobs: 40 }] };
    const others = {
      broken: description.slice(0, 99),
      mixed: description.replace('"seed": 1', '"seed": 7'),
      parts: JSON.stringify({ ...JSON.parse(description), regions }),
    };
    for (const [name, text] of Object.entries(others)) {
      await cp(join(folder, "saved"), join(runs, name), { recursive: true });
      await writeFile(join(runs, name, "run.json"), text);
    }
    const picker = addRuns().getByLabel("pick a folder");
    await picker.setInputFiles(join(runs, "other", "film"));
    await page.getByText(/^film contains no run: no folder in it has a run.json./).waitFor();
    await picker.setInputFiles(runs);
    await page.getByText("The run broken cannot be used: run.json is not JSON.").waitFor();
    await page.getByText(/^The run mixed cannot be used: metrics.arrow has another config/).waitFor();
    await page.getByText("The run parts was trained in regions, which this page does not compare").waitFor();
    const expected = ["astronaut, 40 blobs, step 160", "mixed", "other"];
    const added = async () => (await runNames()).filter((name) => !name.startsWith("astronaut-"));
    await until(added, (names) => names.toSorted().join() === expected.join(), "the runs");
  });

  it("shows the settings that differ, a curve and an error map per run, and wipes between two images", async () => {
    const rows = differingSettings().locator("tbody tr");
    // Each added run has its column.
    await rows.filter({ hasText: "seed" }).locator("> :nth-child(4)").waitFor();
    assert.deepEqual(await rows.evaluateAll((rows) => rows.map((row) => row.textContent?.trim())), ["seed117"]);
    // The run mixed has no curve.
    await becomes(curves().locator("path"), 2);
    await becomes(errorMaps(), 3);
    const [left] = await legend().allInnerTexts();
    const wipe = page.getByRole("group", { name: "Image comparison" });
    await wipe.getByLabel(`Render of ${left}, PSNR `).waitFor();
    await page.getByLabel("Right", { exact: true }).selectOption("target: astronaut, 32 × 32");
    await wipe.getByRole("img", { name: "Target: astronaut" }).waitFor();
    const divider = page.getByRole("slider", { name: `Divider: ${left} to the left` });
    await divider.scrollIntoViewIfNeeded();
    const { x, y, width, height } = (await divider.boundingBox())!;
    await page.mouse.move(x + width / 2, y + height / 2);
    await page.mouse.down();
    await page.mouse.move(x + 0.9 * width, y + height / 2, { steps: 3 });
    await page.mouse.up();
    await until(
      async () => Number(await divider.inputValue()),
      (at) => at > 80,
      "the divider",
    );
  });

  it("sorts its table, and draws curves against seconds", async () => {
    const head = (name: string) => runTable().getByRole("columnheader").filter({ hasText: name }).getByRole("button");
    await head("run").click();
    const names = await runNames();
    assert.deepEqual(
      names,
      names.toSorted((a, b) => a.localeCompare(b)),
    );
    await head("blobs").click();
    const blobs = (await runTable().locator("td:nth-child(6)").allInnerTexts()).map((text) =>
      Number(text.replace(",", "")),
    );
    assert.deepEqual(
      blobs,
      blobs.toSorted((a, b) => b - a),
    );
    await page.getByRole("radio", { name: "seconds" }).click();
    await page.getByLabel("PSNR against seconds").waitFor();
    await page.getByRole("radio", { name: "steps" }).click();
    await page.getByRole("checkbox", { name: "Compare mixed" }).uncheck();
    await until(
      () => legend().count(),
      (count) => count === 2,
      "the compared runs",
    );
  });

  it("resumes a saved run in the lab at its last step, and rejects it when a file is damaged", async () => {
    const resume = () => page.getByRole("link", { name: "Resume in the lab" }).click();
    const bar = page.getByRole("group", { name: "Training", exact: true });
    await resume();
    await bar.getByText("of 160 steps").waitFor();
    await page.goBack();
    await page.evaluate(async () => {
      const answer = <T>(asked: IDBRequest<T>) =>
        new Promise<T>((resolve, reject) => {
          asked.onsuccess = () => resolve(asked.result);
          asked.onerror = () => reject(asked.error);
        });
      const db = await answer(indexedDB.open("splatbook"));
      const files = () => db.transaction("files", "readwrite").objectStore("files");
      const isTable = (key: IDBValidKey) => (key as string[])[1] === "optimizer.arrow";
      for (const key of (await answer(files().getAllKeys())).filter(isTable)) {
        const bytes = new Uint8Array(await (await answer<Blob>(files().get(key))).arrayBuffer());
        // The table stays readable with a changed number.
        bytes[bytes.length >> 1] ^= 1;
        await answer(files().put(new Blob([bytes]), key));
      }
      db.close();
    });
    await resume();
    await page.getByText("optimizer.arrow is not the file that run.json describes: its SHA-256 differs.").waitFor();
    await page.goBack();
  });

  it("renames and deletes a saved run, and compares recorded runs if none is saved", async () => {
    const name = page.getByLabel("Name of astronaut, 40 blobs, step 160");
    await name.fill("the first");
    await name.press("Enter");
    await runTable().getByText("the first").waitFor();
    await remove(savedRuns().getByRole("listitem"));
    await page.getByText("No run is saved in this browser").waitFor();
    await becomes(runTable().getByText("the first"), 0);
    await page.goto("/compare?run=astronaut-5000-quality");
    await legend().nth(1).waitFor();
    assert.equal(await legend().first().innerText(), "astronaut-5000-quality");
  });
});
