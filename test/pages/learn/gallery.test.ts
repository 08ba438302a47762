import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { it } from "vitest";
import { openPage } from "../../support/pages.js";

it("what is where leads to every section of every page, and names the figures", async () => {
  const { page, complaints, foreign } = await openPage("/learn/gallery", { webgpu: false });
  await page.locator(".where dt").nth(14).waitFor();
  const links = await page
    .locator(".where dd a")
    .evaluateAll((nodes) => nodes.map((node) => new URL((node as HTMLAnchorElement).href)));
  assert.ok(links.length > 60, `${links.length} links`);
  const lost: string[] = [];
  for (const { pathname, hash } of links) {
    const html = await readFile(`dist${pathname === "/" ? "/index" : pathname}.html`, "utf8");
    if (!html.includes(` id="${decodeURIComponent(hash.slice(1))}"`)) lost.push(pathname + hash);
  }
  assert.deepEqual(lost, []);
  assert.ok((await page.locator(".where em").count()) > 20);
  assert.deepEqual([complaints, foreign], [[], []]);
  await page.context().close();
});
