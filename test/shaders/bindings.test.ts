import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { declarationsOf, filesOf } from "../../src/engine/gpu/declarations.js";
import { bindingsOf } from "../../src/engine/gpu/reachability.js";
import { shaders } from "../support/gpu.js";

/** Returns whether WGSL assigns to a variable, its elements or members, or takes its address, as for atomics. */
function writes(text: string, name: string): boolean {
  const elements = String.raw`(?: \[ [^;]*? \]| \. \w+)*`;
  return new RegExp(String.raw`& ${name} |(?:^|[;{}(]) ${name}${elements} (?:[-+*/|&^%]?=|\+\+|--) `).test(text);
}

describe("a kernel", () => {
  const entries = [...shaders.keys()].filter((file) =>
    declarationsOf(shaders, file).some(({ name }) => name === "main"),
  );
  for (const entry of entries) {
    it(`${entry} binds only the buffers that it writes as read_write`, () => {
      const functions = filesOf(shaders, entry).flatMap((file) => declarationsOf(shaders, file));
      const text = functions.map(({ tokens }) => ` ${tokens.map(({ text }) => text).join(" ")} `).join("\n");
      const written = bindingsOf(shaders, entry).filter(({ access }) => access === "read_write");
      assert.deepEqual(
        written.map(({ name }) => name).filter((name) => !writes(text, name)),
        [],
      );
    });
  }
});

describe("a function", () => {
  it("returns elements of workgroup memory only if no other thread may write them", () => {
    const returned = [...shaders].flatMap(([file, text]) =>
      Array.from(text.matchAll(/return (sh_\w+\[(?!localIndex\]).*?);/g), ([, element]) => `${file}: ${element}`),
    );
    assert.deepEqual(returned, []);
  });
});
