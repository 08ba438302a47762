// `npm run screenshot`: takes the README's screenshot of the lab, after a small job on the CPU engine.
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { newContext, startBrowser, watchPage } from "./support/browser.js";
import { serve } from "./support/server.js";
import { buildSite } from "./support/site.js";

const job = "?engine=cpu&picture=astronaut&size=512&preset=quality&blobs=8192&steps=400";
const file = fileURLToPath(new URL("../data/lab.png", import.meta.url));

const server = await serve(buildSite());
const browser = await startBrowser((options) => chromium.launch(options));
try {
  const { page } = await watchPage(await newContext(browser, server), `/${job}`);
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.locator('.run-bar[data-state="done"]').waitFor({ timeout: 10 * 60_000 });
  // Figures are drawn shortly after they come into view.
  await page.getByLabel(/^Error map/).waitFor();
  await page.waitForTimeout(1500);
  await page.screenshot({ path: file });
  console.log("Wrote data/lab.png.");
} finally {
  await browser.close();
  await server.close();
}
