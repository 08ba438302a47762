import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { afterAll, beforeAll, describe, it } from "vitest";
import { bundled } from "../../support/bundle.js";
import { cpuBits, cpuBitsOfPage } from "../../support/cpuBits.js";
import { openPage } from "../../support/pages.js";
import { type StaticServer, serve } from "../../support/server.js";

describe("the cpu pipeline in Chromium", () => {
  let folder: string;
  let server: StaticServer;
  beforeAll(async () => {
    folder = await bundled("../test/support/cpuBits");
    server = await serve(folder);
  });
  afterAll(async () => {
    await server?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it("computes the bits that it computes in Node", async () => {
    const { page } = await openPage(server.origin);
    const bits = (await page.evaluate(cpuBitsOfPage)) as Record<string, string>;
    assert.deepEqual(bits, await cpuBits());
    assert.equal(new Set(Object.values(bits)).size, 9);
  });
});
