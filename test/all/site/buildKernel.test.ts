import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "vitest";
import { compileKernel } from "../../../src/site/buildKernel.js";

describe("compileKernel()", () => {
  it("compiles src/engine/cpu/kernel/ to exactly src/engine/cpu/kernelBytes.ts", async () => {
    assert.equal(await compileKernel(), readFileSync("src/engine/cpu/kernelBytes.ts", "utf8"));
  });
});
