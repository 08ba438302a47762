import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
// The browser that the page tests of one process share, with the built site, which pagesSetup.ts serves.
import { buffer } from "node:stream/consumers";
import { setTimeout } from "node:timers/promises";
import { type Browser, type BrowserContext, chromium, type Download, type Locator, type Page } from "playwright-core";
import { inject } from "vitest";
import { type ContextOptions, deadline, newContext, startBrowser, type WatchedPage, watchPage } from "./browser.js";

export type { WatchedPage } from "./browser.js";

let started: Promise<Browser> | undefined;

/**
 * Returns the browser, which has WebGPU on a software adapter. Pages are closed after each test file, and the browser with
 * its process. A browser for all processes would need a server for its messages.
 */
export function openBrowser(): Promise<Browser> {
  started ??= startBrowser((options) => chromium.launch(options));
  return started;
}

/** Returns that browser; undefined if no page was opened. */
export function startedBrowser(): Promise<Browser> | undefined {
  return started;
}

/** Returns a new context of that browser with the built site as the base of paths. */
export async function openContext(options: ContextOptions = {}): Promise<BrowserContext> {
  return newContext(await openBrowser(), { origin: inject("site"), ...options });
}

/** Opens a page in a new context. */
export async function openPage(path: string, options?: ContextOptions): Promise<WatchedPage> {
  return watchPage(await openContext(options), path);
}

/** Returns the bytes of a file that a page downloads. */
export async function readDownload(download: Download): Promise<Buffer> {
  return buffer(await download.createReadStream());
}

/**
 * Repeats a query until its result passes a test, and returns that result.
 * @throws Error with the last result at the deadline
 */
export async function until<T>(look: () => Promise<T>, test: (seen: T) => boolean, subject: string): Promise<T> {
  const end = Date.now() + deadline;
  for (;;) {
    const seen = await look();
    if (test(seen)) return seen;
    if (Date.now() > end) throw new Error(`${subject} stays ${seen}`);
    await setTimeout(100);
  }
}

/** Waits until as many elements are found. */
export async function becomes(list: Locator, count: number): Promise<void> {
  await until(
    () => list.count(),
    (found) => found === count,
    "the count",
  );
}

/** Returns the run bar of a page. */
export function runBarOf(page: Page): Locator {
  return page.getByRole("group", { name: "Training", exact: true });
}

/** Waits until the run bar of a page shows a state. */
export function waitForRun(page: Page, state: "Training" | "Paused" | "Done" | "Stopped"): Promise<void> {
  return runBarOf(page).getByText(state, { exact: true }).waitFor();
}

/** Reloads a page at its top. The browser would restore the position while content is added above it. */
export async function reloadAtTop(page: Page): Promise<void> {
  await page.evaluate(() => {
    history.scrollRestoration = "manual";
    window.scrollTo(0, 0);
  });
  await page.reload();
}

/** Scrolls an element into view, without waiting until it stops moving or being redrawn. */
export async function bringIntoView(element: Locator): Promise<void> {
  await element.evaluate((node) => node.scrollIntoView({ block: "center", behavior: "instant" }));
}

/**
 * Scrolls an element into view, again and again until content has appeared that is created only in view. Observable's
 * runtime reads the first entry of its observer, so it misses an element that comes into view if an older entry comes first.
 */
export async function scrollTo(element: Locator, expected: Locator): Promise<void> {
  const look = async () => {
    const count = await expected.count();
    if (count > 0) return count;
    await element.evaluate(async (node) => {
      window.scrollTo(0, 0);
      for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
      node.scrollIntoView({ block: "center", behavior: "instant" });
    });
    return expected.count();
  };
  await until(look, (count) => count > 0, "content that is created in view");
}

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/**
 * In the page: marks the elements that axe need not compare with what is behind them. They have no text of their own,
 * which axe would find out more slowly, or three others already look the same, in elements that look the same.
 */
function markRepeatedStyles(): void {
  const styleIds = new Map<Element, number>();
  const idsByStyle = new Map<string, number>();
  const styleIdOf = (node: Element | null): number => {
    if (!node) return 0;
    const knownId = styleIds.get(node);
    if (knownId !== undefined) return knownId;
    const { color, fill, opacity, backgroundColor, backgroundImage, fontSize, fontWeight } = getComputedStyle(node);
    const ownStyle = [node.localName, color, fill, opacity, backgroundColor, backgroundImage, fontSize, fontWeight];
    const all = [styleIdOf(node.parentElement), ...ownStyle].join();
    const look = idsByStyle.get(all) ?? idsByStyle.size + 1;
    idsByStyle.set(all, look);
    styleIds.set(node, look);
    return look;
  };
  const textCounts = new Map<number, number>();
  const isRepeated = (node: Element) => {
    const hasText = [...node.childNodes].some((child) => child instanceof Text && child.data.trim() !== "");
    if (!hasText) return !node.matches("input, select, textarea");
    if (!node.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return false;
    const look = styleIdOf(node);
    const count = textCounts.get(look) ?? 0;
    textCounts.set(look, count + 1);
    return count >= 3;
  };
  for (const node of document.body.querySelectorAll("*")) node.toggleAttribute("data-alike", isRepeated(node));
}

/** Rules with results that depend on the screen's width or the theme. */
const screenRules = ["color-contrast", "link-in-text-block", "scrollable-region-focusable"];

/**
 * Asserts that axe-core finds nothing serious in a page.
 * @param isRepeat whether the same page has been checked on another screen
 */
export async function assertAccessible(page: Page, isRepeat = false): Promise<void> {
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(`(() => { ${axe} })()`);
  await page.evaluate('axe.configure({ rules: [{ id: "color-contrast", selector: "*:not([data-alike])" }] })');
  await page.evaluate(markRepeatedStyles);
  // Content outside of regions is a moderate fault, and only !important overrules the reader's spacing.
  const isSpaced = (await page.locator('[style*="!important"]').count()) > 0;
  const all = {
    rules: {
      "target-size": { enabled: true },
      region: { enabled: false },
      "avoid-inline-spacing": { enabled: isSpaced },
    },
  };
  const rules = isRepeat ? { runOnly: screenRules } : all;
  const found = await page.evaluate(`axe
    .run(${JSON.stringify({ resultTypes: ["violations"], ...rules })})
    .then(({ violations }) => violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .map(({ id, nodes }) => [id, ...nodes.slice(0, 3).map(({ target }) => target.join(" "))]))`);
  assert.deepEqual(found, []);
}

/**
 * Records the live regions of a page.
 * @returns a function that returns what has been announced since
 */
export async function recordAnnouncements(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    const spoken: string[] = [];
    const observer = new MutationObserver((records) => {
      for (const { target } of records) {
        const element = target instanceof Element ? target : target.parentElement;
        const region = element?.closest("[aria-live], [role=status], [role=alert], [role=log], output");
        if (region && region.ariaLive !== "off" && region.textContent) spoken.push(region.textContent);
      }
    });
    observer.observe(document.body, { childList: true, characterData: true, subtree: true });
    Object.assign(window, { spoken });
  });
  return () => page.evaluate("spoken") as Promise<string[]>;
}

/** Waits until nothing in a page is wider than its screen. Charts are redrawn after a resize. */
export async function assertFitsScreen(page: Page): Promise<void> {
  const { width } = page.viewportSize()!;
  await until(
    () => page.evaluate(() => document.documentElement.scrollWidth),
    (wide) => wide === width,
    "the width of the page",
  );
}
