import assert from "node:assert/strict";
import { blobsAt, sampleAt } from "../../../src/learn/gradients.js";
import { backendOn, it } from "../../support/gpu.js";
import { scene } from "../../support/scenes.js";

it("the kernels have the gradients of the chapter's stages for an image of one pixel, in float32", async ({ gpu }) => {
  const snapshot = { name: "waves", ...scene({ pipeline: "tiled", blobs: 12, covarianceScale: 0.3, seed: 3 }, 1, 1) };
  const { config, image, state } = snapshot;
  const pipeline = await backendOn(gpu).open(config, image, state);
  const gradients = await pipeline.computeGradients();
  await pipeline.free();
  const stack = blobsAt(snapshot, 0, 0);
  assert.ok(stack.length > 3);
  for (const [place, { index }] of stack.entries()) {
    const { adjoints } = sampleAt(snapshot, 0, 0, place)!;
    for (let field = 0; field < 9; field++) {
      const [found, expected] = [gradients[12 * field + index], adjoints[`θ${field}`]];
      assert.ok(
        Math.abs(found - expected) <= 1e-3 * Math.max(Math.abs(expected), 1e-3),
        `blob ${index}, θ${field}: ${found}, ${expected}`,
      );
    }
  }
});
