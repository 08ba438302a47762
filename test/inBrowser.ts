// Measures the notebook in a headless browser, and writes FILE, such as data/bench/browser.json:
//   node --import tsx test/inBrowser.ts FILE [SECONDS] [ADDRESS]
// The job of the address trains in an empty page and in the lab with all of its charts, alternately. Then every page is
// loaded and scrolled quickly at two widths, and the layout shift, the longest task of the main thread and the messages of
// the console are recorded. SITE, CHROMIUM, FLAGS and bundling are as in test/endurancePage.ts. COMMIT and ADAPTER are
// recorded; SHOTS=FOLDER keeps screenshots.
import { readdirSync, writeFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import type { Page } from "playwright-core";
import { siteFolder, startHostBrowser } from "./support/hostBrowser.js";
import { serve } from "./support/server.js";

const [file, seconds = "15", address = "/?size=512&blobs=40960&pipeline=binned&tile=8x4&steps=10000000"] =
  process.argv.slice(2);
/** Rounds of the two. */
const rounds = 3;

const site = await siteFolder();
const server = await serve(site);
const browser = await startHostBrowser();

interface Watched {
  tasks: [start: number, duration: number][];
  shifts: { share: number; of: string[] }[];
}

/** In each page before its own script: records long tasks and layout shifts. */
function watch(): void {
  const watched: Watched = { tasks: [], shifts: [] };
  Object.assign(globalThis, { watched });
  const observe = (type: string, note: (entry: never) => void) => {
    const take = (list: PerformanceObserverEntryList) => {
      for (const entry of list.getEntries()) note(entry as never);
    };
    new PerformanceObserver(take).observe({ type, buffered: true });
  };
  observe("longtask", ({ startTime, duration }: PerformanceEntry) => watched.tasks.push([startTime, duration]));
  type Source = { node: Node | null; previousRect: DOMRect; currentRect: DOMRect };
  type Shift = { value: number; hadRecentInput: boolean; sources: Source[] };
  const describe = ({ node, previousRect: from, currentRect: to }: Source) => {
    const name = node instanceof Element ? `${node.localName}.${node.className}` : "text";
    return `${name}, ${from.height} high at ${from.y}, to ${to.height} at ${to.y}`;
  };
  observe("layout-shift", ({ value, hadRecentInput, sources }: Shift) => {
    if (!hadRecentInput) watched.shifts.push({ share: value, of: sources.map(describe) });
  });
}

async function withPage<T>(
  path: string,
  measurePage: (page: Page) => Promise<T>,
  width = 1440,
  height = 900,
): Promise<T> {
  const context = await browser.newContext({ viewport: { width, height } });
  context.setDefaultTimeout(120_000);
  const page = await context.newPage();
  await page.addInitScript(watch);
  await page.goto(server.origin + path);
  const measured = await measurePage(page);
  await context.close();
  return measured;
}

/** In an empty page: returns the steps per second of a trainer without charts. */
const trainAlone = `async ([search, seconds]) => {
  const modules = await (await fetch("/_import/modules.json")).json();
  const moduleOf = (path) => import("/_import/" + modules[path]);
  const { openEngine } = await moduleOf("host/browser/engine.js");
  const { completeConfig } = await moduleOf("engine/config.js");
  const { Trainer } = await moduleOf("engine/training/trainer.js");
  const { readLink } = await moduleOf("components/training/link.js");
  const { decodeImage } = await moduleOf("host/browser/images.js");
  const { gallery } = await moduleOf("components/images/gallery.js");
  const { config, size } = readLink(search);
  const { image } = await decodeImage(await gallery[0].file.blob(), "astronaut", Number(size));
  const fullConfig = completeConfig(config);
  const engine = await openEngine();
  const trainer = new Trainer(fullConfig, image, engine.backend(fullConfig.pipeline));
  let start;
  for await (const { step } of trainer.run({ interval: 125 })) {
    const now = performance.now();
    if (!start && step > 50) start = { now, step };
    if (start && now - start.now > 1000 * seconds) return (1000 * (step - start.step)) / (now - start.now);
  }
}`;

async function step(page: Page): Promise<number> {
  const text = await page.locator(".run-bar dd").first().innerText();
  return Number(text.split(" of ")[0].replaceAll(",", ""));
}

async function trainInLab(page: Page) {
  while ((await step(page).catch(() => 0)) <= 50) await wait(100);
  const firstStep = await page.evaluate("performance.now()");
  await wait(2000);
  const [from, fromStep] = [await page.evaluate<number>("performance.now()"), await step(page)];
  await wait(1000 * Number(seconds));
  const [to, toStep] = [await page.evaluate<number>("performance.now()"), await step(page)];
  const { tasks } = await page.evaluate<Watched>("watched");
  const longest = tasks.filter(([start]) => start > from).map(([, duration]) => duration);
  const engine = await page.locator(".engine").innerText();
  return {
    rate: (1000 * (toStep - fromStep)) / (to - from),
    longest: longest.sort((a, b) => b - a).slice(0, 5),
    firstStep,
    engine,
  };
}

const alone: number[] = [];
const inLab: Awaited<ReturnType<typeof trainInLab>>[] = [];
const search = address.slice(address.indexOf("?"));
for (let round = 0; round < rounds; round++) {
  alone.push(
    await withPage("/where", (page) =>
      page.evaluate<number>(`(${trainAlone})(${JSON.stringify([search, Number(seconds)])})`),
    ),
  );
  inLab.push(await withPage(address, trainInLab));
}
const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1];
const ratio = median(inLab.map(({ rate }) => rate)) / median(alone);

/** Measures the layout shift of a page while it loads and scrolls. */
async function readPage(path: string, width: number, height: number) {
  const complaints: string[] = [];
  const measurePage = async (page: Page) => {
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) complaints.push(message.text());
    });
    page.on("pageerror", ({ message }) => complaints.push(message));
    await wait(2500);
    await page.evaluate(async () => {
      for (let y = 0; y < document.documentElement.scrollHeight; y += 800) {
        scrollTo(0, y);
        await new Promise((done) => setTimeout(done, 60));
      }
      await new Promise((done) => setTimeout(done, 300));
    });
    if (process.env.SHOTS) {
      await page.evaluate("scrollTo(0, 0)");
      await page.screenshot({ path: `${process.env.SHOTS}/${width}${path.replaceAll("/", "_")}.png` });
    }
    for (const error of await page.locator(".observablehq--error").allInnerTexts()) complaints.push(error);
    return page.evaluate<Watched>("watched");
  };
  const { tasks, shifts } = await withPage(path, measurePage, width, height);
  return {
    path,
    width,
    shift: shifts.reduce((sum, { share }) => sum + share, 0),
    moved: shifts.filter(({ share }) => share > 0.01),
    longestTask: Math.max(0, ...tasks.map(([, duration]) => duration)),
    complaints,
  };
}

const paths = readdirSync(site, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".html"))
  .map((name) => `/${name.replaceAll("\\", "/").replace(/(index)?\.html$/, "")}`)
  .toSorted();
const pages: Awaited<ReturnType<typeof readPage>>[] = [];
for (const path of paths)
  for (const [width, height] of [
    [1440, 900],
    [390, 844],
  ])
    pages.push(await readPage(path, width, height));

const { COMMIT: commit, ADAPTER: adapter } = process.env;
const about = { date: new Date().toISOString(), commit, browser: `Chromium ${browser.version()}`, adapter };
writeFileSync(file, `${JSON.stringify({ ...about, address, ratio, alone, inLab, pages }, null, 2)}\n`);
await browser.close();
await server.close();
process.exit(0);
