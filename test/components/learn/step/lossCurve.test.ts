import assert from "node:assert/strict";
import sharp from "sharp";
import { it } from "vitest";
import { completeConfig } from "../../../../src/engine/config.js";
import { CpuPipeline } from "../../../../src/engine/cpu/pipeline.js";
import { initialState } from "../../../../src/engine/training/initialState.js";
import { Reference } from "../../../support/reference.js";

it("the first steps of a chapter's run gain most", async () => {
  const pixels = await sharp("data/images/astronaut.png").resize(64, 64).ensureAlpha().raw().toBuffer();
  const image = { width: 64, height: 64, data: new Uint8ClampedArray(pixels) };
  const config = completeConfig({ blobs: 200, steps: 1000, learningRate: 0.01, tile: [8, 8], pipeline: "cpu" });
  const pipeline = new CpuPipeline(config, image, initialState(config, image));
  const lossAfter = async (steps: number) => {
    while (pipeline.step < steps) await pipeline.advance(steps - pipeline.step);
    return new Reference(config, image, await pipeline.state()).evaluate().loss;
  };
  const [first, early, last] = [await lossAfter(0), await lossAfter(100), await lossAfter(1000)];
  assert.ok(first - early > 2 * (early - last), `${first}, ${early}, ${last}`);
  assert.ok(early > last);
  // The axes of the prediction.
  assert.ok(first < 1 && last > 0.001);
});
