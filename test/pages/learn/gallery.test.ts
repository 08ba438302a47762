import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { beforeAll, describe, it } from "vitest";
import { openPage, type WatchedPage } from "../../support/pages.js";

const source = await readFile("src/learn/gallery.md", "utf8");
/** What its cells show, each in one line. */
const shown = Array.from(source.matchAll(/```js echo\ndisplay\((\w+)\(.*\)\);\n```/g), ([, name]) => name);

describe("the gallery of figures", () => {
  let watched: WatchedPage;
  let page: Page;
  beforeAll(async () => {
    watched = await openPage(`/learn/gallery?engine=cpu&steps=100`, { webgpu: false });
    page = watched.page;
  });

  it("shows every figure that a chapter shows, with one line", async () => {
    const chapters = "tiles blending undo gradients adam step realtime".split(" ");
    const texts = await Promise.all(chapters.map((name) => readFile(`src/learn/${name}.md`, "utf8")));
    const used = texts.join("\n").matchAll(/display\((\w+(?:Figure|Flow|Timeline|Picker|Path|Pair))\(/g);
    const missing = [...used].map(([, name]) => name).filter((name) => !shown.includes(name));
    assert.deepEqual(missing, []);
    assert.equal(shown.length, source.match(/```js echo\ndisplay/g)!.length, "a cell of more than one line");
  });

  it("draws each of them, titled and described", async () => {
    // A pair of adjoints is code.
    const count = shown.length - 1;
    await page.waitForFunction((count) => document.querySelectorAll("figure.learn-figure").length >= count, count);
    const figures = page.locator("figure.learn-figure");
    const told = await figures.evaluateAll((nodes) =>
      nodes.map((node) => {
        const description = document.getElementById(node.getAttribute("aria-describedby") ?? "");
        return [node.querySelector("figcaption strong")?.textContent, description?.textContent].map(
          (text) => (text ?? "").length,
        );
      }),
    );
    assert.ok(
      told.every(([title, description]) => title > 4 && description > 20),
      JSON.stringify(told),
    );
    assert.equal(await page.locator(".observablehq--error").count(), 0);
  });

  it("leads to each of them", async () => {
    const links = page.locator(".page-contents a");
    const targets = await links.evaluateAll((nodes) => nodes.map((node) => node.getAttribute("href")!));
    assert.ok(targets.length > shown.length, `${targets.length} links`);
    for (const target of targets) assert.equal(await page.locator(target).count(), 1, target);
  });

  it("has complained of nothing, and asked nobody but its own origin", () => {
    assert.deepEqual([watched.complaints, watched.foreign], [[], []]);
  });
});
