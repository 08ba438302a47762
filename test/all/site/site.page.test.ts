import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import type { Page } from "playwright-core";
import { beforeAll, describe, inject, it } from "vitest";
import { cellErrors, dist } from "../../../src/site/framework.js";
import { openContext, openPage, waitForRun } from "../../support/pages.js";
import { serve } from "../../support/server.js";

/** In the page: tries what its policy forbids, and finally something allowed; returns what succeeded. */
function tryForbidden(): Promise<[what: string, isDone: boolean][]> {
  const make = <K extends keyof HTMLElementTagNameMap>(tag: K, properties: Partial<HTMLElementTagNameMap[K]>) =>
    Object.assign(document.createElement(tag), properties);
  const yielding = { createHTML: (text: string) => text, createScriptURL: (text: string) => text };
  const wasRun = () => {
    if (!("wasRun" in window)) throw new Error("it did not run");
  };
  const attempts: Record<string, () => unknown> = {
    "ask another origin": () => fetch("https://example.org/cat.png"),
    "show another origin's image": () => make("img", { src: "https://example.org/dog.png" }).decode(),
    "evaluate text": () => new Function("return 1")(),
    "run an inline script": () => {
      const script = document.createElement("script");
      script.append("window.wasRun = true");
      document.body.append(script);
      wasRun();
    },
    "set a handler": () => {
      document.body.setAttribute("onclick", "window.wasRun = true");
      document.body.click();
      wasRun();
    },
    "set a script's address": () => make("script", { src: "/_import/x.js" }),
    "bring a handler by text": () => document.body.insertAdjacentHTML("beforeend", '<i onclick="go()">'),
    "bring a script by text": () => make("p", { innerHTML: "<svg><script>go()</script></svg>" }),
    "parse a script": () => new DOMParser().parseFromString("<script>go()</script>", "text/html"),
    "bring a handler of a form with inputs named like its properties": () =>
      make("p", { innerHTML: "<foreignObject><form onclick=go()><input name=attributes><input name=attributes>" }),
    "bring an address that is script": () => make("p", { innerHTML: "<a href='java\nscript:go()'>" }),
    "bring a frame": () => make("p", { innerHTML: "<iframe srcdoc='<b>'>" }),
    "bring a handler that SVG alone reads": () => {
      const g = document.createElementNS("http://www.w3.org/2000/svg", "g");
      g.innerHTML = "<style><img onerror=go()></style>";
    },
    "start another origin's worker": () => new Worker("https://example.org/worker.js"),
    "register a service worker": () => navigator.serviceWorker.register("/_import/x.js"),
    "make a policy": () => window.trustedTypes!.createPolicy("default", yielding),
    "make a policy in a frame": () => {
      const frame = document.body.appendChild(document.createElement("iframe"));
      frame.contentWindow!.trustedTypes!.createPolicy("default", yielding);
    },
    "text without script": () =>
      make("p", {
        innerHTML:
          "<b title='on=1'>onclick=</b><!--::1--><i onclick=::2></i><form><input name=attributes></form><a href='https://example.org'>",
      }),
  };
  // Code evaluated by the debugger has more rights, so the attempts start after it has ended.
  return new Promise((resolve) =>
    setTimeout(async () => {
      const outcomes: [string, boolean][] = [];
      for (const [what, attempt] of Object.entries(attempts)) {
        try {
          await attempt();
          outcomes.push([what, true]);
        } catch {
          outcomes.push([what, false]);
        }
      }
      resolve(outcomes);
    }),
  );
}

describe("the built site", () => {
  let page: Page;
  beforeAll(async () => {
    const response = await fetch(inject("site"));
    assert.ok(response.ok, await response.text());
    ({ page } = await openPage("/learn/"));
  });

  function files(extension: string): string[] {
    return readdirSync(dist, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(extension));
  }

  it("has no cell with a syntax error", () => {
    assert.deepEqual(cellErrors(dist), []);
  });

  it("links to files by their names, so it works on a host that adds no extension", () => {
    const isFile = (path: string) => statSync(path, { throwIfNoEntry: false })?.isFile();
    const lost = files(".html").flatMap((file) => {
      const html = readFileSync(join(dist, file), "utf8");
      const links = html.matchAll(/<a\b[^>]* href="(?!\w+:|#)([^"?#]*)/g);
      const paths = Array.from(links, ([, path]) => join(dist, file, "..", path.replace(/(^|\/)$/, "$1index.html")));
      assert.ok(paths.length > (html.includes("<title>Page moved") ? 0 : 1), file);
      return paths.filter((path) => !isFile(path)).map((path) => `${file}: ${relative(dist, path)}`);
    });
    assert.deepEqual(lost, []);
    assert.ok(isFile(join(dist, ".nojekyll")));
  });

  it("works below a path of a plain file server, which shows 404.html for other addresses", async () => {
    const server = await serve(dist, undefined, "/some/where");
    const { page, complaints } = await openPage(`${server.origin}/some/where/reports/`, { webgpu: false });
    await page.getByRole("link", { name: "astronaut-seed" }).click();
    await page.getByRole("link", { name: "Compare with other runs" }).click();
    await page.getByRole("heading", { level: 1, name: "Compare" }).waitFor();
    assert.match(page.url(), /\/some\/where\/compare\.html\?run=astronaut-seed$/);
    await page.getByRole("link", { name: "Docs", exact: true }).click();
    await page.getByRole("link", { name: "Publishing" }).first().click();
    await page.getByRole("heading", { level: 1, name: "Publishing" }).waitFor();
    assert.match(page.url(), /\/some\/where\/docs\/publishing\.html$/);
    assert.deepEqual(complaints, []);
    // Without an extension, as the links of earlier versions.
    await page.goto(`${server.origin}/some/where/learn/undo?blobs=4#exercises`);
    await page.waitForURL("**/some/where/learn/undo.html?blobs=4#exercises");
    await page.goto(`${server.origin}/some/where/learn/deep/nothing.html`);
    const address = await page
      .getByRole("link", { name: "documentation" })
      .evaluate(async (node: HTMLAnchorElement) => {
        while (!node.pathname.endsWith("/some/where/docs/")) await new Promise(requestAnimationFrame);
        return node.href;
      });
    assert.equal(address, `${server.origin}/some/where/docs/`);
    complaints.splice(0);
    await page.context().close();
    await server.close();
  });

  it("has a link that skips its navigation", async () => {
    const { page } = await openPage("/docs/", { webgpu: false });
    await page.keyboard.press("Tab");
    assert.ok(await page.getByRole("link", { name: "To the page" }).isVisible());
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    assert.ok(await page.getByRole("main").evaluate((main) => main.contains(document.activeElement)));
    await page.context().close();
  });

  it("enforces its policy, and reports violations", async () => {
    const {
      page,
      complaints,
      foreignRequests: foreign,
    } = await openPage("/learn/", { webgpu: false, allowsViolations: true });
    const outcomes = await page.evaluate(tryForbidden);
    const [done, refused] = [true, false].map((isDone) => outcomes.filter(([, is]) => is === isDone));
    assert.deepEqual(done, [["text without script", true]]);
    assert.equal(refused.length, 17);
    for (const report of ["directive: \"connect-src 'self' data: blob:\"", "requires 'TrustedScript' assignment"]) {
      assert.ok(complaints.join("\n").includes(report), report);
    }
    // As text, since the test's loader would rewrite an import.
    const script = "https://example.org/module.js";
    assert.equal(await page.evaluate(`import("${script}").catch(() => "refused")`), "refused");
    assert.deepEqual(foreign.splice(0), ["https://example.org/cat.png", "https://example.org/dog.png", script]);
    complaints.splice(0);
    await page.context().close();
  });

  it("cannot be framed and is isolated from its opener, if its host sends the headers of _headers", async () => {
    const { headers } = await fetch(inject("site"));
    assert.equal(headers.get("content-security-policy"), "frame-ancestors 'none'");
    assert.ok(await page.evaluate(() => crossOriginIsolated));
  });

  it("loads no script, style, font or image from another origin", () => {
    const loads =
      /(?:\b(?:src|srcset)=|<link\b[^>]*\bhref=|@import\s|url\(|\bimport\(|\bfrom\s*|\bimport\s*)["'(]*https?:\/\/[^"')\s]+/g;
    const found = [".html", ".css", ".js"]
      .flatMap(files)
      .flatMap((file) => (readFileSync(join(dist, file), "utf8").match(loads) ?? []).map((text) => `${file}: ${text}`));
    assert.deepEqual(found, []);
  });

  it("trains in a browser that has WebGPU but no adapter, and shows the reason", async () => {
    const noAdapter = "GPU.prototype.requestAdapter = async () => null;";
    const context = await openContext({ script: noAdapter });
    await context.route(/\/engineWorker\./, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: `${noAdapter}\n${await response.text()}` });
    });
    const page = await context.newPage();
    await page.goto("/?blobs=8&steps=4&size=16");
    await page.getByText("WebGPU has no adapter here.").waitFor();
    await waitForRun(page, "Done");
    await context.close();
  });
});
