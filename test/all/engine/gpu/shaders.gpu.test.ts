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

  it("compiles a kernel again only for constants that it declares", async () => {
    const scaled = `
      override SCALE: f32 = 1.0;
      override DOUBLE: f32 = 2.0 * SCALE;
      @compute @workgroup_size(1) fn main() { _ = DOUBLE; }`;
    const library = new Map([["scaled.wgsl", scaled]]);
    await withGpu({ library }, async (gpu) => {
      const kernel = (SCALE: number, OTHER: number, files = library) =>
        gpu.kernel("scaled.wgsl", { SCALE, OTHER }, files);
      const first = await kernel(2, 1);
      assert.equal(await kernel(2, 5), first);
      assert.notEqual(await kernel(3, 1), first);
      // Edits of other kernels leave this one as it is.
      assert.equal(await kernel(2, 5, new Map([...library, ["other.wgsl", ""]])), first);
    });
  });
});
