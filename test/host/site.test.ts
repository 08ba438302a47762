import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import type { Browser } from "playwright-core";
import { projectRoot } from "../../src/cli/install.js";
import { launchBrowser, openPage } from "../support/browser.js";
import { type StaticServer, serve } from "../support/server.js";
import { builtSite } from "../support/site.js";

describe("the built site", () => {
  let site: string;
  let server: StaticServer;
  let browser: Browser;
  /** It draws its pages without a GPU that a CPU plays, which is quicker. */
  let plain: Browser;
  let pages: string[];
  before(async () => {
    site = await builtSite();
    server = await serve(site);
    browser = await launchBrowser();
    plain = await launchBrowser({ webgpu: false });
    pages = files(".html").map((file) => `/${file.replaceAll("\\", "/").slice(0, -".html".length)}`);
  });
  after(async () => {
    await browser?.close();
    await plain?.close();
    await server?.close();
  });

  function files(extension: string): string[] {
    return readdirSync(site, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(extension));
  }

  it("asks nobody but its own origin, and its console stays clean, on each page that has no test of its own", async () => {
    const visit = async (path: string) => {
      const { page, complaints, foreign } = await openPage(
        plain,
        server.origin + path,
        "delete Navigator.prototype.gpu",
      );
      await page.waitForLoadState("networkidle");
      assert.deepEqual(foreign, [], `${path} asked other origins`);
      assert.deepEqual(complaints, [], `${path} complained`);
      await page.context().close();
    };
    // The tests of pages end with just this.
    const others = pages.filter((path) => !existsSync(join(projectRoot, "test", "pages", `${path}.test.ts`)));
    assert.ok(others.includes("/index") && others.length < pages.length, others.join());
    // Half of them at once: each waits long for nothing to come.
    await Promise.all(
      [0, 1].map(async (half) => {
        for (const [i, path] of others.entries()) if (i % 2 === half) await visit(path);
      }),
    );
  });

  it("loads no script, style, font or picture from another origin, whatever the reader does", () => {
    const loads =
      /(?:\b(?:src|srcset)=|<link\b[^>]*\bhref=|@import\s|url\(|\bimport\(|\bfrom\s*|\bimport\s*)["'(]*https?:\/\/[^"')\s]+/g;
    const found = [".html", ".css", ".js"]
      .flatMap(files)
      .flatMap((file) => (readFileSync(join(site, file), "utf8").match(loads) ?? []).map((text) => `${file}: ${text}`));
    assert.deepEqual(found, []);
  });

  it("serves pages whose browser has WebGPU, on a software adapter where need be", async () => {
    const { page } = await openPage(browser, server.origin);
    const vendor = await page.evaluate(async () => (await navigator.gpu.requestAdapter())?.info.vendor);
    assert.ok(vendor, "no adapter");
    await page.context().close();
  });

  it("can be opened in a browser that has no adapter", async () => {
    const { page } = await openPage(plain, server.origin);
    assert.equal(await page.evaluate(() => navigator.gpu.requestAdapter()), null);
    await page.context().close();
  });

  it("can be opened in a browser that knows no WebGPU", async () => {
    const { page } = await openPage(browser, server.origin, "delete Navigator.prototype.gpu");
    assert.equal(await page.evaluate(() => "gpu" in navigator), false);
    await page.context().close();
  });
});
