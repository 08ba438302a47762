import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { buffersAmong, declarationsOf } from "../../../src/engine/gpu/declarations.js";
import { structOf } from "../../../src/engine/gpu/structs.js";
import { shaders } from "../../support/gpu.js";

const library = new Map([
  [
    "a.wgsl",
    `const LENGTH = 3u;
    struct Inner { low: vec2u, one: f32 } // 16 bytes: as long as two vec2u
    struct Outer {
      count: atomic<u32>, color: vec3f, /* , */ opacity: f32,
      inner: array<Inner, LENGTH>, grid: array<vec3<f32>, 2>, last: u32,
    }`,
  ],
]);

describe("structOf()", () => {
  it("follows WGSL's layout rules: members at multiples of their alignment, arrays with strides of theirs", () => {
    const outer = structOf(library, "Outer");
    const offsets = ["count", "color", "opacity", "inner", "grid", "last"].map((member) => outer.at(member));
    assert.deepEqual(offsets, [0, 4, 7, 8, 20, 28]);
    assert.equal(outer.bytes, 4 * 32);
  });

  it("encodes each scalar by its type and nothing else, and decodes it", () => {
    const outer = structOf(library, "Outer");
    const { buffer } = outer.encode([{ last: 1 }, { count: 7, color: [1, 2, 3] }]);
    const words = new Uint32Array(buffer);
    assert.deepEqual([...words.subarray(28, 40)], [1, 0, 0, 0, 7, 0, 0, 0, 0x3f800000, 0x40000000, 0x40400000, 0]);
    assert.equal(words.filter((word) => word !== 0).length, 5);
    const [{ last }, { count, color, opacity }] = outer.decode(buffer as ArrayBuffer);
    assert.deepEqual([last, count, color, opacity], [[1], [7], [1, 2, 3], [0]]);
  });

  it("names a missing struct or member", () => {
    assert.throws(() => structOf(library, "Blob"), /^Error: No shader declares a struct Blob\.$/);
    assert.throws(() => structOf(library, "Inner").at("high"), /no member high, but low, one\.$/);
  });
});

describe("the buffers of the pipelines", () => {
  it("have unique binding numbers, and structs unique names, in all training kernels", () => {
    const training = [...shaders.keys()].filter((file) => /^(binned|shared|simple|tiled)\//.test(file));
    const declarations = training.flatMap((file) => declarationsOf(shaders, file));
    const numbers = new Map<string, number>();
    for (const { name, binding } of buffersAmong(declarations)) {
      assert.equal(numbers.get(name) ?? binding, binding, name);
      assert.ok(![...numbers].some(([other, number]) => number === binding && other !== name), `${name} at ${binding}`);
      numbers.set(name, binding);
    }
    assert.ok(numbers.size > 20);
    const structs = declarations.filter(({ tokens }) => tokens[0].text === "struct").map(({ name }) => name);
    assert.deepEqual(structs, [...new Set(structs)]);
  });

  it("have one layout of the status in all its structs", () => {
    const offsetsIn = (name: string) => {
      const struct = structOf(shaders, name);
      const [members] = struct.decode(new ArrayBuffer(struct.bytes));
      return Object.keys(members).map((member) => [member, struct.at(member)]);
    };
    const offsets = offsetsIn("Status");
    assert.deepEqual(offsetsIn("CountedStatus"), offsets);
    assert.deepEqual(offsetsIn("FinalStatus"), offsets.slice(0, 6));
  });
});
