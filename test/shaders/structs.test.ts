import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { buffersAmong, declarationsOf } from "../../src/engine/gpu/declarations.js";
import { shaders } from "../support/gpu.js";

const training = [...shaders.keys()].filter((file) => /^(binned|shared|simple|tiled)\//.test(file));
const declarations = training.flatMap((file) => declarationsOf(shaders, file));
const structs = declarations.filter(({ tokens }) => tokens[0].text === "struct");

describe("the buffers of the pipelines", () => {
  it("have unique binding numbers, and structs unique names, in all training kernels", () => {
    const numbers = new Map<string, number>();
    for (const { name, binding } of buffersAmong(declarations)) {
      assert.equal(numbers.get(name) ?? binding, binding, name);
      assert.ok(![...numbers].some(([other, number]) => number === binding && other !== name), `${name} at ${binding}`);
      numbers.set(name, binding);
    }
    assert.ok(numbers.size > 20);
    const names = structs.map(({ name }) => name);
    assert.deepEqual(names, [...new Set(names)]);
  });

  it("have one layout of the status in all its structs", () => {
    const membersOf = (struct: string) => {
      const { tokens } = structs.find(({ name }) => name === struct)!;
      return tokens.filter((_, at) => tokens[at + 1]?.text === ":").map(({ text }) => text);
    };
    const members = membersOf("Status");
    assert.deepEqual(membersOf("CountedStatus"), members);
    assert.deepEqual(membersOf("FinalStatus"), members.slice(0, 6));
  });
});
