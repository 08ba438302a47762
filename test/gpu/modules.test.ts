import assert from "node:assert/strict";
import { describe } from "vitest";
import { boundLoops } from "../../src/engine/gpu/boundLoops.js";
import { composeShader } from "../../src/engine/shaders.js";
import { it, shaders } from "../support/gpu.js";

const hasEntryPoint = (file: string) => /^\s*@compute\b/m.test(shaders.get(file)!);

describe("a file with an entry point", () => {
  it("compiles without messages, also with bounded loops, as for edited kernels", async ({ gpu }) => {
    const entries = [...shaders.keys()].filter(hasEntryPoint);
    assert.ok(entries.length > 15);
    for (const file of entries) {
      const composed = composeShader(shaders, file);
      for (const { code } of [composed, boundLoops(composed, 4096)]) {
        const { messages } = await gpu.device.createShaderModule({ code }).getCompilationInfo();
        assert.deepEqual(
          Array.from(messages, ({ message }) => `${file}: ${message}`),
          [],
        );
      }
    }
  });

  it("is not imported, so a module has a single entry point", () => {
    const imported = [...shaders.values()].flatMap((text) =>
      [...text.matchAll(/^#import (\S+)/gm)].map(([, file]) => file),
    );
    assert.deepEqual(
      imported.filter((file) => !shaders.has(file) || hasEntryPoint(file)),
      [],
    );
  });
});
