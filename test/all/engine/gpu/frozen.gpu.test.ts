import assert from "node:assert/strict";
import { describe } from "vitest";
import { cpuBackend } from "../../../../src/engine/cpu/pipeline.js";
import type { KernelVariant } from "../../../../src/engine/gpu/binned/layout.js";
import { BinnedPipeline } from "../../../../src/engine/gpu/binned/pipeline.js";
import type { Gpu } from "../../../../src/engine/gpu/device.js";
import type { TrainingState } from "../../../../src/engine/model/blobs.js";
import type { Pipeline } from "../../../../src/engine/pipeline.js";
import { backendOn, it } from "../../../support/gpu.js";
import { limitsOf } from "../../../support/limits.js";
import { directScene } from "../../../support/scenes.js";

const { config, image, state } = directScene({ blobs: 40, learningRate: 0.02 }, 40, 32);
const frozen = Uint8Array.from({ length: config.blobs }, (_, i) => Number(i % 3 === 0));

type Open = (gpu: Gpu, state: TrainingState) => Promise<Pipeline>;
const binned =
  (variant: KernelVariant, bytes?: number): Open =>
  (gpu, state) =>
    BinnedPipeline.open(
      gpu,
      { config: { ...config, pipeline: "binned" }, image, state },
      { variant, ...(bytes !== undefined && { limits: limitsOf(bytes) }) },
    );
const engines: Record<string, Open> = {
  cpu: (_, state) => cpuBackend.open({ ...config, pipeline: "cpu" }, image, state),
  tiled: (gpu, state) => backendOn(gpu).open({ ...config, pipeline: "tiled", gaussiansPerBlock: 64 }, image, state),
  "binned by workgroups": binned("Workgroup"),
  "binned in bands": binned("Workgroup", 20_000),
};

/** Returns the parameter slots of the frozen blobs, or of the others. */
const slotsOf = (areFrozen: boolean) =>
  Array.from(state.parameters).flatMap((_, slot) => (Boolean(frozen[slot % config.blobs]) === areFrozen ? [slot] : []));
const pick = (values: Float32Array, slots: ArrayLike<number>) => Array.from(slots, (slot) => values[slot]);

describe("frozen blobs", () => {
  for (const [name, open] of Object.entries(engines)) {
    it(`do not change while the others learn: ${name}`, async ({ gpu }) => {
      const pipeline = await open(gpu, { ...state, frozen });
      const free = await open(gpu, state);
      await Promise.all([pipeline.advance(1), free.advance(1)]);
      const [one, other] = await Promise.all([pipeline.state(), free.state()]);
      // The first step does not depend on frozen blobs. Gradients of tiled are summed in any order.
      const learning = pick(one.parameters, slotsOf(false));
      for (const [k, value] of pick(other.parameters, slotsOf(false)).entries())
        assert.ok(Math.abs(learning[k] - value) <= (name === "tiled" ? 1e-3 : 0), `${learning[k]} for ${value}`);
      await pipeline.advance(4);
      const after = await pipeline.state();
      const gradients = await pipeline.computeGradients();
      for (const buffer of ["parameters", "firstMoments", "secondMoments"] as const)
        assert.deepEqual(pick(after[buffer], slotsOf(true)), pick(state[buffer], slotsOf(true)), buffer);
      assert.ok(pick(after.parameters, slotsOf(false)).some((value, k) => value !== learning[k]));
      assert.ok(pick(gradients, slotsOf(true)).some((value) => value !== 0));
      // A checkpoint keeps the mask.
      assert.deepEqual(after.frozen, frozen);
      await Promise.all([pipeline.free(), free.free()]);
    });
  }
});
