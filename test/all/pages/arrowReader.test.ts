import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, it } from "vitest";
import { showNumber } from "../../../src/components/page/format.js";
import { completeConfig } from "../../../src/engine/config.js";
import { parametersFile } from "../../../src/engine/files/arrow.js";
import { parameterCount } from "../../../src/engine/model/blobs.js";
import { uniformGenerator } from "../../../src/engine/random.js";
import { bundleModules } from "../../support/bundle.js";
import { openPage } from "../../support/pages.js";
import { type StaticServer, serve } from "../../support/server.js";

/** Rows of three record batches. */
const blobs = 2 ** 17 + 9;
const parameters = Float32Array.from({ length: parameterCount * blobs }, uniformGenerator(5));

describe("arrowReader, in a browser", () => {
  let folder: string;
  let server: StaticServer;
  beforeAll(async () => {
    const modules = ["host/browser/arrowReader", "host/browser/arrowWorker"];
    const components = ["tables/rowTable", "tables/blobColumns", "worker/functionWorker"];
    folder = await bundleModules(...modules, ...components.map((name) => `components/${name}`));
    const file = parametersFile(completeConfig({ blobs }), { width: 9, height: 7 }, { step: 3, parameters });
    writeFileSync(join(folder, "parameters.arrow"), file);
    writeFileSync(join(folder, "cut.arrow"), file.subarray(0, 10_000));
    server = await serve(folder);
  });
  afterAll(async () => {
    await server?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it("reads a run's file in a worker into a table that sorts all rows and reads those of its page alone", async () => {
    const { page } = await openPage(server.origin);
    const read = await page.evaluate(`(async () => {
      const { readRunTable } = await import("/arrowReader.js");
      const { rowTable } = await import("/rowTable.js");
      const { rawColumns } = await import("/blobColumns.js");
      const read = async (name) => readRunTable("parameters", await (await fetch(name)).blob());
      const { config, step, parameters } = await read("/parameters.arrow");
      const shown = rawColumns(parameters, "smoothstep", "parameters");
      const looked = new Set();
      const watched = { ...shown, value: (column, row) => looked.add(row) && shown.value(column, row) };
      document.body.append(rowTable("Blobs", "blob", [{ columns: watched, note: "unsorted" }]));
      const refused = await read("/cut.arrow").catch(({ message }) => message);
      return { blobs: config.blobs, step, last: parameters.at(-1), looked: looked.size, refused };
    })()`);
    const refused = "parameters.arrow is not a complete Arrow file.";
    assert.deepEqual(read, { blobs, step: 3, last: parameters.at(-1), looked: 10, refused });
    assert.ok(page.workers().length > 0);
    await page.getByRole("button", { name: "opacity", exact: true }).click();
    await page.locator('th[aria-sort="descending"]').waitFor();
    const largest = [...parameters.subarray(8 * blobs)].sort((a, b) => b - a).slice(0, 10);
    assert.deepEqual(await page.locator("tbody tr :nth-child(10)").allInnerTexts(), largest.map(showNumber));
  });
});
