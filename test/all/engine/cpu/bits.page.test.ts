import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { afterAll, beforeAll, describe, it } from "vitest";
import { bundleModules } from "../../../support/bundle.js";
import { cpuBits, cpuBitsOfPage } from "../../../support/cpuBits.js";
import { openPage } from "../../../support/pages.js";
import { type StaticServer, serve } from "../../../support/server.js";

describe("the cpu pipeline in Chromium", () => {
  let folder: string;
  let server: StaticServer;
  beforeAll(async () => {
    folder = await bundleModules("../test/support/cpuBits");
    server = await serve(folder);
  });
  afterAll(async () => {
    await server?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it("computes the same bits as in Node", async () => {
    const { page } = await openPage(server.origin);
    const bits = (await page.evaluate(cpuBitsOfPage)) as Record<string, string>;
    assert.deepEqual(bits, await cpuBits());
    assert.equal(new Set(Object.values(bits)).size, 9);
  });

  it("needs 'wasm-unsafe-eval' but no 'unsafe-eval' in the page's policy", async () => {
    const answers: string[] = [];
    for (const allowed of ["", "'wasm-unsafe-eval'"]) {
      const policy = `<meta http-equiv="Content-Security-Policy" content="script-src 'self' ${allowed}">`;
      const strict = await serve(folder, (html) => html.replace("<title>", `${policy}<title>`));
      const { page } = await openPage(strict.origin, { allowsViolations: true });
      answers.push(await page.evaluate(`${cpuBitsOfPage}.then(() => "computed", ({ name }) => name)`));
      await strict.close();
    }
    assert.deepEqual(answers, ["CompileError", "computed"]);
  });
});
