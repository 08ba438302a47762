import assert from "node:assert/strict";
import { describe } from "vitest";
import { declarationsOf } from "../../src/engine/gpu/declarations.js";
import { structBytes } from "../../src/engine/gpu/structs.js";
import { runKernel } from "../../src/engine/gpu/workbench.js";
import { it, shaders } from "../support/gpu.js";

const declarations = [...shaders.keys()].flatMap((file) => declarationsOf(shaders, file));

/** Returns the WGSL of a declaration, without its comments. */
const textOf = (declared: string) =>
  declarations
    .find(({ name }) => name === declared)!
    .tokens.map(({ text }) => text)
    .join(" ");

describe("structBytes", () => {
  for (const [name, bytes] of Object.entries(structBytes)) {
    it(`has the size of ${name} as the compiler lays it out`, async ({ gpu }) => {
      // Status ends with an array of words.
      const [type, array, count] =
        name === "Status" ? [name, "structs.tiles", 1000 * bytes] : [`array<${name}>`, "structs", 1000];
      const code = `${textOf("PARAMETER_COUNT")}
        ${textOf(name)}
        @group(0) @binding(0) var<storage, read_write> structs: ${type};
        @group(0) @binding(1) var<storage, read_write> found: array<u32>;
        @compute @workgroup_size(1) fn main() { found[0] = arrayLength(&${array}); }`;
      const buffers = { structs: name === "Status" ? bytes + 4 * count : bytes * count, found: 4 };
      const library = new Map([["count.wgsl", code]]);
      const { found } = await runKernel(gpu, { file: "count.wgsl", buffers }, library);
      assert.equal(new Uint32Array(found)[0], count);
    });
  }
});
