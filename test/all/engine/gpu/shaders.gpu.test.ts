import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { composeShader } from "../../../../src/engine/shaders.js";
import { brokenKernels } from "../../../support/brokenKernels.js";
import { withGpu } from "../../../support/gpu.js";

const library = new Map([
  ["a.wgsl", "#import b.wgsl\n#import c.wgsl\nfn a() {}"],
  ["b.wgsl", "// first\n#import c.wgsl\nfn b() {}"],
  ["c.wgsl", "fn c() {}"],
  ["lost.wgsl", "\n#import nowhere.wgsl"],
]);

describe("composeShader()", () => {
  it("includes each imported file once, before its importers, and maps lines to files", () => {
    const { code, lines } = composeShader(library, "a.wgsl");
    assert.equal(code, "fn c() {}\n// first\nfn b() {}\nfn a() {}");
    assert.deepEqual(lines[2], { file: "b.wgsl", line: 3 });
    assert.deepEqual(lines[3], { file: "a.wgsl", line: 3 });
  });

  it("reports the file and line of a missing import", () => {
    assert.throws(
      () => composeShader(library, "lost.wgsl"),
      /^ShaderError: lost\.wgsl:2:9: there is no shader nowhere\.wgsl$/,
    );
  });
});

describe("Gpu.kernel()", () => {
  it("reports an error of the compiler as one sentence, at the reader's file and line", async () => {
    await withGpu({ library }, async (gpu) => {
      for (const { source, dawn } of brokenKernels) {
        const broken = new Map([...library, ["broken.wgsl", source]]);
        await assert.rejects(gpu.kernel("broken.wgsl", {}, broken), { name: "ShaderError", message: dawn });
      }
    });
  });

  it("compiles a kernel again only for constants that it reaches", async () => {
    const scaled = `
      override SCALE: f32 = 1.0;
      override DOUBLE: f32 = 2.0 * SCALE;
      override SHIFTS: bool = false;
      override SHIFT: f32 = 0.0;
      override IDLE: f32 = 0.0;
      fn shift() -> f32 { return SHIFT; }
      fn idle() -> f32 { return IDLE; }
      @compute @workgroup_size(1) fn main() { _ = DOUBLE; if (SHIFTS) { _ = shift(); } }`;
    const library = new Map([["scaled.wgsl", scaled]]);
    await withGpu({ library }, async (gpu) => {
      const kernel = (SCALE: number, SHIFTS: number, SHIFT: number, IDLE: number, files = library) =>
        gpu.kernel("scaled.wgsl", { SCALE, SHIFTS, SHIFT, IDLE, OTHER: IDLE }, files);
      const [first, shifting] = [await kernel(2, 0, 1, 1), await kernel(2, 1, 1, 1)];
      assert.notEqual(shifting, first);
      assert.equal(await kernel(2, 0, 5, 5), first);
      assert.equal(await kernel(2, 1, 1, 5), shifting);
      assert.notEqual(await kernel(3, 0, 1, 1), first);
      assert.notEqual(await kernel(2, 1, 5, 1), shifting);
      // Edits of other kernels leave this one as it is.
      assert.equal(await kernel(2, 0, 5, 5, new Map([...library, ["other.wgsl", ""]])), first);
      // In edited kernels a variable may have a constant's name.
      const shadowed = scaled.replace("main() {", "main() { let SHIFTS = true;");
      const edited = new Map([["scaled.wgsl", shadowed]]);
      assert.notEqual(await kernel(2, 0, 5, 1, edited), await kernel(2, 0, 1, 1, edited));
    });
  });
});
