import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { afterAll, beforeAll, describe, it } from "vitest";
import { bundleModules } from "../../support/bundle.js";
import { cpuBits, cpuBitsOfPage } from "../../support/cpuBits.js";
import { type StaticServer, serve } from "../../support/server.js";
import { browsers, type Driver } from "./drivers.js";

describe.each(browsers.map((browser) => [browser.name, browser] as const))("the cpu pipeline in %s", (_, browser) => {
  describe.skipIf(browser.missing.length > 0)("is that of Node:", () => {
    let folder: string;
    let server: StaticServer;
    let driver: Driver;
    beforeAll(async () => {
      folder = await bundleModules("../test/support/cpuBits");
      server = await serve(folder);
      driver = await browser.start();
    });
    afterAll(async () => {
      await driver?.close();
      await server?.close();
      rmSync(folder, { recursive: true, force: true });
    });

    it("it computes the same bits", async () => {
      await driver.open(server.origin);
      assert.deepEqual(await driver.evaluate(cpuBitsOfPage), await cpuBits());
    });
  });
});
