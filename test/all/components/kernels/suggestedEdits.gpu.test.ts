import assert from "node:assert/strict";
import { describe } from "vitest";
import { suggestedEdits } from "../../../../src/components/kernels/suggestedEdits.js";
import { uncalledEdits } from "../../../../src/components/kernels/uncalledEdits.js";
import { completeConfig } from "../../../../src/engine/config.js";
import { withCustomKernels } from "../../../../src/engine/gpu/customKernels.js";
import { checkGradients } from "../../../../src/engine/gradientCheck.js";
import { it, shaders } from "../../../support/gpu.js";

const adapter = { isSoftware: true, subgroupSizes: [4, 4] } as const;
const config = completeConfig({ pipeline: "tiled", blobs: 4, tile: [8, 8], gaussiansPerBlock: 32 });

describe("the suggested edits", () => {
  for (const { name, file, before, after } of suggestedEdits) {
    it(`“${name}” replaces one text, runs in tiled and not in binned, and fails the gradient check`, async ({
      backend,
    }) => {
      const text = shaders.get(file)!;
      assert.deepEqual([text.split(before).length, text.includes(after)], [2, false]);
      const edited = new Map(shaders).set(file, text.replace(before, after));
      assert.deepEqual(uncalledEdits(shaders, edited, config, adapter), []);
      assert.equal(uncalledEdits(shaders, edited, { ...config, pipeline: "binned" }, adapter).length, 1);
      const check = await checkGradients(withCustomKernels(backend, edited), config);
      assert.equal(check?.agrees, false);
    });
  }
});
