// `node --import tsx test/longTasks.ts [ADDRESS...]`: trains in a headless browser while a script types, scrolls and
// points, and prints the longest tasks of the page's main thread before the first step, while kernels compile, after it,
// and while files are exported. SITE=FOLDER uses another built site, SECONDS=N records longer.
import { setTimeout } from "node:timers/promises";
import { type Browser, chromium } from "playwright-core";
import { newContext, startBrowser, watchPage } from "./support/browser.js";
import { serve } from "./support/server.js";
import { buildSite } from "./support/site.js";
import { markSection, printTasks, startTrace } from "./support/trace.js";

const jobs = [
  // Small jobs for the software adapter; the second one has gradient initialization and density control.
  "/?blobs=64&steps=1000000&size=32&pipeline=binned&tile=8x8",
  "/?preset=quality&pipeline=binned&blobs=4000&steps=12&size=512",
  // The CPU engine, with as many blobs as on a GPU.
  "/?engine=cpu&pipeline=cpu&picture=astronaut&size=512&blobs=40960&steps=1000000",
  "/?engine=cpu&pipeline=cpu&preset=quality&picture=astronaut&size=512&blobs=40960&steps=40",
];
const seconds = Number(process.env.SECONDS ?? 20);

async function train(browser: Browser, origin: string, address: string): Promise<void> {
  await startTrace(browser);
  const { page, complaints } = await watchPage(
    await newContext(browser, { script: 'performance.mark("until the first step")' }),
    origin + address,
  );
  await page.locator('.run-bar:is([data-state="running"], [data-state="done"])').waitFor({ timeout: 300_000 });
  await markSection(page, "after it");
  const end = Date.now() + 1000 * seconds;
  const height = await page.evaluate(() => document.body.scrollHeight);
  const field = page.getByLabel("Learning rate", { exact: true });
  for (let turn = 0; Date.now() < end; turn++) {
    await page.mouse.move(300 + ((37 * turn) % 600), 200 + ((53 * turn) % 500));
    await page.mouse.wheel(0, (turn % 40 < 20 ? height : -height) / 20);
    // Trailing zeros do not change the job.
    if (turn % 40 === 39) await field.pressSequentially("00000", { delay: 30 });
    await setTimeout(100);
  }
  await markSection(page, "while files are made");
  for (const button of await page.locator(".download:enabled").all()) await button.dispatchEvent("click");
  await setTimeout(1000 * Math.min(seconds, 10));
  await markSection(page, "end");
  console.log(`${address}: step ${await page.locator(".run-bar dd").first().innerText()}`);
  await printTasks(browser, ["until the first step", "after it", "while files are made", "end"]);
  await page.context().close();
  for (const complaint of complaints) console.log(complaint);
}

const server = await serve(process.env.SITE ?? buildSite());
const browser = await startBrowser((options) => chromium.launch(options));
try {
  for (const address of process.argv.length > 2 ? process.argv.slice(2) : jobs) {
    await train(browser, server.origin, address);
  }
} finally {
  await browser.close();
  await server.close();
}
