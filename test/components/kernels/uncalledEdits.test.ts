import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { uncalledEdits } from "../../../src/components/kernels/uncalledEdits.js";
import { completeConfig, type TrainConfig } from "../../../src/engine/config.js";
import { shaders } from "../../support/gpu.js";

const adapter = { isSoftware: false, subgroupSizes: [32, 32] } as const;

/** Returns the uncalled edits of the shipped kernels with one text of a file replaced. */
function edit(file: string, before: string, after: string, config: Partial<TrainConfig> = {}) {
  const text = shaders.get(file)!;
  assert.ok(text.includes(before), `${file} has no ${before}`);
  return uncalledEdits(
    shaders,
    new Map(shaders).set(file, text.replace(before, after)),
    completeConfig(config),
    adapter,
  );
}

const backward = ["shared/blend.wgsl", "let alongColor = dot(d.rgb, blob.rgb);", "let alongColor = 0.0;"] as const;

describe("uncalledEdits()", () => {
  it("names the pipelines that call a function, if the chosen one does not", () => {
    assert.deepEqual(edit(...backward, { pipeline: "binned" }), [
      "alphaBlendBackward is not called by binned: choose simple or tiled to see it run.",
    ]);
    for (const pipeline of ["simple", "tiled"] as const) assert.deepEqual(edit(...backward, { pipeline }), []);
    const atomic = edit("binned/slots.wgsl", "let value = blob.opacity", "let value = 0.5 * blob.opacity", {
      pipeline: "simple",
    });
    assert.deepEqual(atomic, ["differentiatePixel is not called by simple: choose binned to see it run."]);
  });

  it("finds indirect calls, imported files, and uses of a type or constant", () => {
    assert.deepEqual(edit("shared/blend.wgsl", "1.0 / 255.0", "1.0 / 128.0"), []);
    assert.deepEqual(edit("shared/config.wgsl", "schedule: f32", "schedule: f32, more: f32"), []);
    assert.deepEqual(edit("binned/lists.wgsl", "override SHARDS: u32 = 8", "override SHARDS: u32 = 4"), []);
  });

  it("recognizes edits of comments and whitespace, and separates called from uncalled functions of a file", () => {
    assert.deepEqual(edit("shared/blend.wgsl", "// Below this", "/* Far below */ //"), [
      "In shared/blend.wgsl, only comments or whitespace differ.",
    ]);
    const both = new Map(shaders).set(
      "shared/blend.wgsl",
      shaders.get("shared/blend.wgsl")!.replaceAll("- ATTENUATION", "- 2.0 * ATTENUATION"),
    );
    assert.deepEqual(uncalledEdits(shaders, both, completeConfig({ pipeline: "binned" }), adapter), [
      "undoAlphaBlend and alphaBlendBackward are not called by binned: choose simple or tiled to see it run.",
    ]);
  });
});
