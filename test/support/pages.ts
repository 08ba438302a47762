// The browser that all page tests share, and the built site in it. Both come from pagesSetup.ts.
import { buffer } from "node:stream/consumers";
import { setTimeout } from "node:timers/promises";
import { type Browser, type BrowserContext, chromium, type Download, type Locator, type Page } from "playwright-core";
import { inject } from "vitest";
import { type ContextOptions, deadline, newContext, type WatchedPage, watchPage } from "./browser.js";

export type { WatchedPage } from "./browser.js";

let connected: Promise<Browser> | undefined;

/** The browser, which has WebGPU on a software adapter. What a file opens in it is closed behind the file. */
export function openBrowser(): Promise<Browser> {
  connected ??= chromium.connect(inject("browser"));
  return connected;
}

/** A fresh context of that browser, in which paths begin at the built site. */
export async function openContext(options: ContextOptions = {}): Promise<BrowserContext> {
  return newContext(await openBrowser(), { origin: inject("site"), ...options });
}

/** Opens a page in a context of its own. */
export async function openPage(path: string, options?: ContextOptions): Promise<WatchedPage> {
  return watchPage(await openContext(options), path);
}

/** The bytes of a file that a page gives away. */
export async function readDownload(download: Download): Promise<Buffer> {
  return buffer(await download.createReadStream());
}

/**
 * Looks again and again until a test is passed, and gives what passed it.
 * @throws Error with what was seen last when the deadline is over
 */
export async function until<T>(look: () => Promise<T>, test: (seen: T) => boolean, what: string): Promise<T> {
  const end = Date.now() + deadline;
  for (;;) {
    const seen = await look();
    if (test(seen)) return seen;
    if (Date.now() > end) throw new Error(`${what} stays ${seen}`);
    await setTimeout(100);
  }
}

/** Keeps a place in sight until what is only made there has come. */
export async function scrollTo(place: Locator, made: Locator): Promise<void> {
  const look = async () => {
    await place.evaluate((node) => node.scrollIntoView({ block: "center" }));
    return made.count();
  };
  await until(look, (count) => count > 0, "what is made in sight");
}

/** Makes a page as narrow as a phone, and waits until nothing of it is wider: charts are drawn anew behind the resizing. */
export async function fitsPhone(page: Page): Promise<void> {
  await page.setViewportSize({ width: 390, height: 800 });
  await until(
    () => page.evaluate(() => document.documentElement.scrollWidth),
    (width) => width === 390,
    "the width of the page",
  );
}
