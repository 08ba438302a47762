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
import { openPage, type WatchedPage } from "../../support/pages.js";
import { type StaticServer, serve } from "../../support/server.js";

/** Rows of three record batches. */
const blobs = 2 ** 17 + 9;
const random = uniformGenerator(5);
const parameters = Float32Array.from({ length: parameterCount * blobs }, random);
const opacities = parameters.subarray(8 * blobs);

describe("arrowReader, in a browser", () => {
  let folder: string;
  let server: StaticServer;
  let watched: WatchedPage;
  beforeAll(async () => {
    folder = await bundleModules(
      "host/browser/arrowReader",
      "host/browser/arrowWorker",
      "components/tables/rowTable",
      "components/tables/blobColumns",
      "components/worker/functionWorker",
    );
    const file = parametersFile(completeConfig({ blobs }), { width: 9, height: 7 }, { step: 3, parameters });
    writeFileSync(join(folder, "parameters.arrow"), file);
    writeFileSync(join(folder, "cut.arrow"), file.subarray(0, 10_000));
    server = await serve(folder);
    watched = await openPage(server.origin);
    await watched.page.coverage.startJSCoverage();
  });
  afterAll(async () => {
    await server?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it("gives a run's file, checked, and one sentence where it is cut off", async () => {
    const read = await watched.page.evaluate(`(async () => {
      const { readRunTable } = await import("/arrowReader.js");
      const read = async (name) => readRunTable("parameters", await (await fetch(name)).blob());
      const { config, step, parameters } = await read("/parameters.arrow");
      const refused = await read("/cut.arrow").catch(({ message }) => message);
      return { blobs: config.blobs, step, last: parameters.at(-1), refused };
    })()`);
    const refused = "parameters.arrow is not a complete Arrow file.";
    assert.deepEqual(read, { blobs, step: 3, last: parameters.at(-1), refused });
  });

  it("fills a table that sorts all rows and reads those of its page alone", async () => {
    const looked = await watched.page.evaluate(`(async () => {
      const { readRunTable } = await import("/arrowReader.js");
      const { rowTable } = await import("/rowTable.js");
      const { rawColumns } = await import("/blobColumns.js");
      const { parameters } = await readRunTable("parameters", await (await fetch("/parameters.arrow")).blob());
      const shown = rawColumns(parameters, "smoothstep", "parameters");
      const looked = new Set();
      const watched = { ...shown, value: (column, row) => looked.add(row) && shown.value(column, row) };
      document.body.append(rowTable("Blobs", "blob", [{ columns: watched, note: "unsorted" }]));
      return [...looked];
    })()`);
    assert.deepEqual(looked, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    await watched.page.getByRole("button", { name: "opacity", exact: true }).click();
    await watched.page.locator('th[aria-sort="descending"]').waitFor();
    const cells = watched.page.locator("tbody tr :nth-child(10)");
    const largest = [...opacities].sort((a, b) => b - a).slice(0, 10);
    assert.deepEqual(await cells.allInnerTexts(), largest.map(showNumber));
  });

  it("leaves parsing and sorting to workers", async () => {
    const called = (await watched.page.coverage.stopJSCoverage()).flatMap(({ functions }) =>
      functions.filter(({ ranges }) => ranges[0].count > 0).map(({ functionName }) => functionName),
    );
    const ours = ["readRunTable", "readParameters", "rowOrder"];
    assert.deepEqual(
      ours.filter((name) => called.includes(name)),
      ["readRunTable"],
    );
    assert.deepEqual(watched.complaints, []);
  });
});
