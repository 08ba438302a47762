import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { rawNames } from "../../../src/engine/model/blobs.js";

describe("rawNames()", () => {
  it("names the raw parameters of direct blobs that differ from the decoded values", () => {
    const [smoothstep, direct] = [rawNames("smoothstep"), rawNames("direct")];
    const different = smoothstep.map((name, field) => [name, direct[field]]).filter(([a, b]) => a !== b);
    assert.deepEqual(different, [
      ["variance_x", "log_deviation_x"],
      ["variance_y", "log_deviation_y"],
      ["correlation", "artanh_correlation"],
      ["opacity", "logit_opacity"],
    ]);
  });
});
