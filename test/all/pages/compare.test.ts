import assert from "node:assert/strict";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Locator, Page } from "playwright-core";
import sharp from "sharp";
import { afterAll, beforeAll, describe, it } from "vitest";
import { readMetrics, readParameters } from "../../../src/engine/files/arrow.js";
import { runFiles } from "../../../src/engine/files/runFiles.js";
import { openRunFolder } from "../../../src/runs/runFolder.js";
import { splatbook } from "../../cli/command.js";
import { assertAccessible, until } from "../../support/pages.js";
import { openWithoutScript } from "../../support/staticReport.js";
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

  /** The run bar of the lab. */
  const runBar = () => page.getByRole("group", { name: "Training", exact: true });
  const savedRuns = () => page.getByRole("list", { name: "Saved runs" });
  const savedFiles = () => savedRuns().locator("details");
  const addRuns = () => page.getByRole("group", { name: "Add runs" });
  const runTable = () => page.getByRole("table", { name: "Runs", exact: true });
  const runNames = () => runTable().getByRole("rowheader").allInnerTexts();
  /** The buttons of the runs in the key. */
  const runKey = () => page.getByRole("group", { name: "Compared runs" }).getByRole("button");
  const differingSettings = () => page.getByRole("group", { name: "Settings that differ" });
  const errorMaps = () => page.getByRole("group", { name: "Error maps" }).getByRole("figure");
  const psnrChart = () => page.getByLabel("PSNR against step");
  const psnrLines = () => psnrChart().locator('g[aria-label="line"]');

  const save = async () => {
    await lab.button("Save run").click();
    await lab.bar.getByRole("button", { name: /^Saved, \d+ kB$/ }).waitFor();
  };

  /** Starts the run over and takes some steps. Those after the first are stored only as the page is left. */
  const takeSteps = async (steps: number) => {
    await lab.button("Start over").click();
    for (let step = 1; step <= steps; step++) {
      await lab.button("Step").click();
      await lab.untilStep((done) => done === step);
      if (step === 1) await page.getByText("Stored now: step 1.").waitFor();
      await page.evaluate(() => {
        const { postMessage } = Worker.prototype;
        Worker.prototype.postMessage = function (message, options) {
          // The thread that writes runs gets nothing to write.
          if (!message.question?.description) postMessage.call(this, message, options as StructuredSerializeOptions);
        };
      });
    }
    await lab.images.getByText(`step ${steps}`, { exact: true }).waitFor();
    assert.equal(await page.getByText(`Stored now: step ${steps}.`).count(), 0);
  };

  /** Returns the offers to resume with a text. */
  const offer = (text: string | RegExp) =>
    page.locator("p").filter({ hasText: "Unsaved run: " }).filter({ hasText: text });

  /** Presses a delete button twice. */
  const remove = async (item: Locator, name: string) => {
    await item.getByRole("button", { name, exact: true }).click();
    await item.getByRole("button", { name: /^Delete for good, frees / }).click();
  };

  /** Resumes the run of a step and expects the result of an uninterrupted run. */
  const resumeFrom = async (held: number) => {
    await offer(`astronaut, 40 blobs, step ${held} of 160`).getByRole("button", { name: "Resume" }).click();
    await lab.untilStep((step) => step === 160);
    await lab.reaches("Done");
    const { config, parameters } = readParameters(await lab.download("parameters.arrow"));
    assert.deepEqual(config, whole.config);
    assert.deepEqual(parameters, whole.parameters);
    const { rows } = readMetrics(await lab.download("metrics.arrow"));
    const steps = rows.map(({ step }) => step);
    assert.ok(steps[0] === 1 && steps.includes(held) && steps.at(-1) === 160, `rows of the steps ${steps}`);
    assert.deepEqual(
      steps,
      steps.toSorted((a, b) => a - b),
    );
    assert.equal(await offer(`, step ${held} `).count(), 0);
  };
  let whole: ReturnType<typeof readParameters>;
  /** The PSNR of the finished run, everywhere in the lab. */
  let shownInLab: string[];

  const psnrInLab = async () => {
    const fact = runBar()
      .locator("dl > div")
      .filter({ has: page.getByText("PSNR", { exact: true }) });
    await fact.waitFor();
    const bar = `PSNR ${await fact.locator("dd").innerText()}`;
    const error = lab.images.getByRole("figure", { name: "Error" }).getByText(/^PSNR .* dB$/);
    const chart = page.getByLabel("PSNR against steps", { exact: true }).getByText(/^PSNR .* dB$/);
    await lab.images.getByText("step 160", { exact: true }).waitFor();
    return [bar, await error.innerText(), (await chart.textContent())!];
  };

  it("resumes after a reload, with the parameters of an uninterrupted run", async () => {
    await lab.reaches("Done");
    shownInLab = await psnrInLab();
    whole = readParameters(await lab.download("parameters.arrow"));
    await save();
    await takeSteps(3);
    // Another job starts at once.
    await lab.visit(`?blobs=20&steps=10&size=32`);
    await lab.reaches("Done");
    await resumeFrom(3);
    await page.getByText("Stored now: step 160.").waitFor();
  });

  it("offers to resume a run of the page's own settings, and starts none before the reader chooses", async () => {
    await takeSteps(4);
    for (let load = 0; load < 3; load++) {
      await lab.visit(`?${job}`);
      await offer(", step 4 of 160").waitFor();
      await lab.bar.getByText("This job has an unfinished run").waitFor();
      await lab.reaches("Paused");
      assert.equal(await lab.step(), 0);
    }
    for (const top of [0, 1e6]) {
      await page.evaluate((top) => scrollTo(0, top), top);
      const { x, y, width, height } = (await offer(", step 4 of 160").boundingBox())!;
      const column = (await page.getByRole("main").boundingBox())!;
      assert.deepEqual([x, width].map(Math.round), [column.x, column.width].map(Math.round));
      assert.ok(y >= 0 && y + height <= page.viewportSize()!.height, `the offer is visible: ${y}`);
    }
    await resumeFrom(4);
    await page.getByText("Stored now: step 160.").waitFor();
    // Its end replaces the state from which it resumed.
    await lab.visit(`?${job}`);
    await lab.reaches("Done");
    assert.equal(await offer(", step 4 of 160").count(), 0);
  });

  it("keeps the stored state if a resumed run ends without storing a later one", async () => {
    await takeSteps(5);
    await lab.visit(`?${job}`);
    await page.evaluate(() => {
      IDBObjectStore.prototype.put = () => {
        throw new DOMException("full", "QuotaExceededError");
      };
    });
    await resumeFrom(5);
    await page.getByText("The run cannot be resumed after a reload: The browser has no space left").waitFor();
    await lab.visit(`?${job}`);
    await remove(offer(", step 5 of 160"), "Delete");
    // Deleting is a choice too.
    await lab.reaches("Done");
    assert.equal(await lab.step(), 160);
    await lab.visit();
    await lab.reaches("Done");
    assert.equal(await offer(", step 5 of 160").count(), 0);
  });

  it("keeps the runs of closed pages, and deletes those that the reader chooses", async () => {
    await page.getByText("Stored now: step 160.").waitFor();
    /** Adds unsaved runs of the given steps, and returns the steps of all. */
    const unsaved = (steps: number[]) =>
      page.evaluate(async (steps) => {
        const answer = <T>(asked: IDBRequest<T>) =>
          new Promise<T>((resolve, reject) => {
            asked.onsuccess = () => resolve(asked.result);
            asked.onerror = () => reject(asked.error);
          });
        const db = await answer(indexedDB.open("splatbook"));
        const store = db.transaction("runs", "readwrite").objectStore("runs");
        const [run] = (await answer(store.getAll())).filter(({ kind }) => kind === "latest");
        for (const step of steps) {
          run.description.step = step;
          run.description.config.blobs = 39;
          await answer(store.put({ ...run, id: `page ${step}`, storedAt: `2026-01-${step}` }));
        }
        const all = await answer(store.getAll());
        db.close();
        return all.map(({ description }) => description.step as number).filter((step) => step < 100);
      }, steps);
    await unsaved([11, 12, 13, 14, 15, 16]);
    await lab.visit();
    for (const step of [16, 15, 14]) await offer(`39 blobs, step ${step} of 160`).waitFor();
    const more = page.locator("details").filter({ hasText: /\d+ more unsaved runs?, / });
    await more.locator("summary").click();
    await remove(offer("39 blobs, step 12 of 160"), "Delete");
    await offer("39 blobs, step 12 of 160").waitFor({ state: "detached" });
    assert.deepEqual(await unsaved([]), [11, 13, 14, 15, 16]);
    await remove(more, "Delete all");
    await more.waitFor({ state: "hidden" });
    assert.deepEqual(await unsaved([]), [14, 15, 16]);
    for (const step of [14, 15, 16]) await remove(offer(`, step ${step} of 160`), "Delete");
    await offer("39 blobs").waitFor({ state: "detached" });
    assert.deepEqual(await unsaved([]), []);
    await lab.reaches("Done");
  });

  it("stores the run when the page is hidden, for the page after a crash", async () => {
    await page.getByText("Stored now: step 160.").waitFor();
    await lab.turn("Steps", 100_000_000);
    await lab.bar.getByText("of 100,000,000").waitFor();
    await page.evaluate(() => {
      Object.defineProperty(document, "hidden", { value: true });
      document.dispatchEvent(new Event("visibilitychange"));
    });
    await page.getByText(/Stored now: step (?!160\.)/).waitFor();
    const other = await page.context().newPage();
    await other.goto(`/?blobs=20&steps=10&size=32`);
    const offered = other.getByText(/, step [\d,]+ of 100,000,000/);
    await other.getByRole("group", { name: "Training", exact: true }).getByText("Done", { exact: true }).waitFor();
    assert.equal(await offered.count(), 0, "the page that trains it is still there");
    const crash = page.waitForEvent("crash");
    // The answer may never come.
    void page.goto("chrome://crash").catch(() => {});
    await crash;
    await other.reload();
    await offered.waitFor();
    await page.close();
    page = other;
  });

  it("links to a sweep of the current settings", async () => {
    // The link follows the settings, once they are known.
    const link = page.getByRole("link", { name: "sweep these settings" }).and(page.locator('[href*="?"]'));
    const href = await link.getAttribute("href");
    const { pathname, searchParams } = new URL(href!, page.url());
    assert.equal(pathname, "/sweep.html");
    assert.deepEqual(Object.fromEntries(searchParams), {
      picture: "astronaut",
      size: "32",
      blobs: "20",
      steps: "10",
    });
  });

  it("saves a run with the files of a run folder, which the command line reads", async () => {
    await page.goto(`/compare`);
    await savedFiles().locator("summary").click();
    const links = savedFiles().getByRole("link");
    await links.first().waitFor();
    const names = await links.allInnerTexts();
    const missing = Object.values(runFiles).filter((name) => !names.includes(name));
    assert.deepEqual(missing, []);
    assert.ok(names.includes("film/000064.png") && names.includes("film/000160.png"), names.join(", "));
    for (const name of names) {
      // Browsers limit the downloads of a page, so this follows the links.
      const link = savedFiles().getByRole("link", { name, exact: true });
      const text = await link.evaluate(async (node) => {
        const bytes = new Uint8Array(await (await fetch((node as HTMLAnchorElement).href)).arrayBuffer());
        return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
      });
      await mkdir(dirname(join(folder, "saved", name)), { recursive: true });
      await writeFile(join(folder, "saved", name), Buffer.from(text, "base64"));
    }
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      savedFiles().getByRole("link", { name: "run.json" }).click(),
    ]);
    assert.equal(download.suggestedFilename(), "run.json");
    const run = await openRunFolder(join(folder, "saved"));
    assert.equal(run.description.step, 160);
    // The hashes by which files are checked.
    assert.deepEqual(Object.keys(run.description.files!).sort(), names.filter((name) => name !== "run.json").sort());
    assert.ok(run.description.result.file!.psnr > run.description.result.psnr - 1);
    const state = await run.state();
    assert.ok(state.secondMoments.some((value) => value > 0));
    assert.equal((await run.gradients())[0].step, 161);
    assert.deepEqual([(await run.target()).width, (await run.image(runFiles.render)).width], [32, 32]);
    assert.equal((await run.metrics()).at(-1)?.psnr.toFixed(1), run.description.result.psnr.toFixed(1));
  });

  it("shows the PSNR of the final render in the lab, the files, this page and a report", async () => {
    const run = await openRunFolder(join(folder, "saved"));
    const { psnr } = run.description.result;
    const text = `PSNR ${psnr.toFixed(2)} dB`;
    assert.deepEqual(shownInLab, [text, text, text], "run bar, error map, chart");
    assert.ok(Math.abs((await run.metrics()).at(-1)!.psnr - psnr) > 1e-4, "it differs from the last row's");
    assert.ok((await savedRuns().innerText()).includes(`, ${text}, `));
    const cells = runTable().locator("tbody tr").first().locator("td");
    assert.ok((await cells.allInnerTexts()).includes(psnr.toFixed(2)), "table of runs");
    await errorMaps().getByText(text, { exact: true }).waitFor();
    await psnrChart().getByText(text, { exact: true }).waitFor({ state: "attached" });
    const { code, stderr } = await splatbook(["report", join(folder, "saved")], { cwd: folder });
    assert.equal(code, 0, stderr);
    const still = await openWithoutScript(pathToFileURL(join(folder, "report.html")).href);
    const report = still.page.getByRole("article");
    assert.ok((await report.getByRole("paragraph").first().innerText()).startsWith(`${psnr.toFixed(2)} dB `));
    const texts = await report.getByText(/^PSNR [\d.]+ dB$/).allTextContents();
    assert.deepEqual(texts, [text, text], "error map and chart");
    await still.context.close();
  });

  it("reads folders and files, reports an error for some, and shows the others", async () => {
    const runs = join(folder, "runs");
    await cp(join(folder, "saved"), join(runs, "other"), { recursive: true });
    const config = (text: string) => text.replace('"seed": 1', '"seed": 7');
    const description = await readFile(join(runs, "other", "run.json"), "utf8");
    await mkdir(join(runs, "broken"), { recursive: true });
    await writeFile(join(runs, "broken", "run.json"), description.slice(0, 99));
    await cp(join(runs, "other"), join(runs, "mixed"), { recursive: true });
    await writeFile(join(runs, "mixed", "run.json"), config(description));
    await addRuns().getByLabel("folders", { exact: true }).setInputFiles(runs);
    await page.getByText("The run broken cannot be used: run.json is not JSON.").waitFor();
    await page.getByText(/^The run mixed cannot be used: metrics.arrow has another config/).waitFor();
    await runTable().getByText("other", { exact: true }).waitFor();
    await addRuns()
      .getByLabel("files", { exact: true })
      .setInputFiles([
        { name: "notes.arrow", mimeType: "", buffer: Buffer.from("no table") },
        { name: "metrics (1).arrow", mimeType: "", buffer: await readFile(join(runs, "other", "metrics.arrow")) },
      ]);
    await page.getByText(/^notes.arrow cannot be read as a metrics.arrow, .* is not a complete Arrow file\./).waitFor();
    assert.deepEqual((await runNames()).toSorted(), [
      "astronaut, 40 blobs, step 160",
      "metrics (1).arrow",
      "mixed",
      "other",
    ]);
  });

  it("leaves dropped text to fields, and ignores it elsewhere", async () => {
    const before = await addRuns().innerText();
    const isTaken = (selector: string) =>
      page
        .locator(selector)
        .first()
        .evaluate((node) => {
          const dataTransfer = new DataTransfer();
          dataTransfer.setData("text/uri-list", "https://example.org/");
          return !node.dispatchEvent(new DragEvent("drop", { bubbles: true, cancelable: true, dataTransfer }));
        });
    assert.equal(await isTaken("h1"), true);
    await page.evaluate(() => document.querySelector("main")!.append(document.createElement("textarea")));
    assert.equal(await isTaken("main > textarea"), false);
    await page.evaluate(() => document.querySelector("main > textarea")!.remove());
    assert.equal(await addRuns().innerText(), before);
  });

  it("shows the settings that differ, and a curve and an image per run", async () => {
    const rows = differingSettings().locator("tbody tr");
    // Each added run has its column.
    await rows.filter({ hasText: "seed" }).locator("> :nth-child(5)").waitFor();
    assert.deepEqual(await rows.evaluateAll((rows) => rows.map((row) => row.textContent)), [
      `image${"astronaut, 32 × 32".repeat(3)}unknown`,
      "seed1171",
    ]);
    const heads = differingSettings()
      .getByRole("columnheader")
      .filter({ hasNotText: /^field$/ });
    const beyond = await heads.evaluateAll((heads) =>
      heads.filter((head) => {
        const text = document.createRange();
        text.selectNodeContents(head.lastElementChild!);
        const [outer, inner] = [head, text].map((part) => part.getBoundingClientRect());
        return inner.left < outer.left - 1 || inner.right > outer.right + 1;
      }),
    );
    assert.equal(await heads.count(), 4);
    assert.equal(beyond.length, 0, "each run's name fits the head of its column");
    const lines = psnrLines().locator("path");
    await lines.nth(2).waitFor();
    assert.equal(await lines.count(), 3, "mixed has no curve");
    assert.equal(await errorMaps().count(), 3, "a single metrics.arrow has no image");
    const [leftRun] = await runKey().allInnerTexts();
    await page.getByRole("slider", { name: `Divider: ${leftRun} to the left` }).waitFor();
    const wipe = page.getByRole("group", { name: "Image comparison" });
    const drawn = await wipe.getByLabel(`Render of ${leftRun}, PSNR `).evaluate((node) => {
      const canvas = node as HTMLCanvasElement;
      return [...canvas.getContext("2d")!.getImageData(0, 0, canvas.width, canvas.height).data];
    });
    const render = await sharp(join(folder, "saved", "render.png"))
      .ensureAlpha()
      .raw()
      .toBuffer();
    assert.deepEqual(drawn, [...render]);
    await page.getByLabel("Right of the divider").selectOption("target: astronaut, 32 × 32");
    await page.getByRole("slider", { name: "target: astronaut, 32 × 32 to the right" }).waitFor();
    await wipe.getByRole("img", { name: "Target: astronaut" }).waitFor();
  });

  it("sorts its table by any column, with unknown values last", async () => {
    const head = (name: string) => runTable().getByRole("columnheader").filter({ hasText: name }).getByRole("button");
    await head("date").click();
    const byDate = await runNames();
    assert.equal(byDate.at(-1), "metrics (1).arrow");
    await head("run").click();
    assert.deepEqual(await runNames(), byDate.toSorted());
    await head("run").click();
    assert.deepEqual(await runNames(), byDate.toSorted().reverse());
  });

  it("highlights the focused or hovered run in every table, chart and image", async () => {
    const opacities = () => psnrLines().evaluateAll((lines) => lines.map((line) => getComputedStyle(line).opacity));
    /** Returns the colours that highlight elements: the outlines of figures, and the backgrounds of others. */
    const colorsOf = (elements: Locator) =>
      elements.evaluateAll((nodes) =>
        nodes.map((node) => {
          const { outlineColor, backgroundColor } = getComputedStyle(node);
          return node.localName === "figure" ? outlineColor : backgroundColor;
        }),
      );
    await page.mouse.move(0, 0);
    const parts = page.locator("main :is(button, figure, span, tr)");
    const kinds = await parts.evaluateAll((nodes) =>
      nodes.map((node) => (node.localName === "span" ? node.parentElement! : node).localName),
    );
    const [partColors, keyColors] = [await colorsOf(parts), await colorsOf(runKey())];
    const marked = async () => {
      const colors = await colorsOf(parts);
      return kinds.filter((_, i) => colors[i] !== partColors[i]);
    };
    await runKey().filter({ hasText: "other" }).focus();
    const highlighted = async () =>
      (await colorsOf(runKey())).flatMap((color, i) => (color === keyColors[i] ? [] : [i]));
    // Charts follow the focus after the lists do.
    const strongLines = async () => (await opacities()).flatMap((opacity, i) => (opacity === "1" ? [i] : []));
    const areSame = ([lines, names]: number[][]) => names.length === 1 && lines.join() === names.join();
    await until(async () => [await strongLines(), await highlighted()], areSame, "the strong lines and names");
    const everywhere = await marked();
    for (const kind of ["button", "figure", "td", "th", "tr"])
      assert.ok(everywhere.includes(kind), everywhere.join(" "));
    await runKey().filter({ hasText: "other" }).blur();
    assert.deepEqual(await marked(), []);
    await errorMaps().first().hover();
    assert.deepEqual(await highlighted(), [0]);
  });

  it("resumes a saved run in the lab at its last step", async () => {
    await page.getByRole("link", { name: "Resume in the lab" }).click();
    await runBar().getByText("Done", { exact: true }).waitFor();
    assert.match(await runBar().locator("dd").first().innerText(), /^160 of 160$/);
    assert.equal(await page.getByLabel("Blobs", { exact: true }).inputValue(), "40");
    await page.goBack();
  });

  it("rejects a run with a damaged file, in a sentence that names the file", async () => {
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
    await page.getByRole("link", { name: "Resume in the lab" }).click();
    const sentence =
      "The run astronaut, 40 blobs, step 160 cannot be used: optimizer.arrow is not the file that run.json describes: its SHA-256 differs.";
    await page.getByRole("status").getByText(`${sentence} Troubleshooting`, { exact: true }).waitFor();
    await page.goBack();
  });

  it("renames a saved run, and frees its storage when it is deleted", async () => {
    const name = page.getByLabel("Name of astronaut, 40 blobs, step 160");
    await name.fill("the first");
    await name.press("Enter");
    await runTable().getByText("the first").waitFor();
    assert.equal(await page.getByLabel("Name of the first").evaluate((node) => node === document.activeElement), true);
    const item = savedRuns().getByRole("listitem");
    await item.getByRole("button", { name: "Delete" }).click();
    await item.getByRole("button", { name: "Delete for good" }).click();
    await page.getByText("No run is saved in this browser").waitFor();
    assert.equal(await runTable().getByText("the first").count(), 0);
  });

  it("compares two recorded runs of one image if none is saved, and shows nothing without a selection", async () => {
    await page.goto(`/compare`);
    await runKey().nth(1).waitFor();
    const chosen = await runKey().allInnerTexts();
    assert.equal(chosen.length, 2);
    const differing = differingSettings().locator("tbody td:nth-child(2)");
    await differing.first().waitFor();
    assert.ok(!(await differing.allInnerTexts()).includes("image"));
    const figures = page.getByRole("heading", { name: "Settings that differ", exact: true });
    await figures.waitFor();
    for (const name of chosen) await page.getByLabel(`Compare ${name}`).uncheck();
    await figures.waitFor({ state: "hidden" });
    await page.goto(`/compare?run=astronaut-5000-quality`);
    await runKey().nth(1).waitFor();
    assert.equal(await runKey().first().innerText(), "astronaut-5000-quality");
  });

  it("shows a dot per run in the scatter plot, of the columns that the reader chooses", async () => {
    await page.getByLabel("Vertical axis").selectOption("loss");
    const chart = page.getByLabel(/^loss against /);
    await chart.waitFor();
    assert.equal(await chart.locator('g[aria-label="dot"] circle').count(), await runKey().count());
  });

  it("refuses a run that was trained in regions, in a sentence that names the alternative", async () => {
    const description = JSON.parse(await readFile(join(folder, "saved", "run.json"), "utf8"));
    const regions = { side: 32, windows: 0, done: 1, list: [{ x: 0, y: 0, width: 32, height: 32, blobs: 40 }] };
    await mkdir(join(folder, "parts"));
    await writeFile(join(folder, "parts", "run.json"), JSON.stringify({ ...description, regions }));
    await addRuns().getByLabel("folders", { exact: true }).setInputFiles(join(folder, "parts"));
    const sentence =
      "The run parts was trained in regions, which this page does not compare: draw it with npx splatbook render.";
    await page.getByRole("alert").getByText(sentence).waitFor();
  });

  it("resumes a saved run of the lab's own settings", async () => {
    // With a setting in the link, the job is the same everywhere.
    const other = await LabPage.open("?size=96", { webgpu: false });
    await other.button("Start over").click();
    await other.button("Step").click();
    await other.untilStep((step) => step === 1);
    const { parameters } = readParameters(await other.download("parameters.arrow"));
    await other.button("Save run").click();
    await other.bar.getByRole("button", { name: /^Saved, / }).waitFor();
    await other.page.goto("/compare");
    await other.page.getByRole("link", { name: "Resume in the lab" }).click();
    await other.unfold();
    await other.reaches("Paused");
    const again = readParameters(await other.download("parameters.arrow"));
    assert.deepEqual([again.step, again.parameters], [1, parameters]);
    assert.deepEqual(other.watched.complaints, []);
    await other.close();
  });

  it("leaves the console clean, and requests only its own origin", async () => {
    await assertAccessible(page);
    assert.deepEqual(lab.watched.complaints, []);
    assert.deepEqual(lab.watched.foreignRequests, []);
  });
});
