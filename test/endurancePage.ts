// Endurance of the lab in a headless browser. Each mode prints one JSON object, and exits with 1 if it fails:
//   node --import tsx test/endurancePage.ts losing [LOSSES] [ADDRESS]   compares the files with a run without device loss
//   node --import tsx test/endurancePage.ts steps [ADDRESS]             memory over one run
//   node --import tsx test/endurancePage.ts reruns [SECONDS] [ADDRESS]  memory over many short runs
// SITE=FOLDER uses a built site. CHROMIUM=PATH uses a browser, with FLAGS for this machine's GPU. For a host without packages: npx esbuild test/endurancePage.ts --bundle --platform=node --format=esm --external:playwright-core
// --external:./browser.js --external:./site.js --outfile=FOLDER/endurancePage.mjs
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import type { CDPSession, Page } from "playwright-core";
import { siteFolder, startHostBrowser } from "./support/hostBrowser.js";
import { serve } from "./support/server.js";

const [mode, ...given] = process.argv.slice(2);
const count = given[0] !== undefined && /^\d+$/.test(given[0]) ? Number(given.shift()) : undefined;
const job = (steps: number) => `/?size=512&blobs=40960&pipeline=binned&tile=8x4&steps=${steps}`;

const site = await siteFolder();
const server = await serve(site);
const browser = await startHostBrowser();
const complaints: string[] = [];

async function openPage(address: string): Promise<Page> {
  const context = await browser.newContext({ acceptDownloads: true, viewport: { width: 1280, height: 900 } });
  context.setDefaultTimeout(10 * 60_000);
  const page = await context.newPage();
  page.on("pageerror", (error) => complaints.push(error.message));
  await page.goto(server.origin + address);
  return page;
}

const reaches = (page: Page, state: string) => page.locator(`.run-bar[data-state="${state}"]`).waitFor();

async function step(page: Page): Promise<number> {
  const text = await page.locator(".run-bar dd").first().innerText();
  return Number(text.split(" of ")[0].replaceAll(",", ""));
}

/** In the training worker: loses the device with its next submission. */
const loseDevice = `(() => {
  const { createCommandEncoder } = GPUDevice.prototype;
  GPUDevice.prototype.createCommandEncoder = function (...args) {
    GPUDevice.prototype.createCommandEncoder = createCommandEncoder;
    this.destroy();
    return createCommandEncoder.apply(this, args);
  };
})()`;

async function losing(losses = 20, address = job(100_000)) {
  const train = async (most: number) => {
    const page = await openPage(address);
    const lostAt: number[] = [];
    for (let lost = 0; lost < most; lost++) {
      await page.locator('.run-bar[data-state="running"]').waitFor();
      await wait(200 + 400 * Math.random());
      lostAt.push(await step(page));
      await page
        .workers()
        .find((worker) => worker.url().includes("engineWorker"))!
        .evaluate(loseDevice);
      await page.getByText(`The GPU was lost ${lost + 1} time`).waitFor();
    }
    await reaches(page, "done");
    await page.getByText(`at step ${await step(page)}. Click`).waitFor();
    const hashes: string[] = [];
    for (const name of ["parameters.arrow", "gradients.arrow", "render.png"]) {
      const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name }).click()]);
      hashes.push(
        createHash("sha256")
          .update(readFileSync(await download.path()))
          .digest("hex"),
      );
    }
    const last = await step(page);
    const engine = await page.locator(".engine").innerText();
    await page.context().close();
    return { lostAt, hashes, last, engine };
  };
  const whole = await train(0);
  const own = await train(losses);
  const isSame = String(own.hashes) === String(whole.hashes) && own.last === whole.last;
  return { isFine: isSame && own.lostAt.length === losses, losses, ...own };
}

interface Sample {
  at: number;
  nodes: number;
  listeners: number;
  /** Megabytes of the page's heap, and of the browser's processes by type. */
  heap: number;
  [process: `rss ${string}`]: number;
}

async function sampler(page: Page): Promise<(at: number) => Promise<Sample>> {
  const session = await page.context().newCDPSession(page);
  const whole: CDPSession = await browser.newBrowserCDPSession();
  await session.send("Performance.enable");
  const megabytes = (bytes: number) => Number((bytes / 2 ** 20).toFixed(2));
  return async (at) => {
    for (let i = 0; i < 2; i++) await session.send("HeapProfiler.collectGarbage");
    const { metrics } = await session.send("Performance.getMetrics");
    const of = (metric: string) => metrics.find(({ name }) => name === metric)!.value;
    const sample: Sample = {
      at,
      nodes: of("Nodes"),
      listeners: of("JSEventListeners"),
      heap: megabytes(of("JSHeapUsedSize")),
    };
    const { processInfo } = await whole.send("SystemInfo.getProcessInfo");
    for (const { id, type } of processInfo) {
      if (type !== "renderer" && type !== "GPU") continue;
      const pages = Number(readFileSync(`/proc/${id}/statm`, "utf8").split(" ")[1]);
      sample[`rss ${type}`] = Math.max(sample[`rss ${type}`] ?? 0, megabytes(4096 * pages));
    }
    return sample;
  };
}

/** Returns whether memory grew by at most a few percent since a fifth of the run. */
function isFlat(samples: Sample[]): boolean {
  const early = samples[Math.floor(samples.length / 5)];
  const last = samples.at(-1)!;
  const isNear = (name: keyof Sample, fraction: number, more: number) =>
    last[name] <= (1 + fraction) * early[name] + more;
  const processes = Object.keys(last).filter((name) => name.startsWith("rss")) as (keyof Sample)[];
  return (
    isNear("nodes", 0.01, 20) &&
    isNear("listeners", 0, 10) &&
    isNear("heap", 0.05, 4) &&
    processes.every((name) => isNear(name, 0.1, 20))
  );
}

async function steps(_: number | undefined, address = job(1_000_000)) {
  const page = await openPage(address);
  await reaches(page, "running");
  const sample = await sampler(page);
  const samples: Sample[] = [];
  const start = Date.now();
  while ((await page.locator('.run-bar[data-state="done"]').count()) === 0) {
    await wait(5000);
    samples.push(await sample(await step(page)));
  }
  return { isFine: isFlat(samples), steps: await step(page), seconds: (Date.now() - start) / 1000, samples };
}

/** In the page, for some seconds: restarts training soon after each start. */
const turnForSeconds = async (seconds: number): Promise<number> => {
  const label = Array.from(document.querySelectorAll("label")).find((each) => each.textContent === "Random seed");
  const seed = label!.control as HTMLInputElement;
  const end = performance.now() + 1000 * seconds;
  let turns = 0;
  while (performance.now() < end) {
    seed.value = String(1 + (turns++ % 1000));
    seed.dispatchEvent(new Event("change", { bubbles: true }));
    do await new Promise((resolve) => setTimeout(resolve, 200));
    while (!document.querySelector('.run-bar:is([data-state="running"], [data-state="done"])'));
  }
  return turns;
};

async function reruns(seconds = 600, address = job(1_000_000)) {
  const page = await openPage(address);
  await reaches(page, "running");
  const sample = await sampler(page);
  const samples: Sample[] = [];
  let runs = 0;
  for (let part = 0; part < 30; part++) {
    runs += await page.evaluate(turnForSeconds, seconds / 30);
    samples.push(await sample(runs));
  }
  const seen = new URL(page.url()).searchParams.get("seed");
  return { isFine: isFlat(samples) && seen !== null, runs, seed: seen, seconds, samples };
}

const modes = { losing, steps, reruns };
const run = modes[mode as keyof typeof modes];
if (!run) throw new Error(`The mode must be one of ${Object.keys(modes).join(", ")}.`);
const result = await run(count, given[0]);
console.log(JSON.stringify({ mode, ...result, complaints }));
await browser.close();
await server.close();
process.exit(result.isFine ? 0 : 1);
