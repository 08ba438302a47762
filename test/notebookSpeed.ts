// What the notebook around a run costs it, in a headless browser; prints one JSON object:
//   node --import tsx test/notebookSpeed.ts [SECONDS] [ADDRESS]
// The job of the address trains by itself in an empty page, and then in the lab with all of its charts, in turns; the
// ratio of their steps a second is told, with the longest tasks of the lab's own thread. SITE, CHROMIUM and FLAGS as in
// test/endurancePage.ts, which also says how to bundle it for a host without packages.
import { setTimeout as wait } from "node:timers/promises";
import { type Browser, chromium, type Page } from "playwright-core";
import { serve } from "./support/server.js";

const [
  seconds = "15",
  address = "/?size=512&blobs=40960&pipeline=binned&tile=8x4&gaussiansPerBlock=512&steps=10000000",
] = process.argv.slice(2);
/** Turns of the two. */
const rounds = 3;

async function startBrowser(): Promise<Browser> {
  const { CHROMIUM, FLAGS = "" } = process.env;
  if (CHROMIUM) return chromium.launch({ executablePath: CHROMIUM, args: FLAGS.split(" ").filter(Boolean) });
  return (await import("./support/browser.js")).startBrowser((options) => chromium.launch(options));
}

const server = await serve(process.env.SITE ?? (await (await import("./support/site.js")).buildSite()));
const browser = await startBrowser();

async function withPage<T>(path: string, look: (page: Page) => Promise<T>): Promise<T> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  context.setDefaultTimeout(120_000);
  const page = await context.newPage();
  await page.addInitScript(`
    globalThis.tasks = [];
    new PerformanceObserver((list) => {
      for (const { startTime, duration } of list.getEntries()) tasks.push([startTime, duration]);
    }).observe({ type: "longtask", buffered: true });
  `);
  await page.goto(server.origin + path);
  const looked = await look(page);
  await context.close();
  return looked;
}

/** In an empty page: the steps a second of a trainer that nobody looks at. */
const trainAlone = `async ([search, seconds]) => {
  const modules = await (await fetch("/_import/modules.json")).json();
  const moduleOf = (path) => import("/_import/" + modules[path]);
  const { openEngine } = await moduleOf("host/browser.js");
  const { completeConfig } = await moduleOf("engine/config.js");
  const { Trainer } = await moduleOf("engine/trainer.js");
  const { readLink } = await moduleOf("components/training/link.js");
  const { decodePicture } = await moduleOf("host/pictures.js");
  const { gallery } = await moduleOf("components/pictures/pictures.js");
  const { config, size } = readLink(search);
  const { image } = await decodePicture(await gallery[0].file.blob(), "astronaut", Number(size));
  const whole = completeConfig(config);
  const engine = await openEngine();
  const trainer = new Trainer(whole, image, engine.backend(whole.pipeline));
  let start;
  for await (const { step } of trainer.run({ interval: 125, ahead: true })) {
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
  const tasks = await page.evaluate<[number, number][]>("tasks");
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
console.log(JSON.stringify({ ratio, alone, inLab }));
await browser.close();
await server.close();
process.exit(0);
