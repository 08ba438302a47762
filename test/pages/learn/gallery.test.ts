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
    const chapters = "workgroups tiles sorting gradients adam step realtime".split(" ");
    const texts = await Promise.all(chapters.map((name) => readFile(`src/learn/${name}.md`, "utf8")));
    const used = texts.join("\n").matchAll(/display\((\w+(?:Figure|Flow|Timeline|Picker|Path|Pair))\(/g);
    const missing = [...used].map(([, name]) => name).filter((name) => !shown.includes(name));
    assert.deepEqual(missing, []);
    assert.equal(shown.length, source.match(/```js echo\ndisplay/g)!.length, "a cell of more than one line");
  });

  it("draws each of them, titled and described", async () => {
    // The costs of the network are a table.
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

  it("lets the reader change a figure's cell", async () => {
    await page.getByRole("button", { name: "Edit the cells" }).click();
    const network = page.getByRole("figure").filter({ hasText: "The comparison network" });
    await network.getByText("6 passes of 4 comparators: 24 in all.").waitFor();
    const cell = page.locator(".cell-tools").filter({ hasText: "networkFigure" }).last();
    await cell.getByRole("button", { name: "Edit" }).click();
    await cell.locator(".cm-content").fill("display(networkFigure({n: 4}));");
    await cell.locator(".cm-content").press("Control+Enter");
    await network.getByText("3 passes of 2 comparators: 6 in all.").waitFor();
  });

  it("has complained of nothing, and asked nobody but its own origin", () => {
    assert.deepEqual([watched.complaints, watched.foreign], [[], []]);
  });
});
