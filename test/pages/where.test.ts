import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, it } from "vitest";
import { assertAccessible, openPage, until } from "../support/pages.js";

describe("the index", () => {
  it("leads to every section of every page, names the figures, and finds words of all pages", async () => {
    const { page, complaints, foreignRequests: foreign } = await openPage("/where", { webgpu: false });
    const cards = page.getByRole("article");
    const links = cards.locator("summary + ul a");
    await links.nth(60).waitFor({ state: "attached" });
    assert.ok((await cards.last().boundingBox())!.y < 900, "all pages start on one screen");
    for (const image of await cards.locator("img").all()) {
      await image.scrollIntoViewIfNeeded();
      await until(
        () => image.evaluate((node: HTMLImageElement) => node.naturalHeight),
        (high) => high === 400,
        "a loaded image",
      );
    }
    assert.ok((await cards.locator("img").count()) >= 17);
    const lost: string[] = [];
    const addresses = await links.evaluateAll((nodes) => nodes.map((node) => (node as HTMLAnchorElement).href));
    for (const { pathname, hash } of addresses.map((address) => new URL(address))) {
      const html = await readFile(`dist${pathname.replace(/\/$/, "/index.html")}`, "utf8");
      if (hash && !html.includes(` id="${decodeURIComponent(hash.slice(1))}"`)) lost.push(pathname + hash);
    }
    assert.deepEqual(lost, []);
    assert.ok((await cards.locator("em a[href*='#figure-']").count()) > 60);

    await page.getByRole("searchbox", { name: "Search" }).fill("painters");
    const mark = page.locator("mark").first();
    await mark.waitFor();
    assert.equal(await mark.innerText(), "Painters");
    assert.equal(await mark.isVisible(), true);
    const found = await links.evaluateAll((nodes) => nodes.map((node) => (node as HTMLAnchorElement).pathname));
    assert.ok(found.length > 0 && found.every((path) => path.startsWith("/learn/")), found.join());
    await page.getByRole("searchbox").fill("xyzzy");
    await page.getByText("0 sections").waitFor();
    await links.first().waitFor({ state: "detached" });
    await assertAccessible(page);

    // From a figure, which stays at its position whatever is drawn above it, to its line here, and back. Layout shift of
    // that page is not tested here.
    const chapter = await page.context().newPage();
    await chapter.goto("/learn/blending?blobs=40&steps=60&size=32#figure-weights-of-the-blobs");
    const place = chapter.locator(":target");
    await chapter.locator("#figure-weights-of-the-blobs ~ div svg").first().waitFor();
    const top = () => place.evaluate((node) => Math.round(node.getBoundingClientRect().top));
    await until(top, (at) => Math.abs(at - 72) < 20, "the figure's place in the window");
    // A dragged scroll bar causes only scroll events.
    await chapter.evaluate(async () => {
      const frame = () => new Promise(requestAnimationFrame);
      for (let i = 0; i < 10; i++) {
        scrollBy({ top: 40, behavior: "instant" });
        await frame();
      }
      document.querySelector("main")!.append(Object.assign(document.createElement("p"), { textContent: "more" }));
      for (let i = 0; i < 3; i++) await frame();
    });
    assert.ok((await top()) < -200, "the reader's scroll position stays");
    await place.getByText("In a cell").click();
    assert.match(
      await place.locator("pre").first().innerText(),
      /^display\(figure\(\n {2}\{title: "Weights of the blobs"/,
    );
    assert.equal(
      await place.locator("pre").last().innerText(),
      'import {setInputValue, figure} from "/figures.js";\nimport {weightChart} from "/learn/blending.js";',
    );
    await place.getByRole("link", { name: "Index" }).click();
    await chapter.locator('[aria-current="true"]').getByRole("link", { name: "Weights of the blobs" }).click();
    await chapter.waitForURL("**/learn/blending.html#figure-weights-of-the-blobs");
    await chapter.close();

    await page.goto("/where");
    await page.keyboard.press("Tab");
    assert.ok(await page.getByRole("link", { name: "To the page" }).isVisible());
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    assert.ok(await page.getByRole("main").evaluate((main) => main.contains(document.activeElement)));
    // The page is painted before it has loaded completely.
    const wide = () => page.evaluate(() => getComputedStyle(document.body).maxWidth);
    const before = await wide();
    await page.evaluate(() => document.querySelector("main")!.replaceChildren());
    assert.equal(await wide(), before);
    assert.deepEqual([complaints, foreign], [[], []]);
    await page.context().close();
  });

  it("gives each page its own description and an existing icon", async () => {
    const pages = (await readdir("dist", { recursive: true })).filter((file) => file.endsWith(".html"));
    const descriptions = await Promise.all(
      pages.map(async (file) => {
        const html = await readFile(join("dist", file), "utf8");
        const [, icon] = /<link rel="icon" href="([^"]+)"/.exec(html)!;
        await readFile(join("dist", dirname(file), icon));
        return /<meta name="description" content="([^"]+)"/.exec(html)![1];
      }),
    );
    // Recorded runs share a description.
    const runs = pages.filter((file) => /^reports.(?!index)/.test(file)).length;
    assert.equal(new Set(descriptions).size, pages.length - runs + 1);
  });
});
