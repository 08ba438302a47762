import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { traitsOf } from "../../../src/engine/gpu/adapter.js";
import { variantOf } from "../../../src/engine/gpu/binned/layout.js";

const info = { vendor: "", architecture: "", device: "", description: "", isFallbackAdapter: false };
const sizes = (subgroupMinSize: number, subgroupMaxSize: number) =>
  ({ ...info, subgroupMinSize, subgroupMaxSize }) as GPUAdapterInfo;
const withSubgroups = new Set(["subgroups"]);

describe("variantOf()", () => {
  it("is Subgroup if every subgroup has at least four lanes, with one size or several", () => {
    for (const [min, max] of [
      [4, 4],
      [32, 32],
      [8, 32],
      [4, 64],
      [64, 128],
    ]) {
      assert.equal(variantOf(traitsOf(sizes(min, max), withSubgroups)), "Subgroup", `${min} to ${max}`);
    }
    assert.equal(variantOf(traitsOf(sizes(2, 32), withSubgroups)), "Workgroup");
  });

  it("is Workgroup if the device has no subgroups, or does not report their size", () => {
    assert.equal(variantOf(traitsOf(sizes(32, 32), new Set())), "Workgroup");
    assert.equal(variantOf(traitsOf(info as unknown as GPUAdapterInfo, withSubgroups)), "Workgroup");
  });

  it("is Workgroup on a software adapter, with or without subgroups", () => {
    const software = { ...sizes(4, 4), description: "SwiftShader" } as GPUAdapterInfo;
    assert.equal(variantOf(traitsOf(software, withSubgroups)), "Workgroup");
  });
});
