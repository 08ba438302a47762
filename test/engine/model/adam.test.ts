import assert from "node:assert/strict";
import { describe, it } from "vitest";
import type { TrainConfig } from "../../../src/engine/config.js";
import { parameterNames } from "../../../src/engine/model/blobs.js";
import { Reference } from "../../support/reference.js";
import { type Scene, scheduledScene, trainedModels } from "../../support/scenes.js";

/** Returns the parameters after training in float64, with a changed config. */
async function trained({ config, image, state }: Scene, change: Partial<TrainConfig> = {}): Promise<Float32Array> {
  const reference = new Reference({ ...config, ...change }, image, state);
  await reference.advance(config.steps);
  return (await reference.state()).parameters;
}

/** Returns the largest difference for each raw parameter. */
function differences(actual: Float32Array, expected: Float32Array): number[] {
  const blobs = expected.length / parameterNames.length;
  return parameterNames.map((_, field) => {
    let largest = 0;
    for (let slot = field * blobs; slot < (field + 1) * blobs; slot++) {
      largest = Math.max(largest, Math.abs(actual[slot] - expected[slot]));
    }
    return largest;
  });
}

describe("training with rates by group, a schedule and exact bias correction", () => {
  for (const schedule of ["exponential", "cosine"] as const) {
    for (const model of trainedModels) {
      it(`depends on each of them: ${model.parameterization} blobs, blend ${model.blend}, ${schedule} schedule`, async () => {
        const job = scheduledScene(model, schedule);
        const parameters = await trained(job);
        const changes: Partial<TrainConfig>[] = [
          { schedule: "constant" },
          { schedule: schedule === "cosine" ? "exponential" : "cosine" },
          { biasCorrection: "constant" },
        ];
        for (const change of changes) {
          const difference = differences(await trained(job, change), parameters);
          assert.ok(Math.max(...difference) > 1e-2, `${JSON.stringify(change)}: by ${difference}`);
        }
        const fields = { centerRate: 0, varianceRate: 2, correlationRate: 4, colorRate: 5, opacityRate: 8 };
        const isBlind = model.parameterization === "direct" && model.blend === "sum";
        for (const [name, field] of Object.entries(fields)) {
          if (isBlind && name === "opacityRate") continue;
          const difference = differences(await trained(job, { [name]: 1 }), parameters);
          assert.ok(difference[field] > 5e-3, `${name}: by ${difference}`);
        }
      });
    }
  }
});
