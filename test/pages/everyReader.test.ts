import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { basename } from "node:path";
import type { BrowserContext, Page } from "playwright-core";
import { describe, it } from "vitest";
import { watchPage } from "../support/browser.js";
import { fitsScreen, isAccessible, openContext, until } from "../support/pages.js";
import { byTouch } from "./byTouch.js";

/** A job that is soon done, so that nothing moves any more. */
const job = "blobs=40&steps=60&size=32";

const screen = { width: 390, height: 800 };

/** What is computed on a software adapter; all others do without a GPU. */
const onGpu: Record<string, string> = {
  "/": "blobs=8&steps=4&size=16&pipeline=binned",
  "/learn/gradients": "blobs=8&steps=4&size=16",
  "/learn/workgroups": "",
};

/** Every page of the site, of the recorded runs one. */
const paths = readdirSync("src", { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".md"))
  .map((file) => `/${file.replaceAll("\\", "/").slice(0, -".md".length)}`.replace(/\/index$/, "/"))
  .map((path) => path.replace("[run]", basename(readdirSync("data/runs").toSorted()[0])))
  .toSorted();

/** Waits until nothing trains, and nothing on the page changes any more. */
async function settles(page: Page): Promise<void> {
  await until(
    () => page.locator('.run-bar:is([data-state="starting"], [data-state="running"])').count(),
    (count) => count === 0,
    "what is under way",
  );
  await page.evaluate(
    () =>
      new Promise<void>((done) => {
        const rests = () => setTimeout(() => [observer.disconnect(), done()], 250);
        let timer = rests();
        const observer = new MutationObserver(() => {
          clearTimeout(timer);
          timer = rests();
        });
        observer.observe(document.body, { childList: true, characterData: true, subtree: true });
      }),
  );
}

/** Makes a screen so high that all of a page is in sight at once, since what is not seen is not there yet. */
async function seesAll(page: Page): Promise<void> {
  const whole = () => page.evaluate(() => document.documentElement.scrollHeight);
  for (let seen = 0, time = 0; time < 3 && seen < (await whole()); time++) {
    seen = await whole();
    await page.setViewportSize({ width: screen.width, height: seen });
    await settles(page);
  }
}

/** Uses some of what is ours to use, grids and steppers, by a finger and by keys: each tells of a new value. */
async function answersTouchAndKeys(page: Page): Promise<void> {
  await page.evaluate("globalThis.told = 0; addEventListener('input', () => told++, true)");
  const told = () => page.evaluate("told") as Promise<number>;
  const answers = async (what: string, ...acts: (() => Promise<void>)[]) => {
    const before = await told();
    for (const act of acts) await act();
    await until(told, (now) => now > before, `${what}, which tells of no new value:`);
  };
  for (const grid of (await page.getByRole("application").all()).slice(0, 2)) {
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
  const steppers = page.getByRole("group").filter({ has: page.getByRole("button", { name: "One step forward" }) });
  for (const stepper of (await steppers.all()).slice(0, 2)) {
    const timeline = stepper.getByRole("slider");
    if (await timeline.isDisabled()) continue;
    const name = await timeline.getAttribute("aria-label");
    const tap = (button: string) => () =>
      stepper.getByRole("button", { name: button, exact: true }).tap({ force: true });
    await answers(`${name}, tapped`, tap("To the first step"), tap("One step forward"));
    await answers(
      `${name}, by keys`,
      () => timeline.press("End"),
      () => timeline.press("Home"),
    );
  }
}

/** In the page: notes what gets the focus, and what is wrong with that. */
function watchFocus(): void {
  const nameOf = (node: Element) =>
    `${node.localName} ${(node.getAttribute("aria-label") ?? node.textContent ?? "").trim().slice(0, 60)}`;
  const follows = (a: Node, b: Node) => (a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
  const walked: HTMLElement[] = [];
  const wrong: string[] = [];
  let isOver = false;
  document.addEventListener("focusin", ({ target }) => {
    const node = target as HTMLElement;
    // Behind the last control comes the first one again.
    isOver ||= node === walked[0];
    if (isOver) return;
    const before = walked.at(-1);
    if (before?.isConnected && !follows(before, node)) wrong.push(`${nameOf(node)} comes behind ${nameOf(before)}`);
    const isMarked = (shown: Element | null | undefined) => {
      const { outlineStyle, outlineWidth } = shown ? getComputedStyle(shown) : { outlineStyle: "none" };
      return outlineStyle !== "none" && outlineWidth !== "0px";
    };
    // A text that is edited is marked by its editor's edge.
    if (!isMarked(node) && !isMarked(node.closest(".cm-editor"))) wrong.push(`${nameOf(node)} shows no focus`);
    walked.push(node);
  });
  const all = 'a[href], button, input, select, textarea, summary, [tabindex="0"], [contenteditable="true"]';
  const passedOver = () => {
    // What was drawn anew behind the walk is known by its name.
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
        // One of them has the focus; the arrows lead to the others.
        !(node.matches("[type=radio]") && radios.has(node.closest("form"))),
    );
  };
  Object.assign(window, {
    walk: () => ({
      length: walked.length,
      wrong: [...wrong, ...passedOver().map((node) => `${nameOf(node)} is passed over`)],
    }),
  });
}

/** Goes by Tab alone from one control to the next, from the first to the last, or to one far down a very long page. */
async function walksThrough(page: Page): Promise<void> {
  await page.evaluate(watchFocus);
  const walk = () => page.evaluate("walk()") as Promise<{ length: number; wrong: string[] }>;
  for (let before = -1, length = 0; length > before && length < 160; ) {
    before = length;
    for (let press = 0; press < 32; press++) await page.keyboard.press("Tab");
    ({ length } = await walk());
  }
  const { length, wrong } = await walk();
  assert.deepEqual(wrong, []);
  assert.ok(length > 8, `${length} controls`);
}

/** Square pixels of drawings that a reader sees before scrolling. */
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

/** Lines of code that are at work and that their box does not show. */
function hiddenLines(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    Array.from(document.querySelectorAll(".code-text"), (box) => {
      const { top, bottom, left, right } = box.getBoundingClientRect();
      const lines = Array.from(box.querySelectorAll(".active"));
      const isIn = (line: Element) => {
        const inner = line.getBoundingClientRect();
        return inner.top >= top - 1 && inner.bottom <= bottom + 1 && inner.left >= left - 1 && inner.right <= right + 1;
      };
      // Of lines far apart, the first.
      return lines.length > 0 && !isIn(lines[0]) ? [lines[0].textContent!] : [];
    }).flat(),
  );
}

/** A phone in the dark, whose reader wants no motion. Its cache holds what pages share. */
const phones = new Map<boolean, Promise<BrowserContext>>();
function phone(webgpu: boolean): Promise<BrowserContext> {
  const phone = { viewport: screen, hasTouch: true, isMobile: true };
  const reader = { ...phone, colorScheme: "dark", reducedMotion: "reduce" } as const;
  if (!phones.has(webgpu)) phones.set(webgpu, openContext({ webgpu, reader }));
  return phones.get(webgpu)!;
}

/** A chapter shows before it tells. */
async function opensWithFigure(page: Page): Promise<void> {
  const isEnough = (drawn: number) => drawn > 20_000;
  await until(() => drawnAtFirst(page), isEnough, "how many square pixels are drawn on the first screen");
}

describe("every page", () => {
  for (const path of paths) {
    it(`${path} is read on a phone in the dark, by keys alone, without motion and on a wide light screen, and asks nobody else`, async () => {
      const query = onGpu[path] ?? `engine=cpu&${job}`;
      const { page, complaints, foreign } = await watchPage(await phone(path in onGpu), `${path}?${query}`);
      await settles(page);
      const isChapter = /^\/learn\/./.test(path);
      if (isChapter) await opensWithFigure(page);
      await seesAll(page);
      await fitsScreen(page);
      const moving = await page.evaluate(() =>
        document.getAnimations().map(({ effect }) => (effect as KeyframeEffect).target?.className),
      );
      assert.deepEqual(moving, []);
      await isAccessible(page);
      assert.deepEqual(await hiddenLines(page), []);
      await page.setViewportSize(screen);
      await walksThrough(page);
      await answersTouchAndKeys(page);
      await byTouch[path]?.(page);
      await page.emulateMedia({ colorScheme: "light", reducedMotion: "no-preference" });
      await page.setViewportSize({ width: 1440, height: 900 });
      await settles(page);
      await fitsScreen(page);
      await isAccessible(page, true);
      if (isChapter) {
        await opensWithFigure(page);
        assert.deepEqual(await hiddenLines(page), []);
        const fonts = await page.evaluate(() =>
          Array.from(document.fonts, ({ family, status }) => `${family} ${status}`),
        );
        assert.deepEqual(fonts, ["Mathematics loaded"]);
      }
      assert.deepEqual([complaints, foreign], [[], []]);
      await page.close();
    });
  }
});
