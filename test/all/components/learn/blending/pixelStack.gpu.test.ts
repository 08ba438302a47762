import assert from "node:assert/strict";
import { describe } from "vitest";
import { tracePixel } from "../../../../../src/components/learn/blending/pixelKernel.js";
import { blendSteps, colorOf, pixelStack } from "../../../../../src/components/learn/blending/pixelStack.js";
import { largestDifference } from "../../../../../src/components/learn/largest.js";
import { compositeChannel } from "../../../../../src/engine/model/blend.js";
import { uniformGenerator } from "../../../../../src/engine/random.js";
import { listAt, momentOf } from "../../../../components/learn/moment.js";
import { it } from "../../../../support/gpu.js";
import { models, scene, sceneOf } from "../../../../support/scenes.js";

describe("blendSteps()", () => {
  it("ends with the pixel that the CPU engine renders, in models of each blend and background, at pixels of different tiles", async () => {
    for (const model of models.slice(3, 7)) {
      const job = sceneOf(model, { blobs: 60, tile: [8, 4] });
      const moment = await momentOf(job);
      const random = uniformGenerator(7);
      const { width, height, data } = moment.inspection.render;
      for (let n = 0; n < 12; n++) {
        const [x, y] = [Math.floor(width * random()), Math.floor(height * random())];
        const { blobs } = pixelStack(moment, listAt(moment, x, y), x, y);
        const { after } = blendSteps(blobs, job.config.blend).at(-1)!;
        const color = colorOf(after).map((c) => compositeChannel(c, after.transmittance, job.config.background));
        const drawn = data.subarray(4 * (y * width + x), 4 * (y * width + x) + 4);
        // The pipeline renders in float32.
        const difference = largestDifference([...color, after.transmittance], drawn);
        assert.ok(difference < 1e-5, `${JSON.stringify(model)} ${x}, ${y}: ${difference}`);
      }
    }
  });
});

describe("tracePixel()", () => {
  it("agrees with the CPU reference for each blob, forward and backward", async ({ gpu }) => {
    const job = scene({ blobs: 300, covarianceScale: 0.3 }, 16, 8);
    const moment = await momentOf(job);
    const [x, y] = [9, 6];
    const stack = pixelStack(moment, listAt(moment, x, y), x, y);
    const { blobs } = stack;
    assert.ok(blobs.length > 256, "more than one pass");
    const steps = blendSteps(blobs, "over");
    const { forward, backward, start } = await tracePixel(gpu, stack);
    const near = (a: number, b: number, name: string) => assert.ok(Math.abs(a - b) < 2e-5, `${name}: ${a}, not ${b}`);
    assert.equal(forward.length, steps.length);
    for (const [i, { index, alpha, after }] of steps.entries()) {
      assert.deepEqual([forward[i].blob, forward[i].finalCount], [index, after.finalCount], `iteration ${i}`);
      near(forward[i].alpha, alpha, "alpha");
      for (const [channel, value] of [...colorOf(after), after.transmittance].entries()) {
        near(forward[i].after[channel], value, `iteration ${i}, channel ${channel}`);
      }
    }
    const applied = steps.filter(({ isApplied }) => isApplied).reverse();
    assert.equal(backward.length, applied.length);
    for (const [i, { index, before }] of applied.entries()) {
      assert.equal(backward[i].blob, index);
      near(backward[i].undone[3], before.transmittance, "T before");
    }
    for (const [channel, value] of [0, 0, 0, 1].entries()) near(start[channel], value, "the start");
  });
});
