import assert from "node:assert/strict";
import { tableFromIPC } from "apache-arrow";
import { it } from "vitest";
import { activeRows, rowOfBlob } from "../../../src/components/tables/activeRows.js";
import { completeConfig } from "../../../src/engine/config.js";
import { parametersFile } from "../../../src/engine/files/arrow.js";
import { initialState } from "../../../src/engine/training/initialState.js";

it("a table of blobs leaves out those that are not active yet, and keeps the index of the others", () => {
  const image = { width: 8, height: 8, data: new Uint8ClampedArray(4 * 64).map((_, i) => (i * 37) % 256) };
  const config = completeConfig({ preset: "quality", blobs: 10, startShare: 0.4 });
  const { parameters } = initialState(config, image);
  const table = tableFromIPC(parametersFile(config, image, { step: 0, parameters }));
  const active = activeRows(table, parameters);
  assert.deepEqual([...active.getChild("blob")!], [6, 7, 8, 9]);
  assert.deepEqual(active.get(1)!.toJSON(), table.get(7)!.toJSON());
  assert.deepEqual(rowOfBlob(active, 9)?.toJSON(), table.get(9)!.toJSON());
  assert.equal(rowOfBlob(active, 5), undefined);
  assert.equal(activeRows(active, parameters.slice(6)), active);
});
