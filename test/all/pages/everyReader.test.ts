import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { describe, it } from "vitest";
import { slotHeightsFile } from "../../../src/components/page/slotHeightRule.js";
import { drawOffscreenScript, pagePaths, waitUntilIdle } from "../../support/pagePaths.js";
import { assertAccessible, assertFitsScreen, openPage, until, type WatchedPage } from "../../support/pages.js";
import { outgrownRooms, pageName } from "../../support/rooms.js";
import { byTouch } from "./byTouch.js";

/** A job that ends soon, so the page settles. */
const job = "blobs=40&steps=60&size=32";

const screen = { width: 390, height: 800 };

/** The pages that are tested with a software adapter; all others without a GPU. */
const onGpu: Record<string, string> = {
  "/": "blobs=8&steps=4&size=16&pipeline=binned",
  "/learn/reduction": "blobs=8&steps=4&size=16",
  "/learn/workgroups": "",
};

/** Waits until nothing trains or loads and the page does not change. */
const settles = (page: Page) => page.evaluate(waitUntilIdle);

/** Uses some grids and steppers by touch and by keys. Each must dispatch an event with its new value. */
async function answersTouchAndKeys(page: Page): Promise<void> {
  await page.evaluate("globalThis.inputs = 0; addEventListener('input', () => inputs++, true)");
  const inputs = () => page.evaluate("inputs") as Promise<number>;
  const answers = async (what: string, ...acts: (() => Promise<void>)[]) => {
    const before = await inputs();
    for (const act of acts) await act();
    await until(inputs, (now) => now > before, `${what}, which dispatches no input event:`);
  };
  // Found by class: each search by role goes through the whole page.
  for (const grid of (await page.locator('[role="application"]').all()).slice(0, 2)) {
    const name = await grid.getAttribute("aria-label");
    const { width, height } = (await grid.boundingBox())!;
    const tapAt = (share: number) => () => grid.tap({ position: { x: share * width, y: share * height }, force: true });
    await answers(`${name}, tapped`, tapAt(0.1), tapAt(0.9));
    await answers(
      `${name}, by keys`,
      () => grid.press("ArrowLeft"),
      () => grid.press("ArrowUp"),
    );
  }
  const play = page.getByRole("button", { name: /^(Play|Pause)$/ });
  const steppers = page.getByRole("slider").locator("..").filter({ has: play });
  for (const stepper of (await steppers.all()).slice(0, 2)) {
    const timeline = stepper.getByRole("slider");
    if (await timeline.isDisabled()) continue;
    const name = await timeline.getAttribute("aria-label");
    const tap = (button: string) => () =>
      stepper.getByRole("button", { name: button, exact: true }).tap({ force: true });
    // Scrubbers show only the Play button.
    const { width, height } = (await timeline.boundingBox())!;
    const tapAt = (share: number) => () => timeline.tap({ position: { x: share * width, y: height / 2 }, force: true });
    const hasButtons = (await stepper.getByRole("button", { name: "One step forward" }).count()) > 0;
    const acts = hasButtons ? [tap("To the first step"), tap("One step forward")] : [tapAt(0.1), tapAt(0.9)];
    await answers(`${name}, tapped`, ...acts);
    await answers(
      `${name}, by keys`,
      () => timeline.press("End"),
      () => timeline.press("Home"),
    );
  }
}

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
    for (let press = 0; press < 16; press++) await page.keyboard.press("Tab");
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

/** Returns the area of drawings that are visible before scrolling, in square pixels. */
function drawnAtFirst(page: Page): Promise<number> {
  return page.evaluate(() => {
    scrollTo({ top: 0, behavior: "instant" });
    const seen = (drawing: Element) => {
      const { top, bottom, width } = drawing.getBoundingClientRect();
      return width * Math.max(0, Math.min(bottom, innerHeight) - top);
    };
    const drawings = Array.from(document.querySelectorAll("#observablehq-main :is(canvas, svg):not(svg *)"), seen);
    return drawings.reduce((sum, area) => sum + area, 0);
  });
}

/** Returns the active lines of code that are outside the view of their box. */
function hiddenLines(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    Array.from(document.querySelectorAll("pre"), (box) => {
      const { top, bottom, left, right } = box.getBoundingClientRect();
      const lines = Array.from(box.querySelectorAll('[aria-current="step"]'));
      const isIn = (line: Element) => {
        const inner = line.getBoundingClientRect();
        return inner.top >= top - 1 && inner.bottom <= bottom + 1 && inner.left >= left - 1 && inner.right <= right + 1;
      };
      // Of distant lines, only the first.
      return lines.length > 0 && !isIn(lines[0]) ? [lines[0].textContent!] : [];
    }).flat(),
  );
}

/** Returns texts that cannot be read: cut off in tables, or overlapping along an axis. */
function illegible(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const cells = [...document.querySelectorAll("form > table :is(th, td)")];
    const cut = cells.filter((cell) => cell.checkVisibility() && cell.scrollWidth > cell.clientWidth + 1);
    const overlap = (a: DOMRect, b: DOMRect) =>
      Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 &&
      Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 3;
    const axes = [...document.querySelectorAll('svg [aria-label$="axis tick label"]')];
    // The boxes of slanted labels overlap even if the labels do not.
    const isLevel = (axis: Element) => !axis.querySelector('[transform*="rotate"]');
    const hidden = axes.filter(isLevel).flatMap((axis) => {
      const boxes = Array.from(axis.children, (label) => label.getBoundingClientRect());
      const isHit = (box: DOMRect, i: number) => boxes.slice(0, i).some((other) => overlap(other, box));
      return [...axis.children].filter((_, i) => isHit(boxes[i], i));
    });
    return [...cut, ...hidden].map((text) => text.textContent!);
  });
}

const asFirst = { colorScheme: "dark", reducedMotion: "reduce" } as const;

/** A phone, with a GPU or without. It visits all pages, so the browser compiles their scripts once. */
const phones = new Map<boolean, Promise<WatchedPage>>();
function phone(webgpu: boolean): Promise<WatchedPage> {
  const reader = { viewport: screen, hasTouch: true, isMobile: true };
  const open = () => openPage("/_import/modules.json", { webgpu, emulation: reader, script: drawOffscreenScript });
  if (!phones.has(webgpu)) phones.set(webgpu, open());
  return phones.get(webgpu)!;
}

/** Chapters begin with a drawing. */
async function opensWithFigure(page: Page): Promise<void> {
  const isEnough = (drawn: number) => drawn > 20_000;
  await until(() => drawnAtFirst(page), isEnough, "how many square pixels are drawn on the first screen");
}

/** Charts are drawn again after a resize, so a page takes a moment to fit its recorded heights. */
async function fitsRooms(page: Page, path: string): Promise<void> {
  const fits = (outgrown: string[]) => outgrown.length === 0;
  await until(() => outgrownRooms(page, path), fits, `${slotHeightsFile} is too low for ${pageName(path)}:`);
}

describe("every page", () => {
  for (const path of pagePaths) {
    it(`${path} works on a dark phone, by keys alone, with reduced motion and on a wide light screen, without foreign requests`, async () => {
      // The index would list the settings of its address.
      const query = onGpu[path] ?? (path === "/learn/" ? "engine=cpu" : `engine=cpu&${job}`);
      const { page, complaints, foreignRequests: foreign } = await phone(path in onGpu);
      await page.setViewportSize(screen);
      await page.emulateMedia(asFirst);
      await page.goto(`${path}?${query}`);
      await settles(page);
      const isChapter = /^\/learn\/./.test(path);
      if (isChapter) await opensWithFigure(page);
      await assertFitsScreen(page);
      await fitsRooms(page, path);
      const moving = await page.evaluate(() =>
        document.getAnimations().map(({ effect }) => (effect as KeyframeEffect).target?.outerHTML.slice(0, 200)),
      );
      assert.deepEqual(moving, []);
      await assertAccessible(page);
      assert.deepEqual(await hiddenLines(page), []);
      assert.deepEqual(await illegible(page), []);
      await walksThrough(page);
      await answersTouchAndKeys(page);
      await byTouch[path]?.(page);
      await page.emulateMedia({ colorScheme: "light", reducedMotion: "no-preference" });
      await page.setViewportSize({ width: 1440, height: 900 });
      await settles(page);
      await assertFitsScreen(page);
      // A cell has been edited there, and shows more.
      if (path !== "/learn/blending") await fitsRooms(page, path);
      await assertAccessible(page, true);
      if (isChapter) {
        await opensWithFigure(page);
        assert.deepEqual(await hiddenLines(page), []);
        const fonts = await page.evaluate(() =>
          Array.from(document.fonts, ({ family, status }) => `${family} ${status}`),
        );
        assert.deepEqual(fonts, ["Mathematics loaded"]);
      }
      assert.deepEqual([complaints.splice(0), foreign.splice(0)], [[], []]);
    });
  }
});
