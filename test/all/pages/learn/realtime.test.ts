import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { beforeAll, describe, it } from "vitest";
import { time } from "../../../../src/components/page/format.js";
import type { BenchResult } from "../../../../src/engine/bench/benchResult.js";
import { countEvaluatedPairs } from "../../../../src/engine/bench/realtime/evaluatedPairs.js";
import { programs } from "../../../../src/engine/bench/realtime/programs.js";
import type { RealtimeResult } from "../../../../src/engine/bench/realtime/realtimeResult.js";
import { completeConfig } from "../../../../src/engine/config.js";
import { initialState } from "../../../../src/engine/training/initialState.js";
import {
  assertAccessible,
  marked,
  openPage,
  recordAnnouncements,
  until,
  type WatchedPage,
} from "../../../support/pages.js";

const headline: BenchResult = JSON.parse(readFileSync("data/bench/h200-headline.json", "utf8"));

/** A recording in which each program is twice as fast as the previous one, starting at 8 ms per step. */
const record: RealtimeResult = {
  date: "2030-01-02T00:00:00Z",
  versions: { webgpu: "9.9.9" },
  host: "a host",
  adapter: "An adapter of the test",
  image: { name: "picture.png", width: 64, height: 32, hash: "" },
  jobs: [200, 40_960].map((blobs) => ({
    blobs,
    width: 64,
    height: 32,
    tile: [8, 4],
    gaussiansPerBlock: 256,
    startStep: 500,
    pairs: {
      all: 2048 * blobs,
      listed: 40_000,
      met: 30_000,
      supported: 20_000,
      blended: 19_000,
      longest: 90,
      overflowing: 0,
      tiles: 64,
    },
    times: programs.slice(blobs === 200 ? 0 : 1).map(({ name }) => {
      const median = 8 / 2 ** programs.findIndex((program) => program.name === name);
      const agreement = { psnr: null, gradients: 0 };
      return { name, roundSteps: [1], rounds: [median], median, min: median, max: median, agreement };
    }),
  })),
};

describe("the page on real-time training", () => {
  let watched: WatchedPage;
  let page: Page;
  beforeAll(async () => {
    watched = await openPage(`/learn/realtime`);
    page = watched.page;
  });

  const choose = (label: string, option: string) => page.getByLabel(label, { exact: true }).selectOption(option);
  const lane = (program: string) => page.getByRole("group", { name: program, exact: true });
  /** The cells of the table of speedups, row by row. */
  const factors = (where: Page, nth: number) =>
    where
      .getByRole("table")
      .filter({ hasText: "speedup by undo" })
      .nth(nth)
      .locator("tbody tr")
      .evaluateAll((rows) => rows.flatMap((row) => Array.from(row.children, (cell) => cell.textContent).slice(2)));

  it("lets the reader predict the length of tile lists, which grow more slowly than the number of blobs", async () => {
    const guess = page.getByRole("figure", { name: /How many blobs does a pixel evaluate/ });
    await guess.getByRole("slider", { name: "Your prediction at N = 300" }).press("ArrowUp");
    await guess.getByRole("button", { name: "Compare" }).click();
    await guess.getByText(/^Your curve is off by a factor of/).waitFor();
    const answers = await guess
      .getByRole("slider")
      .evaluateAll((all) => all.map((slider) => Number(/answer is ([\d.,]+)/.exec(slider.ariaValueText!)![1])));
    const growth = answers.at(-1)! / answers[0];
    assert.ok(growth > 1 && growth < 20, `lists are ${growth} times as long with 100 times as many blobs`);
  });

  it("counts the pairs of the chosen job, and excludes a program that cannot run it with the reason", async () => {
    await choose("Blobs", "600");
    await lane("every blob, states cached").getByText("at most 512 blobs").waitFor();
    const first = page.getByRole("checkbox", { name: "every blob, states cached" });
    await until(
      () => first.isDisabled(),
      (isDisabled) => isDisabled,
      "the excluded program",
    );
    await choose("Blobs", "8");
    await choose("Longer side", "16 pixels");
    await choose("Tile list capacity (GAUSSIANS_PER_BLOCK)", "16");
    await until(
      () => first.isChecked(),
      (isChecked) => isChecked,
      "the selected program",
    );
    const figure = page.getByRole("figure", { name: "Pixel–blob pairs per step" });
    await figure.evaluate((node) => node.scrollIntoView());
    await figure.getByText("8 blobs at their random initialization, 256 pixels").waitFor();
    const config = completeConfig({ blobs: 8 });
    const size = { width: 16, height: 16, data: new Uint8ClampedArray(1024) };
    const pairs = countEvaluatedPairs(config, initialState(config, size).parameters, size);
    const expected = [pairs.all, pairs.listed, pairs.met, pairs.supported, pairs.blended].map((n) =>
      n.toLocaleString("en-US"),
    );
    await until(
      async () => {
        const texts = await figure.locator('[aria-label="text"] text').allTextContents();
        return texts.map((text) => text.replace(/, [\d.]+ per pixel/, "")).join(" ");
      },
      (texts) => texts === expected.join(" "),
      `the pairs, expected to be ${expected.join(" ")}`,
    );
  });

  it("waits for the reader on a software adapter, runs all five programs, shows the time of each for 10,000 steps, pauses, and starts over", async () => {
    const race = page.getByRole("figure", { name: "Five programs on your machine" });
    await race.evaluate((node) => node.scrollIntoView());
    await page.getByText("Ready on").waitFor();
    const spoken = await recordAnnouncements(page);
    await page.getByRole("button", { name: "Start", exact: true }).click();
    await until(
      () => race.locator("[role=group] > p").allTextContents(),
      (facts) =>
        facts.length === 5 &&
        facts.every((text) => /^[1-9][\d,]* steps?(, done)?\n[\d.]+ dB\n.* per second/.test(text)),
      "the status of the programs",
    );
    assert.deepEqual(await spoken(), [], "announcements while it runs");
    await page.getByRole("button", { name: "Pause" }).click();
    await page.getByText("Paused. Each program has run for").waitFor();
    const times = await factors(page, 0);
    assert.equal(times.filter((text) => /^[\d.]+ (s|min|h)/.test(text!)).length, 5, times.join());
    const chart = page.getByRole("figure").filter({ hasText: "middle half of the batches" }).last();
    const dots = chart.locator('[aria-label="dot"]').first().locator("path");
    assert.equal(await dots.count(), 5);
    const fills = await dots.evaluateAll((all) => all.map((dot) => dot.getAttribute("fill")));
    assert.equal(fills.filter((fill) => fill === "var(--theme-background)").length, 2, "open where states are cached");
    const curves = page.getByRole("figure").filter({ hasText: "PSNR by training time" }).last();
    assert.equal(await curves.locator('[aria-label="line"] path').count(), 5);
    await page.getByRole("button", { name: "Start over" }).click();
    await page.getByText("Ready on").waitFor();
    await lane("binned").getByText("0 steps").waitFor();
  });

  it("shows that all five compute the same image and gradients", async () => {
    await page.getByRole("button", { name: "Compare results" }).click();
    const rows = page.getByRole("table").filter({ hasText: "largest difference" }).locator("tbody tr");
    await rows.last().getByText("reference").first().waitFor();
    const texts = await rows.evaluateAll((all) =>
      all.map((row) => Array.from(row.children, (cell) => cell.textContent ?? "")),
    );
    for (const row of texts.slice(0, 4)) {
      const [, , psnr, difference] = row;
      assert.ok(psnr === "equal" || Number.parseFloat(psnr) > 90, row.join());
      assert.match(difference, /^(none|[\d.]+ × 10⁻[⁴-⁹])$/, row.join());
    }
  });

  it("maps a workgroup's threads to pixels by the chosen shape, and counts the pairs for such tiles", async () => {
    const figure = page.getByRole("figure", { name: "Mapping of threads to pixels" });
    await figure.evaluate((node) => node.scrollIntoView());
    await page.getByText("tiles of 8 × 4:").waitFor();
    await page.getByLabel("32 × 1").check();
    await page.getByText("tiles of 32 × 1:").waitFor();
    const steps = page.getByRole("group", { name: "Workgroup" });
    const to = async (button: string, words: string) => {
      await steps.getByRole("button", { name: button }).click();
      await steps.getByText(words).waitFor();
    };
    await to("To the first step", "threads 0 to 31 of the dispatch, from pixel 0, 0 on");
    await to("One step forward", "threads 32 to 63 of the dispatch, from pixel 0, 1 on");
    const threads = figure.locator('[aria-label="cell"]').last().locator("rect");
    const rows = await threads.evaluateAll((all) => all.map((rect) => rect.getAttribute("y")));
    assert.deepEqual([rows.length, new Set(rows).size], [32, 1]);
  });

  it("marks the matching line of the other variant", async () => {
    const lines = page.locator("code > span");
    await lines.filter({ hasText: "return PixelState(storedStates[" }).hover();
    const texts = await Promise.all((await marked(lines)).map((line) => line.innerText()));
    assert.equal(texts.length, 3, texts.join());
    assert.match(texts.join(), /storedStates\[.*undoPixelState.*stateBefore/);
  });

  it("is accessible, logs no errors and makes no requests to other origins", async () => {
    await assertAccessible(page);
    assert.deepEqual(watched.complaints, []);
    assert.deepEqual(watched.foreignRequests, []);
  });

  it("shows the recorded jobs without WebGPU", async () => {
    // In the context of the first page, which has a warm cache.
    const other = await page.context().newPage();
    await other.addInitScript("delete Navigator.prototype.gpu");
    await other.route(/_file\/data\/bench\/realtime/, (route) =>
      route.fulfill({ body: JSON.stringify(record), contentType: "application/json" }),
    );
    await other.goto(`/learn/realtime`);
    await other.getByText("no WebGPU. The comparison needs WebGPU; recorded").waitFor();
    assert.equal(await other.getByRole("button", { name: "Start", exact: true }).isDisabled(), true);
    const figure = other.getByRole("figure", { name: "Recorded times" });
    const cells = () => factors(other, 1);
    // 8 ms per step are 80 seconds; each further program takes half the time.
    const allCells = [
      "1 min 20 s",
      "40 s",
      "2 ×",
      "20 s",
      "10 s",
      "2 ×",
      "4 ×",
      "4 ×",
      "8 × by both",
      "",
      "5 s",
      "",
      "",
      "2 ×",
      "16 × by all three",
    ];
    await figure.locator("svg").first().waitFor();
    assert.deepEqual(await cells(), allCells);
    const [tiled, binned] = headline.measurements.map(({ median }) => time(median));
    const here = "1 ms for tiled and 500 µs for binned, in rounds that all start after step 500";
    const adapter = headline.adapter!.replace(/[.()]/g, "\\$&");
    const there = `on ${adapter}: ${tiled} for tiled over steps .*, and ${binned} for binned over steps`;
    await other.getByText(new RegExp(`${here}.*second recording of this job ${there}`)).waitFor();
    await other.getByLabel("40,960 blobs").check();
    await figure.getByText(/would take minutes: every blob, states cached\..*An adapter of the test/).waitFor();
    assert.deepEqual((await cells()).slice(0, 3), ["–", "40 s", "–"]);
    await other.close();
  });
});
