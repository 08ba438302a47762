import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { decodedColumns, rawColumns } from "../../../src/components/tables/blobColumns.js";
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

describe("rawColumns()", () => {
  it("returns a row per blob by parameter name, with descriptions", () => {
    const slots = Float32Array.from({ length: 2 * parameterCount }, (_, i) => i);
    const { rows, names, value } = rawColumns(slots, "smoothstep", "parameters");
    const direct = rawColumns(slots, "direct", "gradients");
    assert.equal(direct.names[2], "log_deviation_x");
    assert.equal(direct.help!.log_deviation_x.unit, "1/(ln px)");
    assert.equal(rows, 2);
    assert.deepEqual([names[0], names[8]], ["center_x", "opacity"]);
    assert.deepEqual([value(0, 1), value(8, 0)], [1, 16]);
  });
});
