import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, it } from "vitest";
import { isAccessible, openPage } from "../support/pages.js";

describe("what is where", () => {
  it("leads to every section of every page, names the figures, and finds words of all pages", async () => {
    const { page, complaints, foreign } = await openPage("/where", { webgpu: false });
    const links = page.locator(".where dd a");
    await links.nth(60).waitFor();
    const lost: string[] = [];
    const addresses = await links.evaluateAll((nodes) => nodes.map((node) => (node as HTMLAnchorElement).href));
    for (const { pathname, hash } of addresses.map((address) => new URL(address))) {
      const html = await readFile(`dist${pathname.replace(/\/$/, "/index")}.html`, "utf8");
      if (!html.includes(` id="${decodeURIComponent(hash.slice(1))}"`)) lost.push(pathname + hash);
    }
    assert.deepEqual(lost, []);
    assert.ok((await page.locator(".where em").count()) > 20);

    await page.getByRole("searchbox", { name: "Search" }).fill("painters");
    const mark = page.locator("mark").first();
    await mark.waitFor();
    assert.equal(await mark.innerText(), "Painters");
    const found = await links.evaluateAll((nodes) => nodes.map((node) => (node as HTMLAnchorElement).pathname));
    assert.ok(found.length > 0 && found.every((path) => path.startsWith("/learn/")), found.join());
    await page.getByRole("searchbox").fill("xyzzy");
    await page.getByText("0 results").waitFor();
    assert.equal(await links.count(), 0);
    await isAccessible(page);

    await page.goto(page.url());
    await page.keyboard.press("Tab");
    assert.ok(await page.getByRole("link", { name: "To the page" }).isVisible());
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    assert.ok(await page.getByRole("main").evaluate((main) => main.contains(document.activeElement)));
    assert.deepEqual([complaints, foreign], [[], []]);
    await page.context().close();
  });

  it("is told of each page, by a description of its own and an icon that is there", async () => {
    const pages = (await readdir("dist", { recursive: true })).filter((file) => file.endsWith(".html"));
    const told = await Promise.all(
      pages.map(async (file) => {
        const html = await readFile(join("dist", file), "utf8");
        const [, icon] = /<link rel="icon" href="([^"]+)"/.exec(html)!;
        await readFile(join("dist", dirname(file), icon));
        return /<meta name="description" content="([^"]+)"/.exec(html)![1];
      }),
    );
    // Recorded runs share theirs.
    const runs = pages.filter((file) => /^reports.(?!index)/.test(file)).length;
    assert.equal(new Set(told).size, pages.length - runs + 1);
  });
});
