import assert from "node:assert/strict";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Locator, Page } from "playwright-core";
import sharp from "sharp";
import { afterAll, beforeAll, describe, it } from "vitest";
import { readMetrics, readParameters } from "../../src/engine/files/arrow.js";
import { runFiles } from "../../src/engine/files/runFiles.js";
import { openRunFolder } from "../../src/runs/runFolder.js";
import { splatbook } from "../cli/command.js";
import { assertAccessible } from "../support/pages.js";
import { openWithoutScript } from "../support/staticReport.js";
import { LabPage } from "./labPage.js";

/** Blobs are added, the rate falls along half a cosine: what a run goes on with is more than its parameters. */
const job = "preset=quality&blobs=40&steps=160&growEvery=2&size=32&tile=8x8";

describe("runs that are kept, and compared", () => {
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

  const keep = async () => {
    await lab.button("Save run").click();
    await lab.bar.getByRole("button", { name: /^Saved, \d+ kB$/ }).waitFor();
  };

  /** Begins the run anew, and takes some steps of it, which are stored. */
  const takeSteps = async (steps: number) => {
    await lab.button("Start over").click();
    for (let step = 1; step <= steps; step++) {
      await lab.button("Step").click();
      await lab.untilStep((done) => done === step);
    }
    await page.getByText(`Stored now: step ${steps}.`).waitFor();
  };

  /** What is offered of runs that came so far. */
  const offer = (far: string | RegExp) => page.locator(".go-on p").filter({ hasText: far });

  /** Deletes what a button deletes at its second press. */
  const remove = async (place: Locator, name: string) => {
    await place.getByRole("button", { name, exact: true }).click();
    await place.getByRole("button", { name: /^Delete for good, frees / }).click();
  };

  /** Goes on with the run that came so far, to the end of one that never stopped. */
  const goOnWith = async (held: number) => {
    await offer(`astronaut, 40 blobs, step ${held} of 160`).getByRole("button", { name: "Resume" }).click();
    await lab.untilStep((step) => step === 160);
    await lab.reaches("done");
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
  /** The PSNR of the finished run, wherever the lab shows it. */
  let shownInLab: string[];

  const psnrInLab = async () => {
    const fact = page.locator(".run-facts > div").filter({ has: page.getByText("PSNR", { exact: true }) });
    await fact.waitFor();
    const bar = `PSNR ${await fact.locator("dd").innerText()}`;
    const error = page.locator(".triptych figure").filter({ hasText: "Error" }).locator(".figure-note");
    const chart = page.getByLabel("PSNR against steps", { exact: true }).getByText(/^PSNR .* dB$/);
    await page.locator(".triptych").getByText("step 160", { exact: true }).waitFor();
    return [bar, await error.innerText(), (await chart.textContent())!];
  };

  it("trains on after a reload from the very state, to the parameters of a run that never stopped", async () => {
    await lab.reaches("done");
    shownInLab = await psnrInLab();
    whole = readParameters(await lab.download("parameters.arrow"));
    await keep();
    await takeSteps(3);
    // The page begins another job, and does so at once.
    await page.goto(`/?blobs=20&steps=10&size=32`);
    await lab.reaches("done");
    await goOnWith(3);
    await page.getByText("Stored now: step 160.").waitFor();
  });

  it("goes on with a run of the page's own settings, and begins none over it before its reader has chosen", async () => {
    await takeSteps(4);
    for (let load = 0; load < 3; load++) {
      await page.goto(`/?${job}`);
      await offer(", step 4 of 160").waitFor();
      await lab.bar.getByText("This job has an unfinished run").waitFor();
      await lab.reaches("paused");
      assert.equal(await lab.step(), 0);
    }
    for (const top of [0, 1e6]) {
      await page.evaluate((top) => scrollTo(0, top), top);
      const { x, y, width, height } = (await offer(", step 4 of 160").boundingBox())!;
      const column = (await page.locator("#observablehq-main").boundingBox())!;
      assert.deepEqual([x, width].map(Math.round), [column.x, column.width].map(Math.round));
      assert.ok(y >= 0 && y + height <= page.viewportSize()!.height, `the offer stands in sight: ${y}`);
    }
    await goOnWith(4);
    await page.getByText("Stored now: step 160.").waitFor();
    // It takes the place of the state that it went on from.
    await page.goto(`/?${job}`);
    await lab.reaches("done");
    assert.equal(await offer(", step 4 of 160").count(), 0);
  });

  it("keeps what is stored when the run that goes on ends before it has stored a later state", async () => {
    await takeSteps(5);
    await page.goto(`/?${job}`);
    await page.evaluate(() => {
      IDBObjectStore.prototype.put = () => {
        throw new DOMException("full", "QuotaExceededError");
      };
    });
    await goOnWith(5);
    await page.getByText("The run cannot be resumed after a reload: The browser has no more room").waitFor();
    await page.goto(`/?${job}`);
    await remove(offer(", step 5 of 160"), "Delete");
    // That is a choice too.
    await lab.reaches("done");
    assert.equal(await lab.step(), 160);
    await page.reload();
    await lab.reaches("done");
    assert.equal(await offer(", step 5 of 160").count(), 0);
  });

  it("keeps all that pages left behind, and deletes what its reader chooses from the list", async () => {
    await page.getByText("Stored now: step 160.").waitFor();
    /** In the page: its unsaved runs' steps, once some are added that came to the given ones. */
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
    await page.reload();
    for (const step of [16, 15, 14]) await offer(`39 blobs, step ${step} of 160`).waitFor();
    const more = page.locator(".go-on details");
    await more.getByText(/^\d+ more unsaved runs, /).click();
    await remove(offer("39 blobs, step 12 of 160"), "Delete");
    await offer("39 blobs, step 12 of 160").waitFor({ state: "detached" });
    assert.deepEqual(await unsaved([]), [11, 13, 14, 15, 16]);
    await remove(more, "Delete all");
    await more.waitFor({ state: "hidden" });
    assert.deepEqual(await unsaved([]), [14, 15, 16]);
    for (const step of [14, 15, 16]) await remove(offer(`, step ${step} of 160`), "Delete");
    await offer("39 blobs").waitFor({ state: "detached" });
    assert.deepEqual(await unsaved([]), []);
    await lab.reaches("done");
  });

  it("stores what it was training when it can no longer be seen, for the page after one that broke down", async () => {
    await page.getByText("Stored now: step 160.").waitFor();
    await page.getByText("All other settings").click();
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
    await other.locator('.run-bar[data-state="done"]').waitFor();
    assert.equal(await offered.count(), 0, "the page that trains it is still there");
    const crash = page.waitForEvent("crash");
    // It may never hear of its end.
    void page.goto("chrome://crash").catch(() => {});
    await crash;
    await other.reload();
    await offered.waitFor();
    await page.close();
    page = other;
  });

  it("leads to a sweep from the settings at hand", async () => {
    // The link follows the settings, once they are known.
    const href = await page.locator('.sweep-link[href*="?"]').getAttribute("href");
    const { pathname, searchParams } = new URL(href!, page.url());
    assert.equal(pathname, "/sweep");
    assert.deepEqual(Object.fromEntries(searchParams), {
      picture: "astronaut",
      size: "32",
      blobs: "20",
      steps: "10",
    });
  });

  it("keeps a run with the files of a run folder, which the command line reads", async () => {
    await page.goto(`/compare`);
    await page.locator(".kept-runs summary").click();
    await page.locator(".kept-files a").first().waitFor();
    const names = await page.locator(".kept-files a").allInnerTexts();
    const missing = Object.values(runFiles).filter((name) => !names.includes(name));
    assert.deepEqual(missing, []);
    assert.ok(names.includes("film/000064.png") && names.includes("film/000160.png"), names.join(", "));
    for (const name of names) {
      // A browser lets a page give only so many files in a row, so their links are followed here.
      const link = page.locator(".kept-files").getByRole("link", { name, exact: true });
      const text = await link.evaluate(async (node) => {
        const bytes = new Uint8Array(await (await fetch((node as HTMLAnchorElement).href)).arrayBuffer());
        return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
      });
      await mkdir(dirname(join(folder, "kept", name)), { recursive: true });
      await writeFile(join(folder, "kept", name), Buffer.from(text, "base64"));
    }
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.locator(".kept-files").getByRole("link", { name: "run.json" }).click(),
    ]);
    assert.equal(download.suggestedFilename(), "run.json");
    const run = await openRunFolder(join(folder, "kept"));
    assert.equal(run.description.step, 160);
    // By which each of the files is checked as it is read.
    assert.deepEqual(Object.keys(run.description.files!).sort(), names.filter((name) => name !== "run.json").sort());
    assert.ok(run.description.result.file!.psnr > run.description.result.psnr - 1);
    const state = await run.state();
    assert.ok(state.secondMoments.some((value) => value > 0));
    assert.equal((await run.gradients())[0].step, 161);
    assert.deepEqual([(await run.target()).width, (await run.image(runFiles.render)).width], [32, 32]);
    assert.equal((await run.metrics()).at(-1)?.psnr.toFixed(1), run.description.result.psnr.toFixed(1));
  });

  it("has one PSNR, in the lab, in the files, here and in a report, and not that of the last training step", async () => {
    const run = await openRunFolder(join(folder, "kept"));
    const { psnr } = run.description.result;
    const text = `PSNR ${psnr.toFixed(2)} dB`;
    assert.deepEqual(shownInLab, [text, text, text], "run bar, error map, chart");
    assert.ok(Math.abs((await run.metrics()).at(-1)!.psnr - psnr) > 1e-4, "which is not the last row's");
    assert.ok((await page.locator(".kept-runs").innerText()).includes(`, ${text}, `));
    const cells = page.locator(".compare-table tbody tr").first().locator("td");
    assert.ok((await cells.allInnerTexts()).includes(psnr.toFixed(2)), "table of runs");
    await page.locator(".picture-grid").first().locator(".figure-note").getByText(text, { exact: true }).waitFor();
    await page.locator(".error-maps, figure").getByText(text, { exact: true }).last().waitFor();
    await page.getByLabel("PSNR against step").getByText(text, { exact: true }).waitFor({ state: "attached" });
    const { code, stderr } = await splatbook(["report", join(folder, "kept")], { cwd: folder });
    assert.equal(code, 0, stderr);
    const still = await openWithoutScript(pathToFileURL(join(folder, "report.html")).href);
    const report = still.page.locator(".report");
    assert.ok((await report.locator(".report-summary").innerText()).endsWith(`: ${psnr.toFixed(2)} dB.`));
    const said = await report.getByText(/^PSNR [\d.]+ dB$/).allTextContents();
    assert.deepEqual(said, [text, text], "error map and chart");
    await still.context.close();
  });

  it("takes dropped folders and files, tells in a sentence what is wrong with some, and shows the others", async () => {
    const runs = join(folder, "runs");
    await cp(join(folder, "kept"), join(runs, "other"), { recursive: true });
    const config = (text: string) => text.replace('"seed": 1', '"seed": 7');
    const description = await readFile(join(runs, "other", "run.json"), "utf8");
    await mkdir(join(runs, "broken"), { recursive: true });
    await writeFile(join(runs, "broken", "run.json"), description.slice(0, 99));
    await cp(join(runs, "other"), join(runs, "mixed"), { recursive: true });
    await writeFile(join(runs, "mixed", "run.json"), config(description));
    await page.locator(".source-picker input").first().setInputFiles(runs);
    await page.getByText("The run broken cannot be used: run.json is not JSON.").waitFor();
    await page.getByText(/^The run mixed cannot be shown completely: metrics.arrow has another config/).waitFor();
    await page.locator(".compare-table").getByText("other", { exact: true }).waitFor();
    await page
      .locator(".source-picker input")
      .last()
      .setInputFiles([
        { name: "notes.arrow", mimeType: "", buffer: Buffer.from("no table") },
        { name: "metrics (1).arrow", mimeType: "", buffer: await readFile(join(runs, "other", "metrics.arrow")) },
      ]);
    await page.getByText("notes.arrow is not an Arrow file, or truncated.").waitFor();
    const names = await page.locator(".compare-table .run-name").allInnerTexts();
    assert.deepEqual(names.toSorted(), ["astronaut, 40 blobs, step 160", "metrics (1).arrow", "mixed", "other"]);
  });

  it("says nothing of text that is dropped: a field takes it, and elsewhere it leads nowhere", async () => {
    const before = await page.locator(".compare-sources").innerText();
    const isTaken = (place: string) =>
      page
        .locator(place)
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
    assert.equal(await page.locator(".compare-sources").innerText(), before);
  });

  it("shows first in what the chosen runs differ, and draws a line and a picture a run", async () => {
    const differing = page.locator(".config-differences tbody");
    // Each run that was dropped has its column.
    await differing.locator("tr:has-text('seed') > :nth-child(5)").waitFor();
    assert.deepEqual(await differing.locator("tr").evaluateAll((rows) => rows.map((row) => row.textContent)), [
      `image${"astronaut, 32 × 32".repeat(3)}unknown`,
      "seed1171",
    ]);
    const beyond = await page.locator(".config-differences th:has([data-things])").evaluateAll((heads) =>
      heads.filter((head) => {
        const words = document.createRange();
        words.selectNodeContents(head.querySelector("[data-things]")!);
        const [outer, inner] = [head, words].map((part) => part.getBoundingClientRect());
        return inner.left < outer.left - 1 || inner.right > outer.right + 1;
      }),
    );
    assert.equal(beyond.length, 0, "the name of each run is within the head of its column");
    const lines = page.getByLabel("PSNR against step").locator('g[aria-label="line"] path');
    await lines.nth(2).waitFor();
    assert.equal(await lines.count(), 3, "mixed has no curve");
    const figures = page.locator(".picture-grid").first().locator("figure");
    assert.equal(await figures.count(), 3, "metrics by themselves have no picture");
    const drawn = await page.locator(".wipe-left").evaluate((node) => {
      const canvas = node as HTMLCanvasElement;
      return [...canvas.getContext("2d")!.getImageData(0, 0, canvas.width, canvas.height).data];
    });
    const render = await sharp(join(folder, "kept", "render.png"))
      .ensureAlpha()
      .raw()
      .toBuffer();
    assert.deepEqual(drawn, [...render]);
    await page.getByLabel("Right of the divider").selectOption("target: astronaut, 32 × 32");
    await page.locator(".wipe-right").and(page.getByLabel("Target: ")).waitFor();
    await page.locator(".distributions").nth(1).waitFor();
  });

  it("goes through the films of its runs at once: pictures, decibels and rules are of one step", async () => {
    const slider = page.getByRole("slider", { name: "Displayed step" });
    const words = page.getByRole("group", { name: "Displayed step" }).locator("output");
    const notes = () => page.locator(".picture-grid").first().locator(".figure-note").allInnerTexts();
    const rules = page.getByLabel("PSNR against step").getByLabel("rule", { exact: true });
    const ends = await notes();
    assert.equal(await words.innerText(), "last step");
    await slider.press("ArrowLeft");
    await words.getByText("step 64").waitFor();
    await rules.nth(2).waitFor({ state: "attached" });
    const { rows } = readMetrics(await readFile(join(folder, "kept", "metrics.arrow")));
    const { psnr } = rows.findLast(({ step }) => step <= 64)!;
    const told = await notes();
    // The one whose table is of another config has no curve.
    assert.equal(
      told.filter((note) => note === `step 64, training PSNR ${psnr.toFixed(2)} dB`).length,
      2,
      told.join("; "),
    );
    const frame = await sharp(join(folder, "kept", "film", "000064.png"))
      .ensureAlpha()
      .raw()
      .toBuffer();
    const drawn = await lab.canvas(/^Render of .* at step 64/, page);
    assert.deepEqual(drawn, [...frame]);
    await slider.press("End");
    await rules.first().waitFor({ state: "detached" });
    assert.deepEqual(await notes(), ends);
  });

  it("sorts its table by any column, what is not known last", async () => {
    const head = (name: string) => page.locator(".compare-table thead button").filter({ hasText: name });
    const cells = () => page.locator(".compare-table .run-name").allInnerTexts();
    await head("date").click();
    const byDate = await cells();
    assert.equal(byDate.at(-1), "metrics (1).arrow");
    await head("run").click();
    assert.deepEqual(await cells(), byDate.toSorted());
    await head("run").click();
    assert.deepEqual(await cells(), byDate.toSorted().reverse());
  });

  it("marks the run that has the keyboard or the pointer in every table, chart and picture", async () => {
    const opacities = () =>
      page
        .getByLabel("PSNR against step")
        .locator('g[aria-label="line"]')
        .evaluateAll((lines) => lines.map((line) => getComputedStyle(line).opacity));
    const marked = () =>
      page
        .locator('.marked[data-things^="run:"]')
        .evaluateAll((nodes) =>
          nodes.map((node) => (node.matches("span") ? node.parentElement! : node).localName).sort(),
        );
    await page.locator(".compare-key").getByRole("button", { name: "other" }).focus();
    const places = () =>
      page
        .locator(".compare-key button")
        .evaluateAll((runs) => runs.flatMap((run, place) => (run.matches(".marked") ? [place] : [])));
    const [place] = await places();
    const shown = await opacities();
    assert.deepEqual(
      shown.map((opacity) => opacity === "1"),
      shown.map((_, i) => i === place),
    );
    const everywhere = await marked();
    for (const kind of ["button", "figure", "td", "th", "tr"])
      assert.ok(everywhere.includes(kind), everywhere.join(" "));
    await page.locator(".compare-key").getByRole("button", { name: "other" }).blur();
    assert.deepEqual(await marked(), []);
    await page.locator(".picture-grid").first().locator("figure").first().hover();
    assert.deepEqual(await places(), [0]);
  });

  it("goes on in the lab with a kept run, which waits where it was kept", async () => {
    await page.getByRole("link", { name: "Resume in the lab" }).click();
    await page.locator('.run-bar[data-state="done"]').waitFor();
    assert.match(await page.locator(".run-facts dd").first().innerText(), /^160 of 160$/);
    assert.equal(await page.getByLabel("Blobs", { exact: true }).inputValue(), "40");
    await page.goBack();
  });

  it("refuses a run whose stored files are damaged, in a sentence that names the file", async () => {
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
        // A number among others, which the table bears as well.
        bytes[bytes.length >> 1] ^= 1;
        await answer(files().put(new Blob([bytes]), key));
      }
      db.close();
    });
    await page.getByRole("link", { name: "Resume in the lab" }).click();
    const sentence =
      "The run astronaut, 40 blobs, step 160 cannot be used: optimizer.arrow is not the file that run.json tells of: its SHA-256 is another one.";
    await page.locator(".go-on").getByText(`${sentence} What helps`, { exact: true }).waitFor();
    await page.goBack();
  });

  it("renames a kept run, and frees its room when it is deleted", async () => {
    const name = page.getByLabel("Name of astronaut, 40 blobs, step 160");
    await name.fill("the first");
    await name.press("Enter");
    await page.locator(".compare-table").getByText("the first").waitFor();
    assert.equal(await page.getByLabel("Name of the first").evaluate((node) => node === document.activeElement), true);
    const item = page.locator(".kept-runs li");
    await item.getByRole("button", { name: "Delete" }).click();
    await item.getByRole("button", { name: "Delete for good" }).click();
    await page.getByText("No run is saved in this browser").waitFor();
    assert.equal(await page.locator(".compare-table").getByText("the first").count(), 0);
  });

  it("compares two recorded runs of one picture where none is kept, and draws nothing once none is chosen", async () => {
    await page.goto(`/compare`);
    await page.locator(".compare-key button").nth(1).waitFor();
    const chosen = await page.locator(".compare-key button").allInnerTexts();
    assert.equal(chosen.length, 2);
    const differing = page.locator(".config-differences tbody td:nth-child(2)");
    await differing.first().waitFor();
    assert.ok(!(await differing.allInnerTexts()).includes("image"));
    await page.locator(".compared h2").first().waitFor();
    for (const name of chosen) await page.getByLabel(`Compare ${name}`).uncheck();
    await page.locator(".compared h2").first().waitFor({ state: "hidden" });
    await page.goto(`/compare?run=coffee-5000-sum`);
    await page.locator(".compare-key button").nth(1).waitFor();
    assert.equal(await page.locator(".compare-key button").first().innerText(), "coffee-5000-sum");
  });

  it("shows a dropped run by regions as one run, and says of one that has not ended how it goes on", async () => {
    const parts = join(folder, "parts");
    await cp("data/runs/chelsea-regions", join(parts, "whole"), { recursive: true });
    const description = JSON.parse(await readFile(join(parts, "whole", "run.json"), "utf8"));
    await mkdir(join(parts, "begun", "regions"), { recursive: true });
    const begun = { ...description, step: 0, regions: { ...description.regions, done: 3 } };
    await writeFile(join(parts, "begun", "run.json"), JSON.stringify(begun));
    await cp(join(parts, "whole", "metrics.arrow"), join(parts, "begun", "regions", "00000.metrics.arrow"));
    await page.locator(".source-picker input").first().setInputFiles(parts);
    const line = page.getByLabel("PSNR against step").locator('g[aria-label="line"] path').nth(2);
    const path = (await line.getAttribute("d"))!;
    const across = [...path.matchAll(/[ML]([\d.]+),/g)].map(([, x]) => Number(x));
    assert.equal(across.length, 40, "a point a step, however many regions");
    assert.ok(
      across.every((x, i) => i === 0 || x > across[i - 1]),
      path,
    );
    const figure = page.locator(".picture-grid").first().locator("figure").nth(2);
    assert.equal(await figure.locator("canvas").evaluate((node) => (node as HTMLCanvasElement).width), 451);
    assert.ok(
      (await figure.innerText()).replace(/\s+/g, " ").startsWith(`whole PSNR ${description.result.psnr.toFixed(2)} dB`),
    );
    const sentence =
      "The run begun cannot be used: it has not ended: 3 of its 13 regions and seams are done; go on with --resume.";
    await page.locator(".troubles").getByText(sentence).waitFor();
    assert.equal(await page.locator(".troubles li").count(), 1, "nothing is missed of what regions do not keep");
  });

  it("goes on in the lab with a kept run of the very settings with which the lab begins", async () => {
    // A link with a setting has the lab begin with the same job everywhere.
    const other = await LabPage.open("?size=96", { webgpu: false });
    await other.button("Start over").click();
    await other.button("Step").click();
    await other.untilStep((step) => step === 1);
    const { parameters } = readParameters(await other.download("parameters.arrow"));
    await other.button("Save run").click();
    await other.bar.getByRole("button", { name: /^Saved, / }).waitFor();
    await other.page.goto("/compare");
    await other.page.getByRole("link", { name: "Resume in the lab" }).click();
    await other.reaches("paused");
    const again = readParameters(await other.download("parameters.arrow"));
    assert.deepEqual([again.step, again.parameters], [1, parameters]);
    assert.deepEqual(other.watched.complaints, []);
    await other.close();
  });

  it("has complained of nothing, and asked nobody but its own origin", async () => {
    await assertAccessible(page);
    assert.deepEqual(lab.watched.complaints, []);
    assert.deepEqual(lab.watched.foreignRequests, []);
  });
});
