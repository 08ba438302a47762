import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { traitsOf } from "../../../src/engine/gpu/adapter.js";
import { variantOf } from "../../../src/engine/gpu/binned/layout.js";

const info = { vendor: "", architecture: "", device: "", description: "", isFallbackAdapter: false };
const sizes = (subgroupMinSize: number, subgroupMaxSize: number) =>
  ({ ...info, subgroupMinSize, subgroupMaxSize }) as GPUAdapterInfo;
const withSubgroups = new Set(["subgroups"]);

describe("divisionOf()", () => {
  it("lets four neighbours exchange values wherever every subgroup holds as many, of one size or of several", () => {
    for (const [least, most] of [
      [4, 4],
      [32, 32],
      [8, 32],
      [4, 64],
      [64, 128],
    ]) {
      assert.equal(variantOf(traitsOf(sizes(least, most), withSubgroups)), "Subgroup", `${least} to ${most}`);
    }
    assert.equal(variantOf(traitsOf(sizes(2, 32), withSubgroups)), "Workgroup");
  });

  it("does without where the device has no subgroups, or does not tell how large they are", () => {
    assert.equal(variantOf(traitsOf(sizes(32, 32), new Set())), "Workgroup");
    assert.equal(variantOf(traitsOf(info as unknown as GPUAdapterInfo, withSubgroups)), "Workgroup");
  });

  it("takes a thread where a CPU plays the GPU, whatever its subgroups are", () => {
    const software = { ...sizes(4, 4), description: "SwiftShader" } as GPUAdapterInfo;
    assert.equal(variantOf(traitsOf(software, withSubgroups)), "Thread");
  });
});
