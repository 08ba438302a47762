import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
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
    assert.deepEqual([complaints, foreign], [[], []]);
    await page.context().close();
  });
});
