import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { composeShader, ShaderError } from "../../../src/engine/shaders.js";
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

  it("compiles a kernel once for constants that it does not come to, and anew for those that it does", async () => {
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
      // In what a reader writes, a variable may bear a constant's name.
      const shadowed = scaled.replace("main() {", "main() { let SHIFTS = true;");
      const edited = new Map([["scaled.wgsl", shadowed]]);
      assert.notEqual(await kernel(2, 0, 5, 1, edited), await kernel(2, 0, 1, 1, edited));
    });
  });
});
