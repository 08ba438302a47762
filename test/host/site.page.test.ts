import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, inject, it } from "vitest";
import { cellErrors, dist } from "../../src/cli/framework.js";
import { projectRoot } from "../../src/cli/install.js";
import { openContext, openPage } from "../support/pages.js";

describe("the built site", () => {
  let pages: string[];
  beforeAll(async () => {
    const response = await fetch(inject("site"));
    assert.ok(response.ok, await response.text());
    pages = files(".html").map((file) => `/${file.replaceAll("\\", "/").slice(0, -".html".length)}`);
  });

  function files(extension: string): string[] {
    return readdirSync(dist, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(extension));
  }

  it("is built from cells that parse", () => {
    assert.deepEqual(cellErrors(dist), []);
  });

  it("asks nobody but its own origin, and its console stays clean, on each page that has no test of its own", async () => {
    const visit = async (path: string) => {
      const { page, complaints, foreign } = await openPage(path, { webgpu: false });
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

  it("would be seen asking another origin", async () => {
    const { page, foreign } = await openPage("/learn/", { webgpu: false });
    const told = page.waitForEvent("console");
    await page.evaluate(() => fetch("https://example.org/cat.png").catch(() => {}));
    await told;
    assert.deepEqual(foreign, ["https://example.org/cat.png"]);
    await page.context().close();
  });

  it("loads no script, style, font or picture from another origin, whatever the reader does", () => {
    const loads =
      /(?:\b(?:src|srcset)=|<link\b[^>]*\bhref=|@import\s|url\(|\bimport\(|\bfrom\s*|\bimport\s*)["'(]*https?:\/\/[^"')\s]+/g;
    const found = [".html", ".css", ".js"]
      .flatMap(files)
      .flatMap((file) => (readFileSync(join(dist, file), "utf8").match(loads) ?? []).map((text) => `${file}: ${text}`));
    assert.deepEqual(found, []);
  });

  it("serves pages whose browser has WebGPU, on a software adapter where need be", async () => {
    const { page } = await openPage("/");
    const vendor = await page.evaluate(async () => (await navigator.gpu.requestAdapter())?.info.vendor);
    assert.ok(vendor, "no adapter");
    await page.context().close();
  });

  it("says so in a browser that has WebGPU and no adapter, and trains there", async () => {
    const noAdapter = "GPU.prototype.requestAdapter = async () => null;";
    const context = await openContext({ script: noAdapter });
    await context.route(/\/engineWorker\./, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: `${noAdapter}\n${await response.text()}` });
    });
    const page = await context.newPage();
    await page.goto("/?blobs=8&steps=4&size=16");
    await page.getByText("This browser has WebGPU, but no adapter for it.").waitFor();
    await page.locator('.run-bar[data-state="done"]').waitFor();
    await context.close();
  });

  it("says so in a browser that knows no WebGPU", async () => {
    const { page } = await openPage("/?blobs=8&steps=4&size=16", { webgpu: false });
    assert.equal(await page.evaluate(() => "gpu" in navigator), false);
    await page.getByText("This browser has no WebGPU.").waitFor();
    await page.context().close();
  });
});
