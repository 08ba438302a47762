import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { decodedColumns } from "../../../src/components/tables/blobColumns.js";
import { defaults } from "../../../src/engine/config.js";
import { modelOf, smoothstep } from "../../../src/engine/model/blob.js";
import { parameterCount } from "../../../src/engine/model/blobs.js";

describe("decodedColumns()", () => {
  it("decodes each parameter of each blob", () => {
    const slots = Float32Array.from({ length: 2 * parameterCount }, (_, i) => i / 20);
    const { rows, names, help, value } = decodedColumns(slots, modelOf(defaults, { width: 9, height: 7 }));
    assert.equal(rows, 2);
    assert.equal(value(1, 1), Math.fround(smoothstep(slots[3])));
    assert.equal(value(5, 0), Math.fround(smoothstep(0.8 * slots[10])));
    assert.equal(names[9], "deviation_x_pixels");
    const variance = (smoothstep(0.8 * slots[5]) + 0.005) * defaults.covarianceScale;
    assert.equal(value(9, 1), Math.fround(9 * Math.sqrt(variance)));
    for (const name of names) assert.ok(help![name].description, name);
  });
});
