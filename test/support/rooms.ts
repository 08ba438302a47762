import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { type SlotHeights, slotHeightsFile } from "../../src/components/page/slotHeightRule.js";
import { deadline } from "./browser.js";

/** The recorded heights of all pages' slots, by the page's path such as "learn/tiles". */
export const rooms: Record<string, SlotHeights> = JSON.parse(readFileSync(`src/${slotHeightsFile}`, "utf8"));

/** Returns a page's path as Framework names its file, such as "learn/index" for "/learn/". */
export const pageName = (path: string): string => path.slice(1).replace(/(^|\/)$/, "$1index");

/** The screens on which heights are recorded and compared. */
export const screens = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
];

/** In the page: returns each slot's natural height by name, in CSS pixels. */
function slotHeights(): [name: string, height: number][] {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(".slot { --kept: 0px !important; }");
  document.adoptedStyleSheets.push(sheet);
  const heights = Array.from(document.querySelectorAll<HTMLElement>("[data-slot]"), (slot): [string, number] => {
    const isBox = getComputedStyle(slot).display !== "contents";
    const box = isBox ? slot : slot.querySelector(".observablehq--block")!;
    return [slot.dataset.slot!, Math.ceil(Number.parseFloat(getComputedStyle(box).height) || 0)];
  });
  document.adoptedStyleSheets.pop();
  return heights;
}

/**
 * Returns the heights of a page's slots by name, once all have content and none has changed for a while.
 * @throws Error when the page still changes at the deadline
 */
export async function stableHeights(page: Page): Promise<Map<string, number>> {
  const busySelector = '.slot:has(observablehq-loading, [style="position: relative;"]:empty, .on-gpu[aria-busy])';
  const end = Date.now() + deadline;
  let heights = await page.evaluate(slotHeights);
  for (let stableChecks = 0; stableChecks < 10; ) {
    if (Date.now() > end) throw new Error(`${page.url()} still changes`);
    await page.waitForTimeout(250);
    const newHeights = await page.evaluate(slotHeights);
    const isSame = String(newHeights) === String(heights) && (await page.locator(busySelector).count()) === 0;
    stableChecks = isSame ? stableChecks + 1 : 0;
    heights = newHeights;
  }
  return new Map(heights);
}

/**
 * Returns the slots of a page that are more than 40 pixels higher than recorded. On a phone of 844 pixels, that is a layout
 * shift of up to 0.05, which every page test reports.
 */
export async function outgrownRooms(page: Page, path: string): Promise<string[]> {
  const index = page.viewportSize()!.width > 960 ? 0 : 1;
  return (await page.evaluate(slotHeights)).flatMap(([name, height]) => {
    const room = rooms[pageName(path)]?.[name]?.[index];
    const fits = room !== undefined && height <= room + 40;
    return fits ? [] : `${name}: ${height} pixels instead of ${room}`;
  });
}
