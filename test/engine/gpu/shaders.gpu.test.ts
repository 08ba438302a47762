import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { composeShader, ShaderError } from "../../../src/engine/gpu/shaders.js";
import { withGpu } from "../../support/gpu.js";

const library = new Map([
  ["a.wgsl", "#import b.wgsl\n#import c.wgsl\nfn a() {}"],
  ["b.wgsl", "// first\n#import c.wgsl\nfn b() {}"],
  ["c.wgsl", "fn c() {}"],
  ["broken.wgsl", "#import c.wgsl\n\n@compute @workgroup_size(1) fn main() {\n  let x: u32 = 1.5;\n}"],
  ["lost.wgsl", "\n#import nowhere.wgsl"],
]);

describe("composeShader()", () => {
  it("puts each imported file once, before what imports it, and knows where each line came from", () => {
    const { code, lines } = composeShader(library, "a.wgsl");
    assert.equal(code, "fn c() {}\n// first\nfn b() {}\nfn a() {}");
    assert.deepEqual(lines[2], { file: "b.wgsl", line: 3 });
    assert.deepEqual(lines[3], { file: "a.wgsl", line: 3 });
  });

  it("names the file and line whose import does not exist", () => {
    assert.throws(
      () => composeShader(library, "lost.wgsl"),
      /^ShaderError: lost\.wgsl:2:9: there is no shader nowhere\.wgsl$/,
    );
  });
});

describe("Gpu.kernel()", () => {
  it("reports a compile error at the file and line that the author wrote", async () => {
    await withGpu({ library }, async (gpu) => {
      await assert.rejects(gpu.kernel("broken.wgsl"), (error) => {
        assert.ok(error instanceof ShaderError);
        assert.deepEqual(
          error.messages.map(({ file, line }) => ({ file, line })),
          [{ file: "broken.wgsl", line: 4 }],
        );
        return true;
      });
    });
  });
});

describe("Gpu.kernel()", () => {
  it("compiles a kernel once for constants that it does not know, and anew for those that it does", async () => {
    const scaled = "override SCALE: f32 = 1.0;\n@compute @workgroup_size(1) fn main() { _ = SCALE; }";
    await withGpu({ library: new Map([["scaled.wgsl", scaled]]) }, async (gpu) => {
      const first = await gpu.kernel("scaled.wgsl", { SCALE: 2, OTHER: 1 });
      assert.equal(await gpu.kernel("scaled.wgsl", { SCALE: 2, OTHER: 5 }), first);
      assert.notEqual(await gpu.kernel("scaled.wgsl", { SCALE: 3, OTHER: 1 }), first);
    });
  });
});
