import assert from "node:assert/strict";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, it } from "vitest";
import type { SweepStore } from "../../../src/components/sweep/sweepStore.js";
import { completeConfig } from "../../../src/engine/config.js";
import { openBrowser } from "../../support/pages.js";
import { type StaticServer, serve } from "../../support/server.js";

/** What the page has of the bundle. */
declare const Stores: { SweepStore: typeof SweepStore };

describe("SweepStore", () => {
  let server: StaticServer;
  beforeAll(async () => {
    server = await serve("data");
  });
  afterAll(async () => {
    await server?.close();
  });

  it("has what version 0.1.0 kept under configs with old names", async () => {
    const { outputFiles } = await build({
      entryPoints: ["src/components/sweep/sweepStore.ts"],
      bundle: true,
      format: "iife",
      globalName: "Stores",
      // Evaluated, a var would stay within.
      footer: { js: "globalThis.Stores = Stores;" },
      write: false,
    });
    const config = JSON.stringify(completeConfig({ blobs: 5 }));
    const present = `8x4-0123abcd ${config}`;
    const old = present
      .replace('"preset":"baseline"', '"preset":"seed"')
      .replace('"background":"original"', '"composite":"seed"');
    const context = await (await openBrowser()).newContext();
    const page = await context.newPage();
    await page.goto(`${server.origin}/images/LICENCES.txt`);
    await page.evaluate(outputFiles[0].text);
    const results = await page.evaluate(
      async ([old, present]) => {
        const answer = <T>(asked: IDBRequest<T>) =>
          new Promise<T>((done) => {
            asked.onsuccess = () => done(asked.result);
          });
        const opening = indexedDB.open("splatbook-sweeps", 1);
        opening.onupgradeneeded = () => {
          for (const name of ["runs", "pictures"])
            opening.result.createObjectStore(name).createIndex("keptAt", "keptAt");
        };
        const db = await answer(opening);
        const runs = () => db.transaction("runs", "readwrite").objectStore("runs");
        for (const key of [old, "no config"]) await answer(runs().put({ keptAt: 1, result: { psnr: 30 } }, key));
        db.close();
        const store = new Stores.SweepStore();
        const kept = await store.runs([present, old, "no config"]);
        return [store.error, ...kept.map((run) => run?.result.psnr)];
      },
      [old, present] as const,
    );
    assert.deepEqual(results, [undefined, 30, undefined, 30]);
    await context.close();
  });
});
