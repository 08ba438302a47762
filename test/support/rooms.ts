import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { type SlotHeights, slotHeightsFile } from "../../src/components/page/slotHeightRule.js";

/** The recorded heights of all pages' slots, by the page's path such as "learn/tiles". */
export const rooms: Record<string, SlotHeights> = JSON.parse(readFileSync(`src/${slotHeightsFile}`, "utf8"));

/** Returns a page's path as Framework names its file, such as "learn/index" for "/learn/". */
export const pageName = (path: string): string => path.slice(1).replace(/(^|\/)$/, "$1index");

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
