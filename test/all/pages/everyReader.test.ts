import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { describe, it } from "vitest";
import { drawOffscreenScript, pagePaths, waitUntilIdle } from "../../support/pagePaths.js";
import { assertAccessible, assertFitsScreen, openPage, type WatchedPage } from "../../support/pages.js";

/** A job that ends soon, so the page settles. */
const job = "blobs=40&steps=60&size=32";

const screen = { width: 390, height: 800 };

/** Waits until nothing trains or loads and the page does not change. */
const settles = (page: Page) => page.evaluate(waitUntilIdle);

/** In the page: records the focused elements and their faults. */
function watchFocus(): void {
  const nameOf = (node: Element) =>
    `${node.localName} ${(node.getAttribute("aria-label") ?? node.textContent ?? "").trim().slice(0, 60)}`;
  const follows = (a: Node, b: Node) => (a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
  const walked: HTMLElement[] = [];
  const wrong: string[] = [];
  let isOver = false;
  document.addEventListener("focusin", ({ target }) => {
    const node = target as HTMLElement;
    // After the last control, the first one has the focus again.
    isOver ||= node === walked[0];
    if (isOver) return;
    const before = walked.at(-1);
    if (before?.isConnected && !follows(before, node)) wrong.push(`${nameOf(node)} comes behind ${nameOf(before)}`);
    const isMarked = (shown: Element | null | undefined) => {
      const { outlineStyle, outlineWidth } = shown ? getComputedStyle(shown) : { outlineStyle: "none" };
      return outlineStyle !== "none" && outlineWidth !== "0px";
    };
    // An editor marks the focus by its border.
    if (!isMarked(node) && !isMarked(node.closest(".cm-editor"))) wrong.push(`${nameOf(node)} shows no focus`);
    walked.push(node);
  });
  const all = 'a[href], button, input, select, textarea, summary, [tabindex="0"], [contenteditable="true"]';
  const passedOver = () => {
    // Elements that were drawn again during the walk are recognized by their names.
    const names = new Set(walked.filter((node) => !node.isConnected).map(nameOf));
    const radios = new Set(walked.filter((node) => node.matches("[type=radio]")).map((node) => node.closest("form")));
    return Array.from(document.querySelectorAll<HTMLElement>(all)).filter(
      (node) =>
        node.tabIndex >= 0 &&
        !node.matches(":disabled") &&
        node.checkVisibility({ visibilityProperty: true }) &&
        (isOver || !walked.at(-1)!.isConnected || !follows(walked.at(-1)!, node)) &&
        !walked.includes(node) &&
        !names.has(nameOf(node)) &&
        // A group with one tab stop; the arrow keys lead to the others.
        !(node.matches("[type=radio]") && radios.has(node.closest("form"))),
    );
  };
  Object.assign(window, {
    walked: () => ({ length: walked.length, isOver }),
    wrong: () => [...wrong, ...passedOver().map((node) => `${nameOf(node)} is passed over`)],
  });
}

async function walkOnce(page: Page): Promise<void> {
  await page.evaluate(watchFocus);
  const walked = () => page.evaluate("walked()") as Promise<{ length: number; isOver: boolean }>;
  let [before, length, isOver] = [-1, 0, false];
  while (!isOver && length > before && length < 160) {
    before = length;
    await Promise.all(Array.from({ length: 16 }, () => page.keyboard.press("Tab")));
    ({ length, isOver } = await walked());
  }
  assert.deepEqual(await page.evaluate("wrong()"), []);
  assert.ok(length > 8, `${length} controls`);
}

/** Presses Tab from the first control to the last, or far down a very long page. */
async function walksThrough(page: Page): Promise<void> {
  await walkOnce(page).catch(async () => {
    // A figure that is drawn again can lose its turn once. A control that is missed twice is unreachable.
    await settles(page);
    await page.evaluate(() => {
      document.body.tabIndex = -1;
      document.body.focus();
      document.body.removeAttribute("tabindex");
    });
    await walkOnce(page);
  });
}

/** The pages with the most controls, which are also tested on a wide light screen. */
const wide = ["/", "/compare", "/kernels", "/learn/tiles"];

/** A phone with dark colours and without motion. It visits all pages, so the browser compiles their scripts once. */
let opened: Promise<WatchedPage> | undefined;
function phone(): Promise<WatchedPage> {
  const emulation = { viewport: screen, hasTouch: true, isMobile: true };
  opened ??= openPage("/_import/modules.json", { webgpu: false, emulation, script: drawOffscreenScript });
  return opened;
}

describe("every page", () => {
  for (const path of pagePaths) {
    it(`${path} works on a dark phone, by keys alone and without motion`, async () => {
      // The index would list the settings of its address.
      const query = path === "/learn/" ? "" : `?${job}`;
      const { page } = await phone();
      await page.setViewportSize(screen);
      await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
      await page.goto(path + query);
      await settles(page);
      await assertFitsScreen(page);
      const moving = await page.evaluate(() =>
        document.getAnimations().map(({ effect }) => (effect as KeyframeEffect).target?.outerHTML.slice(0, 200)),
      );
      assert.deepEqual(moving, []);
      await assertAccessible(page);
      await walksThrough(page);
      if (!wide.includes(path)) return;
      await page.emulateMedia({ colorScheme: "light", reducedMotion: "no-preference" });
      await page.setViewportSize({ width: 1440, height: 900 });
      await settles(page);
      await assertFitsScreen(page);
      await assertAccessible(page, true);
    });
  }
});
