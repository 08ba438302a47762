import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { acceptFields } from "../../../src/components/training/acceptFields.js";
import { completeConfig } from "../../../src/engine/config.js";

describe("acceptFields()", () => {
  it("returns an error for each refused or unknown field, and takes the others", () => {
    const { config, errors: wrong } = acceptFields(
      { foo: 1, blobs: -3, steps: 7, seed: 9 },
      { blobs: 40, seed: 2 },
      completeConfig,
    );
    assert.deepEqual(config, completeConfig({ blobs: 40, steps: 7, seed: 9 }));
    assert.deepEqual([...wrong.keys()], ["foo", "blobs"]);
    assert.match(wrong.get("foo")!, /^config must be made of the fields preset, blobs, .* \(got "foo"\)\.$/);
    assert.match(wrong.get("blobs")!, /^blobs must be a whole number of at least 1 \(got -3\)\.$/);
  });

  it("falls back to all valid values if one of them contradicts the others", () => {
    const good = { blend: "over", background: "original" };
    const { config, errors: wrong } = acceptFields(
      { blend: "sum", background: "original", steps: 7 },
      good,
      completeConfig,
    );
    assert.deepEqual(config, completeConfig(good));
    assert.deepEqual([...wrong.keys()], ["background"]);
  });
});
