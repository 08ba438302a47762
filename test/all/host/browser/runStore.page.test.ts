import assert from "node:assert/strict";
import { build } from "esbuild";
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, it } from "vitest";
import type { RunStore } from "../../../../src/host/browser/runStore.js";
import { openBrowser } from "../../../support/pages.js";
import { type StaticServer, serve } from "../../../support/server.js";

/** Globals of the page from the bundle and helpers. */
declare const store: RunStore;
declare function run(id: string, kind?: "kept" | "latest", storedAt?: string): never;
declare function files(size: number, value: number): Record<string, Blob>;
declare function valuesOf(id: string): Promise<number[]>;
declare const RunStores: { RunStore: typeof RunStore };

const helpers = `
  globalThis.run = (id, kind = "kept", storedAt = "2026-01-01") =>
    ({ id, kind, name: id, storedAt, description: { step: 1 }, until: 2 });
  globalThis.files = (size, value) => Object.fromEntries(
    ["a", "b", "film/c"].map((name) => [name, new Blob([new Uint8Array(size).fill(value)])]),
  );
  // The values of all bytes of a run's files.
  globalThis.valuesOf = async (id) => {
    const names = await store.fileNames(id);
    const blobs = await Promise.all(names.map((name) => store.file(id, name)));
    const bytes = await Promise.all(blobs.map((blob) => blob.arrayBuffer()));
    return [...new Set(bytes.flatMap((some) => [...new Uint8Array(some)]))];
  };
`;

describe("RunStore", () => {
  let server: StaticServer;
  let context: BrowserContext;
  let bundle: string;
  let page: Page;

  /** Opens a page of the same browser profile, with a store of 10 kB. */
  const open = async () => {
    const opened = await context.newPage();
    await opened.goto(`${server.origin}/images/LICENCES.txt`);
    await opened.evaluate(bundle + helpers);
    await opened.evaluate(async () => {
      Object.assign(globalThis, { store: await RunStores.RunStore.open({ kept: 10_000, latest: 5_000 }) });
    });
    return opened;
  };

  beforeAll(async () => {
    const { outputFiles } = await build({
      entryPoints: ["src/host/browser/runStore.ts"],
      bundle: true,
      format: "iife",
      globalName: "RunStores",
      // In an evaluated script, a var would not become global.
      footer: { js: "globalThis.RunStores = RunStores;" },
      write: false,
    });
    bundle = outputFiles[0].text;
    server = await serve("data");
    context = await (await openBrowser()).newContext();
    page = await open();
  });
  afterAll(async () => {
    await server?.close();
  });

  it("saves runs and their files for other pages, and frees deleted ones", async () => {
    await page.evaluate(async () => {
      await store.put(run("one"), files(1000, 1));
      await store.put(run("two"), files(2000, 2));
    });
    const other = await open();
    const runs = await other.evaluate(async () => {
      await store.rename("two", " second ");
      return (await store.kept()).map(({ id, name, bytes }) => [id, name, bytes]).sort();
    });
    assert.deepEqual(runs, [
      ["one", "one", 3000],
      ["two", "second", 6000],
    ]);
    assert.deepEqual(await other.evaluate(() => valuesOf("two")), [2]);
    await other.evaluate(() => store.delete("two"));
    assert.deepEqual(await page.evaluate(async () => [await store.bytes(), await store.fileNames("two")]), [3000, []]);
    await other.close();
  });

  it("has the present names in the configs of runs that version 0.1.0 stored", async () => {
    const config = await page.evaluate(async () => {
      const description = { step: 1, config: { preset: "seed", blobs: 5, composite: "white" } };
      await store.put(Object.assign(run("old") as object, { description }) as never, {});
      const stored = await store.get("old");
      await store.delete("old");
      return JSON.stringify(stored!.description.config);
    });
    assert.equal(config, '{"preset":"baseline","blobs":5,"background":"white"}');
  });

  it("rejects runs beyond its limits, names one to delete, and keeps the others", async () => {
    const refusals = await page.evaluate(async () => {
      await store.put(run("large"), files(2000, 3));
      const refusal = (run: never, size: number) =>
        store.put(run, files(size, 4)).then(String, (error: Error) => error.message);
      return [await refusal(run("more"), 1000), await refusal(run("huge", "latest"), 2000)];
    });
    assert.deepEqual(refusals, [
      "The run takes 3 kB and the saved ones 9 kB, but the limit is 10 kB: delete saved runs first, such as large with 6 kB.",
      "the run takes 6 kB, and this browser stores at most 5 kB of one.",
    ]);
    const left = await page.evaluate(async () => [await valuesOf("large"), await store.fileNames("more")]);
    assert.deepEqual(left, [[3], []]);
    await page.evaluate(() => store.delete("large"));
  });

  it("keeps the old run if a write fails, and says what frees space", async () => {
    const message = await page.evaluate(async () => {
      await store.put(run("slot", "latest"), files(500, 1));
      const { put } = IDBObjectStore.prototype;
      let puts = 0;
      IDBObjectStore.prototype.put = function (...given) {
        if (++puts === 3) throw new DOMException("full", "QuotaExceededError");
        return put.apply(this, given);
      };
      const stored = store.put(run("slot", "latest"), files(700, 2));
      const message = await stored.then(String, (error: Error) => error.message);
      IDBObjectStore.prototype.put = put;
      return message;
    });
    const remedies = "delete runs in Compare's list of saved runs, such as one with 3 kB, or free space on the disk";
    assert.equal(message, `The browser has no space left for this site's data: ${remedies}.`);
    assert.deepEqual(await page.evaluate(() => valuesOf("slot")), [1]);
  });

  it("has either of two runs, and never a mixture, after its page is closed during a write", async () => {
    for (const value of [2, 3]) {
      const doomed = await open();
      await doomed.evaluate((next) => void store.put(run("slot", "latest"), files(1600, next)), value);
      await doomed.close();
      assert.equal((await page.evaluate(() => valuesOf("slot"))).length, 1);
    }
  });

  it("has the small run that its page stores as it is closed or left for another", async () => {
    for (const leave of [(left: Page) => left.close(), (left: Page) => left.goto("about:blank")]) {
      const left = await open();
      await left.evaluate(() => {
        addEventListener("pagehide", () => store.putAtOnce(run("slot", "latest"), files(500, 7)));
      });
      await page.evaluate(() => store.put(run("slot", "latest"), files(600, 6)));
      await leave(left);
      assert.deepEqual(await page.evaluate(() => valuesOf("slot")), [7]);
    }
  });

  it("lists the unsaved runs of closed pages: unfinished ones first, then latest first", async () => {
    const found = await page.evaluate(async () => {
      await store.delete("slot");
      for (let day = 1; day <= 4; day++)
        await store.put(run(`page ${day}`, "latest", `2026-02-0${day}`), files(9, day));
      const ended = { ...(run("ended", "latest", "2026-02-09") as object), until: 1 };
      await store.put(ended as never, files(9, 9));
      return (await store.abandoned((id) => id === "page 3")).map(({ id }) => id);
    });
    assert.deepEqual(found, ["page 4", "page 2", "page 1", "ended"]);
  });
});
