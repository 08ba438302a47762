import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { compareSlot } from "../../../../src/components/learn/gradients/differences.js";
import { takeSample } from "../../../../src/components/learn/gradients/stepSample.js";
import { walkStep } from "../../../../src/components/learn/step/stepWalk.js";
import { CpuPipeline } from "../../../../src/engine/cpu/pipeline.js";
import { lossDifference, oracleGradients } from "../../../../src/engine/model/oracle.js";
import { uniformGenerator } from "../../../../src/engine/random.js";
import { Reference } from "../../../support/reference.js";
import { directScene, type Scene, scene } from "../../../support/scenes.js";

/** Returns a job after some steps, with its gradients. */
async function trained(job: Scene) {
  const pipeline = new CpuPipeline(job.config, job.image, job.state);
  await pipeline.advance(3);
  const state = await pipeline.state();
  const gradients = Float32Array.from(oracleGradients(job.config, job.image, state.parameters));
  return { ...job, state, gradients };
}

const near = (actual: number, expected: number, tolerance: number, what: string) =>
  assert.ok(
    Math.abs(actual - expected) <= tolerance * Math.max(Math.abs(expected), 1e-12),
    `${what}: ${actual} is not ${expected}`,
  );

describe("the walk through a step", () => {
  for (const [name, make] of Object.entries({ smoothstep: scene, direct: directScene })) {
    it(`agrees with the loss, gradient, parameters and image of the reference, ${name} blobs on one tile`, async () => {
      const moment = await trained(make({ tile: "20x14", biasCorrection: "exact", seed: 3 }));
      const sample = takeSample(moment, uniformGenerator(2));
      assert.ok(sample);
      const walk = walkStep(sample);
      near(walk.reduced, walk.gradient, 1e-4, "the tile's sum is the gradient");
      assert.notEqual(walk.reduced, 0);
      const reference = new Reference(moment.config, moment.image, moment.state);
      near(walk.squaredError / (20 * 14), reference.evaluate().loss, 1e-9, "loss");
      reference.advance(1);
      const after = reference.state();
      const slot = walk.field * moment.config.blobs + walk.blob;
      near(walk.after.parameter, after.parameters[slot], 1e-6, "parameter");
      near(walk.after.first, after.firstMoments[slot], 1e-6, "first moment");
      near(walk.after.second, after.secondMoments[slot], 1e-6, "second moment");
      assert.notEqual(walk.after.parameter, walk.before.parameter);
      const { data } = new Reference(moment.config, moment.image, after).render({ width: 20, height: 14 });
      for (const { x, y, next } of walk.pixels) {
        for (const [channel, value] of next.entries()) {
          assert.ok(Math.abs(value - data[4 * (20 * y + x) + channel]) < 1e-6, `pixel ${x}, ${y}`);
        }
      }
    });
  }
});

describe("the check of a whole step", () => {
  const { config, image, state } = scene({ blobs: 12, seed: 6 });
  const gradients = oracleGradients(config, image, state.parameters);

  it("agrees with the differences of the loss, and not if a gradient is off by a thousandth", () => {
    for (const slot of [3, 30, 55, 70, 100]) {
      const difference = lossDifference(config, image, state.parameters, slot, 1e-6);
      const right = compareSlot(gradients, slot, difference, "float64");
      assert.ok(right.agrees, `slot ${slot}: ${right.adjoint} is not ${difference}`);
      const off = gradients.with(slot, 1.001 * gradients[slot]);
      assert.equal(compareSlot(off, slot, difference, "float64").agrees, false, `slot ${slot}`);
    }
  });
});
