import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { boundLoops } from "../../../src/engine/gpu/boundLoops.js";
import { composeShader } from "../../../src/engine/shaders.js";

/** Bounds a kernel at nine iterations. */
const bound = (text: string) => boundLoops(composeShader(new Map([["a.wgsl", text]]), "a.wgsl"), 9);

/** Returns the check at the start of a loop's body. */
const ends = (loop: number) =>
  ` if (has_ended) { break; } if (iterations_${loop} == 9u) { has_ended = true; textureStore(ended_loops, vec2u(${loop}u, 0u), vec4u(1u)); break; } iterations_${loop}++;`;

describe("boundLoops()", () => {
  const body = (text: string) => bound(`fn f() {\n${text}\n}`).code.split("\n").slice(1, -4).join("\n");

  it("declares a counter before a loop and checks it at the start of its body", () => {
    assert.equal(body("  loop { break; }"), `  var iterations_0 = 0u; loop {${ends(0)} break; }`);
    assert.equal(body("  while (a < f(b)) {}"), `  var iterations_0 = 0u; while (a < f(b)) {${ends(0)}}`);
  });

  it("counts nested loops, loops in branches and in `continuing` separately", () => {
    assert.equal(
      body("loop { if (a) { while b { continue; } } continuing { for (;;) { break; } break if c; } }"),
      `var iterations_0 = 0u; loop {${ends(0)} if (a) { var iterations_1 = 0u; while b {${ends(1)} continue; } } ` +
        `continuing { var iterations_2 = 0u; for (;;) {${ends(2)} break; } break if c; } }`,
    );
  });

  it("ignores loop keywords in comments and names, and keeps line numbers", () => {
    const text =
      "// loop { while\n/* for (;;) { /* loop { */\n while { */\nfn looped(for_each: u32) {\n  forward(); // }\n\n  loop /* { */ { // for {\n    break;\n  }\n}";
    const { code, lines, loops } = bound(text);
    const added = code.split("\n");
    assert.deepEqual(loops, [{ file: "a.wgsl", line: 7 }]);
    for (const [index, line] of text.split("\n").entries()) {
      if (index !== 6) assert.equal(added[index], line);
    }
    assert.equal(added[6], `  var iterations_0 = 0u; loop /* { */ {${ends(0)} // for {`);
    assert.equal(lines.length, added.length);
  });

  it("reports the file that contains a loop", () => {
    const library = new Map([
      ["a.wgsl", "#import b.wgsl\nfn a() {\n  loop { break; }\n}"],
      ["b.wgsl", "\nfn b() { loop { break; } }"],
    ]);
    assert.deepEqual(boundLoops(composeShader(library, "a.wgsl"), 9).loops, [
      { file: "b.wgsl", line: 2 },
      { file: "a.wgsl", line: 3 },
    ]);
  });

  it("adds a final return to a function that could only return from its loop", () => {
    assert.match(
      bound("fn f() -> array<vec2<f32>, 3> // g\n{ loop { return g(); } }").code,
      /return array<vec2<f32>,3>\(\); \}/,
    );
    assert.doesNotMatch(
      bound("fn f() { loop { return; } }\nfn g() -> u32 { loop { break; } return 1u; }").code,
      /return u32\(\)/,
    );
  });

  it("does not end other loops of a thread in kernels with barriers", () => {
    assert.doesNotMatch(bound("fn f() { loop { workgroupBarrier(); } }").code, /if \(has_ended\)/);
    assert.match(bound("fn f() { loop { a(); } } // workgroupBarrier").code, /if \(has_ended\)/);
  });
});
