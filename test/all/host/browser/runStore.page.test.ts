import assert from "node:assert/strict";
import { build } from "esbuild";
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, it } from "vitest";
import type { RunStore } from "../../../../src/host/browser/runStore.js";
import { openBrowser } from "../../../support/pages.js";
import { type StaticServer, serve } from "../../../support/server.js";

/** Globals of the page from the bundle and helpers. */
declare const store: RunStore;
declare function run(id: string, kind?: "kept" | "latest"): never;
declare function files(size: number, value: number): Record<string, Blob>;
declare const RunStores: { RunStore: typeof RunStore };

const helpers = `
  globalThis.run = (id, kind = "kept", storedAt = "2026-01-01") =>
    ({ id, kind, name: id, storedAt, description: { step: 1 }, until: 2 });
  globalThis.files = (size, value) => Object.fromEntries(
    ["a", "b", "film/c"].map((name) => [name, new Blob([new Uint8Array(size).fill(value)])]),
  );
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
    const seen = await other.evaluate(async () => {
      await store.rename("two", " second ");
      return {
        runs: (await store.kept()).map(({ id, name, bytes }) => [id, name, bytes]).sort(),
        names: await store.fileNames("one"),
        values: [...new Uint8Array(await (await store.file("two", "film/c"))!.arrayBuffer())].filter((v) => v !== 2),
      };
    });
    assert.deepEqual(seen.runs, [
      ["one", "one", 3000],
      ["two", "second", 6000],
    ]);
    assert.deepEqual(seen.names, ["a", "b", "film/c"]);
    assert.deepEqual(seen.values, []);
    await other.evaluate(() => store.delete("two"));
    const left = await page.evaluate(async () => [await store.bytes(), await store.fileNames("two")]);
    assert.deepEqual(left, [3000, []]);
    await other.close();
  });

  it("has the present names in the configs of runs that version 0.1.0 stored", async () => {
    const configs = await page.evaluate(async () => {
      const old = (id: string, kind?: "latest") =>
        Object.assign(run(id, kind) as object, {
          description: { step: 1, config: { preset: "seed", blobs: 5, composite: "white" } },
        });
      await store.put(old("old") as never, {});
      await store.put(old("old latest", "latest") as never, {});
      const stored = [...(await store.kept()), ...(await store.abandoned(() => false)), await store.get("old")];
      await Promise.all(["old", "old latest"].map((id) => store.delete(id)));
      return stored
        .filter((each) => each?.id.startsWith("old"))
        .map((each) => JSON.stringify(each!.description.config));
    });
    assert.deepEqual(configs, new Array(3).fill('{"preset":"baseline","blobs":5,"background":"white"}'));
  });

  it("rejects runs beyond its limit, names one to delete, and keeps the others", async () => {
    const refusal = await page.evaluate(async () => {
      await store.put(run("large"), files(2000, 3));
      return store.put(run("more"), files(1000, 4)).then(String, (error: Error) => error.message);
    });
    assert.equal(
      refusal,
      "The run takes 3 kB and the saved ones 9 kB, but the limit is 10 kB: delete saved runs first, such as large with 6 kB.",
    );
    const left = await page.evaluate(async () => {
      const ids = (await store.kept()).map(({ id }) => id).sort();
      await store.delete("large");
      return [ids, await store.fileNames("more")];
    });
    assert.deepEqual(left, [["large", "one"], []]);
  });

  it("rejects an unsaved run that is too large", async () => {
    const refusal = await page.evaluate(() =>
      store.put(run("huge", "latest"), files(2000, 5)).then(String, (error: Error) => error.message),
    );
    assert.equal(refusal, "the run takes 6 kB, and this browser stores at most 5 kB of one.");
    assert.deepEqual(await page.evaluate(() => store.fileNames("huge")), []);
  });

  it("keeps the old run if a write fails", async () => {
    const [message, values] = await page.evaluate(async () => {
      await store.put(run("page 1", "latest"), files(600, 1));
      await store.put(run("slot", "latest"), files(500, 1));
      const { put } = IDBObjectStore.prototype;
      let puts = 0;
      IDBObjectStore.prototype.put = function (...given) {
        if (++puts === 3) throw new DOMException("full", "QuotaExceededError");
        return put.apply(this, given);
      };
      const message = await store
        .put(run("slot", "latest"), files(700, 2))
        .then(String, (error: Error) => error.message);
      IDBObjectStore.prototype.put = put;
      const names = await store.fileNames("slot");
      const blobs = await Promise.all(names.map((name) => store.file("slot", name)));
      const bytes = await Promise.all(blobs.map((blob) => blob!.arrayBuffer()));
      return [message, bytes.map((some) => [some.byteLength, new Uint8Array(some)[0]])] as const;
    });
    const remedies =
      "delete runs in the lab's list of unsaved runs, such as page 1 with 2 kB, or delete runs in Compare's list of saved runs, such as one with 3 kB, or free space on the disk";
    assert.equal(message, `The browser has no space left for this site's data: ${remedies}.`);
    assert.deepEqual(values, [
      [500, 1],
      [500, 1],
      [500, 1],
    ]);
  });

  it("has either of two runs, and never a mixture, after its page is closed during a write", async () => {
    for (const value of [2, 3]) {
      const doomed = await open();
      await doomed.evaluate((next) => void store.put(run("slot", "latest"), files(1600, next)), value);
      await doomed.close();
      const seen = await page.evaluate(async () => {
        const names = await store.fileNames("slot");
        const blobs = await Promise.all(names.map((name) => store.file("slot", name)));
        const bytes = await Promise.all(blobs.map((blob) => blob!.arrayBuffer()));
        return bytes.map((some) => new Uint8Array(some)[0]);
      });
      assert.equal(seen.length, 3);
      assert.equal(new Set(seen).size, 1, `files of several runs: ${seen}`);
    }
  });

  it("has the run that its page stores as it is closed or left for another, unless it is too large", async () => {
    const stored: number[][] = [];
    for (const leave of [(left: Page) => left.close(), (left: Page) => left.goto("about:blank")]) {
      const left = await open();
      await left.evaluate(async () => {
        const roomy = await RunStores.RunStore.open({ kept: 0, latest: 20e6 });
        addEventListener("pagehide", () => {
          for (const size of [500, 300_000, 6_000_000]) roomy.putAtOnce(run(`left ${size}`, "latest"), files(size, 7));
          roomy.putAtOnce(run("left too large", "latest"), files(7_000_000, 7));
        });
      });
      await leave(left);
      stored.push(
        await page.evaluate(async () => {
          const left = (await store.abandoned(() => false)).filter(({ id }) => id.startsWith("left"));
          const blobs = await Promise.all(left.map(({ id }) => store.file(id, "film/c")));
          const bytes = await Promise.all(blobs.map((blob) => blob!.arrayBuffer()));
          await Promise.all(left.map(({ id }) => store.delete(id)));
          return bytes.filter((some) => new Uint8Array(some).every((value) => value === 7)).map((b) => b.byteLength);
        }),
      );
    }
    const sizes = [500, 300_000, 6_000_000];
    assert.deepEqual(
      stored.map((found) => found.sort((a, b) => a - b)),
      [sizes, sizes],
    );
  });

  it("lists the unsaved runs of closed pages: unfinished ones first, then latest first", async () => {
    const found = await page.evaluate(async () => {
      await store.delete("slot");
      const at = run as unknown as (id: string, kind: string, storedAt: string) => never;
      for (let day = 1; day <= 5; day++)
        await store.put(at(`page ${day}`, "latest", `2026-02-0${day}`), files(10, day));
      await store.put({ ...(at("ended", "latest", "2026-02-09") as object), until: 1 } as never, files(10, 9));
      const found = await store.abandoned((id) => id === "page 4");
      return [found.map(({ id }) => id), (await store.fileNames("page 1")).length];
    });
    assert.deepEqual(found, [["page 5", "page 3", "page 2", "page 1", "ended"], 3]);
  });
});
