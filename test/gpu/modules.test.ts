import assert from "node:assert/strict";
import { describe } from "vitest";
import { it, shaders } from "../support/gpu.js";

const hasEntryPoint = (file: string) => /^\s*@compute\b/m.test(shaders.get(file)!);
const entries = [...shaders.keys()].filter(hasEntryPoint);

describe("a file with an entry point", () => {
  for (const file of entries) {
    it(`compiles with its own overrides: ${file}`, async ({ gpu }) => {
      // Rejects if a declaration is missing.
      assert.ok(await gpu.kernel(file));
    });
  }

  it("is not imported, so a module has a single entry point", () => {
    const imported = [...shaders.values()].flatMap((text) =>
      [...text.matchAll(/^#import (\S+)/gm)].map(([, file]) => file),
    );
    assert.deepEqual(
      imported.filter((file) => !shaders.has(file) || hasEntryPoint(file)),
      [],
    );
  });

  it("has the number of its stage in the binned pipeline, unlike imported files", () => {
    const binned = [...shaders.keys()].filter((file) => file.startsWith("binned/"));
    const numbered = binned.filter((file) => /^binned\/\d/.test(file));
    assert.deepEqual(
      numbered,
      binned.filter((file) => hasEntryPoint(file)),
    );
    const stages = new Set(numbered.map((file) => file.replace(/(Thread|Workgroup|Subgroup)?\.wgsl$/, "")));
    const numbers = [...stages].map((stage) => stage.split("-")[0]);
    assert.equal(new Set(numbers).size, numbers.length);
  });
});
