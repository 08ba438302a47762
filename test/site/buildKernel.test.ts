import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "vitest";
import { compileKernel } from "../../src/site/buildKernel.js";

describe("compileKernel()", () => {
  it("compiles src/engine/cpu/kernel/ to what is in src/engine/cpu/kernelBytes.ts, byte for byte", async () => {
    assert.equal(await compileKernel(), readFileSync("src/engine/cpu/kernelBytes.ts", "utf8"));
  });
});
