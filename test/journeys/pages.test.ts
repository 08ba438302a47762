import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { tableFromIPC } from "apache-arrow";
import type { Locator, Page } from "playwright-core";
import { describe, it } from "vitest";
import { chapters } from "../../src/components/page/pages.js";
import type { WatchedPage } from "../support/browser.js";
import { pagePaths } from "../support/pagePaths.js";
import { becomes, bringIntoView, openPage, readDownload, runBarOf, until, waitForRun } from "../support/pages.js";

/** What a reader does on a page, and the address of a small job there. */
interface Journey {
  claim: string;
  query?: string;
  webgpu?: true;
  take(page: Page): Promise<void>;
}

/** A job that ends soon. */
const job = "blobs=20&steps=20&size=24";
const reportPath = pagePaths.find((path) => /^\/reports\/./.test(path))!;
const runCount = readdirSync("data/runs", { withFileTypes: true }).filter((entry) => entry.isDirectory()).length;

const button = (place: Page | Locator, name: string | RegExp) => place.getByRole("button", { name, exact: true });

/** Acts until a part of the page has another text, since a figure that is drawn again has lost what a reader did. */
async function changes(shown: Locator, act: () => Promise<unknown>): Promise<void> {
  const before = await shown.textContent();
  const look = async () => {
    await act();
    return shown.textContent();
  };
  await until(look, (text) => text !== before, "the text");
}

/** Moves a slider until the page shows some words. */
async function moves(page: Page, name: string, key: "Home" | "End", words: string | RegExp): Promise<void> {
  const look = async () => {
    await page.getByRole("slider", { name }).press(key);
    return page.getByText(words).count();
  };
  await until(look, (count) => count > 0, String(words));
}

const charts = (...titles: string[]): Journey => ({
  claim: "draws its charts",
  async take(page) {
    for (const title of titles) {
      const chart = page.getByRole("figure").filter({ has: page.getByRole("heading", { name: title }) });
      await bringIntoView(chart);
      await chart.locator(':is([aria-label="dot"], [aria-label="bar"]) :is(path, circle, rect)').first().waitFor();
    }
  },
});

const journeys: Record<string, Journey> = {
  "/": {
    claim: "trains again when a knob changes, and exports the blobs",
    query: job,
    async take(page) {
      const bar = runBarOf(page);
      const psnr = async () => /[\d.]+ dB/.exec(await bar.innerText())?.[0];
      await waitForRun(page, "Done");
      const before = await psnr();
      assert.ok(Number.parseFloat(before!) > 10, before);
      await page.getByLabel("Blobs", { exact: true }).fill("80");
      await page.getByLabel("Blobs", { exact: true }).press("Enter");
      await until(psnr, (now) => now !== before, "the PSNR");
      await waitForRun(page, "Done");
      assert.notEqual(await psnr(), before);
      const [file] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("button", { name: "parameters.arrow" }).click(),
      ]);
      assert.equal(tableFromIPC(await readDownload(file)).numRows, 80);
    },
  },
  "/kernels": {
    claim: "shows an error of an edit at its line, and trains with an edit that compiles",
    query: "blobs=8&steps=4&size=16&pipeline=simple",
    webgpu: true,
    async take(page) {
      const editor = page.getByLabel("WGSL of shared/blend.wgsl");
      const status = (text: string) => page.getByRole("region", { name: "Status of your edits" }).getByText(text);
      await status("The page trains with the shipped kernels.").waitFor();
      await button(page, /^shared\/blend\.wgsl/)
        .first()
        .click();
      await editor.click();
      await page.keyboard.press("Control+Home");
      await page.keyboard.insertText("const wrong: u32 = 0.5;\n");
      await status("Compilation failed.").waitFor();
      const message = page.getByRole("list", { name: "Messages" }).getByRole("listitem");
      assert.match(await message.first().innerText(), /blend\.wgsl, line 1 /);
      await page.keyboard.press("Control+Home");
      await page.keyboard.insertText("// ");
      await status("The page trains with").waitFor();
    },
  },
  "/sweep": {
    claim: "trains each combination of two settings, and again when a value is removed",
    query: "picture=coffee&size=32&steps=20&vary=learningRate=0.01,0.05&vary=blobs=10,20",
    async take(page) {
      const renders = page.getByLabel("Renders by Learning rate and Blobs").locator("image");
      await page.getByText("4 runs. The best reaches ").waitFor();
      await becomes(renders, 4);
      await page.getByLabel("Column values").fill("10");
      await page.getByLabel("Column values").press("Enter");
      await page.getByText("2 runs. The best reaches ").waitFor();
      await becomes(renders, 2);
    },
  },
  "/compare": {
    claim: "draws the curves of two recorded runs, and of a third one that is selected",
    async take(page) {
      const curves = page.getByLabel("PSNR against step").locator('[aria-label="line"] path');
      await becomes(curves, 2);
      await page
        .getByRole("table", { name: "Runs", exact: true })
        .getByRole("checkbox", { checked: false })
        .first()
        .click();
      await becomes(curves, 3);
    },
  },
  "/reports/": {
    claim: "lists the recorded runs, each with its report",
    async take(page) {
      const links = page.getByRole("list", { name: "Recorded runs" }).getByRole("link");
      await becomes(links, runCount);
      const name = await links.first().innerText();
      await links.first().click();
      await page.getByRole("heading", { level: 1, name }).waitFor();
    },
  },
  [reportPath]: {
    claim: "shows its film, its curves and ten blobs, and leads to the comparison with other runs",
    async take(page) {
      await page.locator(".film-strip canvas").first().waitFor();
      await page.getByLabel("Training PSNR against steps").getByLabel("line").first().waitFor();
      await becomes(page.getByRole("table", { name: "Parameters", exact: true }).locator("tbody tr"), 10);
      await page.getByRole("link", { name: "Compare with other runs" }).click();
      await page
        .getByRole("table", { name: "Runs", exact: true })
        .getByRole("checkbox", { checked: true })
        .first()
        .waitFor();
    },
  },
  "/learn/": {
    claim: "links to every chapter, and keeps the image that the reader chooses",
    async take(page) {
      const main = page.getByRole("main");
      for (const [path, name] of chapters)
        assert.match(
          (await main.getByRole("link", { name }).first().getAttribute("href"))!,
          new RegExp(path.split("/")[1]),
        );
      await page.getByText("The chapters show astronaut, 64 × 64 pixels.").waitFor();
      await page.getByLabel("Image", { exact: true }).selectOption("coffee");
      await button(page, "Train").click();
      await page.getByText("The chapters show coffee, 64 × 43 pixels.").waitFor();
      await page.goto("/learn/adam");
      await page.getByText("the same 300 blobs on the same 64 × 43 pixels").waitFor();
      // The other chapters show the recorded run.
      await page.goto("/learn/");
      await button(page, "Train").click();
      await page.getByText("The chapters show astronaut, 64 × 64 pixels.").waitFor();
    },
  },
  "/learn/blob": {
    claim: "compares a guess, moves the blob, and lowers the loss by gradient descent",
    async take(page) {
      await page.getByLabel("Answer").check();
      await page.getByText(/^At 1\.18σ\. .* You guessed 2\.5σ\.$/).waitFor();
      const loss = async () => Number(/[\d.]+\d/.exec(await page.getByText(/^The loss is/).innerText())![0]);
      const start = await until(loss, (now) => now > 0.08, "the loss");
      await page.getByRole("button", { name: /^Blob: the arrow keys move it/ }).press("ArrowRight");
      await until(loss, (now) => now < start, "the loss of the moved blob");
      await button(page, "Start over").click();
      await until(loss, (now) => now === start, "the loss at the start");
      await button(page, "Take 40 steps").click();
      await page.getByText(/^The loss after 40 steps is 0\.01/).waitFor();
    },
  },
  "/learn/blending": {
    claim: "compares a guess, and blends another pixel blob by blob",
    async take(page) {
      await page.getByLabel("Answer").check();
      await page.getByText("= 1.4 %. You guessed 25 %.").waitFor();
      await moves(page, "Blobs blended", "Home", /^Before the first of \d+ blobs: C = 0, T = 1\.$/);
      await page.getByRole("application", { name: /^Pixels of the render/ }).press("ArrowRight");
      await page.getByText(/^Blob \d+ of \d+ \(index \d+\): α = /).waitFor();
      await moves(page, "Blobs blended", "End", /^Blob (\d+) of \1 /);
      const words = await page.getByText(/^Blob (\d+) of \1 /).innerText();
      await page.getByText(/(?<!α)T = 0\.\d+/.exec(words)![0], { exact: true }).waitFor();
    },
  },
  "/learn/undo": {
    claim: "compares a guess, and goes forward and backward through a pixel",
    async take(page) {
      await page.getByLabel("Answer").check();
      await page.getByText(/^6\.\d correct digits, .* You guessed 3\.$/).waitFor();
      const passes = page.getByRole("slider", { name: "Forward and backward pass" });
      const chart = page.getByRole("img", { name: "The states of the pixel" });
      await moves(page, "Forward and backward pass", "Home", "1 states, 16 bytes");
      for (let blob = 0; blob < 3; blob++) await passes.press("ArrowRight");
      await page.getByText(/^Forward, blob 3 of 11: .* Caching holds 4 states, undoing holds 1\.$/).waitFor();
      await chart.getByText("4 states, 64 bytes").waitFor();
      await moves(page, "Forward and backward pass", "End", /^Backward, blob 1 of 11: .* the cached T\.$/);
      await chart.getByText("1 state and a count, 20 bytes").waitFor();
    },
  },
  "/learn/gradients": {
    claim: "compares a guess, goes through the stages of another pixel, and takes a difference with another h",
    async take(page) {
      await page.getByLabel("Answer").check();
      await page.getByText(/^h = 10⁻⁷ gives \d+\.\d digits\. You guessed 10⁻¹²/).waitFor();
      await moves(page, "Stage of the backward pass", "Home", / 4 of 4 adjoints agree with the differences\.$/);
      await page.getByRole("application", { name: /^Pixels of the render/ }).press("ArrowRight");
      await moves(page, "Stage of the backward pass", "End", / 9 of 9 adjoints agree with the differences\.$/);
      const difference = page.getByText(/^Gradient .*, difference .*: the error is /);
      await changes(difference, () => page.getByLabel("Along").selectOption({ index: 1 }));
      await changes(difference, () => page.getByLabel("log₁₀ h", { exact: true }).fill("-6"));
      await page.getByText(/^Gradient (\S.*), difference \1: the error is /).waitFor();
    },
  },
  "/learn/adam": {
    claim: "compares a guess, walks through steps, and races optimizers",
    async take(page) {
      await page.getByLabel("Answer").check();
      await page.getByText("You guessed 32 times as far: Adam divides").waitFor();
      const words = "Step 1: g = −0.006, m̂ = −0.006, √v̂ = 0.006. The step is 1 η, and θ becomes 0.11.";
      await moves(page, "Training step", "Home", words);
      await page
        .getByLabel("Which step size wins?")
        .or(page.getByRole("heading", { name: "Which step size wins?" }))
        .first()
        .scrollIntoViewIfNeeded();
      await page.getByText(/^After 150 steps: .*gradient descent with η = 10: [\d.]+ dB\.$/).waitFor();
    },
  },
  "/learn/step": {
    claim: "compares a guess, goes through the stages, and shows the kernels of another pipeline",
    async take(page) {
      await page.getByLabel("Answer", { exact: true }).check();
      await page.getByText(/^From 0\.01\d+ to 0\.01\d+, by 0\.\d+ %\. You guessed 1 %\./).waitFor();
      await moves(page, "Stage of the step", "Home", "Decode: 2,700 raw parameters.");
      await page.getByLabel("binned", { exact: true }).check();
      await page.getByLabel("Kernel", { exact: true }).selectOption("gatherLists");
      await page.getByRole("group", { name: /^WGSL, .*gatherLists\.wgsl$/ }).waitFor();
    },
  },
  "/learn/workgroups": {
    claim: "compares a guess, lets threads read too early, and counts on the GPU",
    webgpu: true,
    async take(page) {
      await page.getByLabel("Answer").check();
      await page.getByText("all store 1. You guessed 32.").waitFor();
      const barrier = page.getByRole("checkbox", { name: "Barrier" });
      await barrier.uncheck();
      await moves(page, "Step of the workgroup", "End", "Step 8 of 8");
      await page.getByRole("img", { name: "Threads that append" }).getByText("–").first().waitFor();
      await barrier.check();
      await page.getByText("Step 6 of 8: threads 0 to 7 read slots 0 to 7.").waitFor();
      await bringIntoView(button(page, "Run on your GPU"));
      await button(page, "Run on your GPU").click();
      await page.getByText(/with atomicAdd, to 256\. The compiler: .* uniform control flow/).waitFor();
    },
  },
  "/learn/tiles": {
    claim: "compares a guess, and lists the blobs of another tile in windows",
    async take(page) {
      await page.getByLabel("Answer").check();
      await page.getByText(/^35 blobs, .* You guessed 5\.$/).waitFor();
      await page.getByText("Tile 3, 5 lists 54 of 300 blobs.").waitFor();
      await page.getByRole("application", { name: /^Tiles of the render/ }).press("ArrowLeft");
      const listed = await page.getByText(/^Tile 2, 5 lists \d+ of 300 blobs\./).innerText();
      const length = Number(/lists (\d+)/.exec(listed)![1]);
      await becomes(
        page.getByRole("img", { name: "The entries of the list" }).locator('[aria-label="dot"] circle'),
        length,
      );
      await page.getByRole("radio", { name: "8", exact: true }).last().check();
      await page.getByText(new RegExp(`They composite ${length} of the ${length} blobs`)).waitFor();
    },
  },
  "/learn/sorting": {
    claim: "compares a guess, and sorts other numbers pass by pass",
    async take(page) {
      await page.getByLabel("Answer").check();
      await page.getByText("55 passes. You guessed 100.").waitFor();
      await page.getByLabel("Numbers, 2 to 8").fill("3 1 2");
      await page.getByText("Pass 3 of 3: k = 4, j = 1; 1 of 2 pairs swap, 4 so far. Sorted.").waitFor();
      await moves(page, "Pass of the network", "Home", "The input: 4 places.");
      await becomes(page.getByRole("img", { name: "A bitonic network" }).getByText("∞"), 1);
    },
  },
  "/learn/reduction": {
    claim: "compares a guess, reduces other numbers, and lets threads retry",
    async take(page) {
      await page.getByLabel("Answer").check();
      await page.getByText("in 1,000 random orders. You guessed 1.").waitFor();
      await page.getByLabel("Gradients, 2 to 16").fill("1 2 3 4 5 6 7 80");
      // 80 is clamped to 10.
      const sum = "Round 3 of 3: stride 1, 1 thread adds. Thread 0 has 38. That is the sum, 38.";
      await moves(page, "Stage of the reduction", "End", sum);
      await becomes(page.getByRole("img", { name: "The number of each thread" }).getByText("38"), 1);
      const failed = "The word holds 1; 6 failed swaps. The expected sum is 1.";
      await moves(page, "Step of the threads", "End", failed);
      await page.getByLabel("one after the other").check();
      await page.getByText("The word holds 1; 0 failed swaps.").waitFor();
    },
  },
  "/learn/realtime": {
    claim: "compares a guess, and counts the pairs of another job",
    async take(page) {
      await page.getByLabel("Answer").check();
      await page.getByText(/^53 times: .* You guessed 10\.$/).waitFor();
      await page.getByLabel("40,960", { exact: true }).check();
      await page.getByText(/^40,960 blobs on 512 × 512 pixels, .* 7\.06 ms with tiles and the undo/).waitFor();
      await page.getByLabel("Blobs", { exact: true }).selectOption("50");
      await page.getByText("Per pixel, 50 blobs: 8.9 in the list of its tile, 6.6 blended.").waitFor();
    },
  },
  "/docs/": {
    claim: "leads to the page on files",
    async take(page) {
      await page.getByRole("main").getByRole("link", { name: "Files and columns" }).click();
      await page.getByRole("heading", { level: 1, name: "Files" }).waitFor();
    },
  },
  "/docs/quality": charts("PSNR by number of blobs", "PSNR by file size", "Cumulative ablation"),
  "/docs/speed": charts(
    "Time of a step by number of blobs",
    "Time of each kernel of binned",
    "Time of a step by version",
  ),
};

/** What is text only is complete when all of its cells have run. */
const opens: Journey = {
  claim: "shows its text",
  async take(page) {
    await page.getByRole("heading", { level: 1 }).waitFor();
    await becomes(page.locator("observablehq-loading"), 0);
  },
};

describe("every page", () => {
  const readers = new Map<boolean, Promise<WatchedPage>>();
  /** Returns a reader's page, with WebGPU or without. It visits all pages, so the browser compiles their scripts once. */
  const readerOf = (webgpu: boolean) => {
    if (!readers.has(webgpu)) readers.set(webgpu, openPage("/_import/modules.json", { webgpu }));
    return readers.get(webgpu)!;
  };

  for (const path of pagePaths) {
    const { claim, query, webgpu = false, take } = journeys[path] ?? opens;
    it(`${path} ${claim}, without a complaint of the browser`, async () => {
      const { page, complaints, foreignRequests } = await readerOf(webgpu);
      complaints.length = 0;
      await page.goto(`${path}?${webgpu ? "" : "engine=cpu&"}${query ?? ""}`);
      await take(page);
      // Whether a page moves by itself is tested by test/all/pages/everyReader.test.ts, reader by reader.
      const messages = complaints.splice(0).filter((message) => !message.includes("moves by itself"));
      assert.deepEqual([messages, foreignRequests.splice(0)], [[], []]);
    });
  }

  it("of a journey exists", () => {
    const gone = Object.keys(journeys).filter((path) => !pagePaths.includes(path));
    assert.deepEqual(gone, []);
  });
});
