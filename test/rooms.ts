// `npm run rooms [PAGE…]`: records the heights of the slots of all pages, or of pages such as learn/tiles. page.css reserves
// them until the cells show something. A slot gets the maximum of its heights with and without a GPU.
import { writeFileSync } from "node:fs";
import { chromium } from "playwright-core";
import { type SlotHeights, slotHeightsFile } from "../src/components/page/slotHeightRule.js";
import { newContext, startBrowser, watchPage } from "./support/browser.js";
import { drawOffscreenScript, pagePaths } from "./support/pagePaths.js";
import { pageName, rooms, screens, stableHeights } from "./support/rooms.js";
import { serve } from "./support/server.js";
import { buildSite } from "./support/site.js";

const file = new URL(`../src/${slotHeightsFile}`, import.meta.url);
const pages = pagePaths.map(pageName).filter((page) => !page.startsWith("reports/"));

const asked = process.argv.slice(2);
const unknown = asked.find((page) => !pages.includes(page));
if (unknown) throw new Error(`${unknown} is not a page with slots. Pages with slots: ${pages.join(", ")}.`);

const server = await serve(await buildSite());
const browser = await startBrowser((options) => chromium.launch(options));
try {
  for (const page of asked.length > 0 ? asked : pages) rooms[page] = await roomsOf(page);
} finally {
  await browser.close();
  await server.close();
}
const filled = Object.entries(rooms).filter(([page, slots]) => pages.includes(page) && Object.keys(slots).length > 0);
const texts = filled.sort(([a], [b]) => (a < b ? -1 : 1)).map(([page, slots]) => `  "${page}": ${textOf(slots)}`);
writeFileSync(file, `{\n${texts.join(",\n")}\n}\n`);

async function roomsOf(name: string): Promise<SlotHeights> {
  const slots: SlotHeights = {};
  for (const webgpu of [true, false]) {
    for (const [index, viewport] of screens.entries()) {
      const reader = { viewport };
      const context = await newContext(browser, {
        origin: server.origin,
        webgpu,
        script: drawOffscreenScript,
        emulation: reader,
      });
      const { page } = await watchPage(context, `/${name.replace(/index$/, "")}`);
      for (const [slot, height] of await stableHeights(page)) {
        slots[slot] ??= [0, 0];
        slots[slot][index] = Math.max(slots[slot][index], height);
      }
      await context.close();
    }
  }
  console.log(`${name}: ${Object.keys(slots).length} slots`);
  return slots;
}

/** Returns JSON with one slot per line. */
function textOf(slots: SlotHeights): string {
  const lines = Object.entries(slots).map(([name, heights]) => `    "${name}": [${heights.join(", ")}]`);
  return `{\n${lines.join(",\n")}\n  }`;
}
