import assert from "node:assert/strict";
import { describe } from "vitest";
import type { TrainConfig } from "../../../src/engine/config.js";
import { CpuPipeline } from "../../../src/engine/cpu/pipeline.js";
import { parameterNames } from "../../../src/engine/model/blobs.js";
import { assertTrainingAgrees } from "../../support/agreement.js";
import { backendOn, it } from "../../support/gpu.js";
import { models, type Scene, sceneOf } from "../../support/scenes.js";

const steps = 8;
const rates = { centerRate: 3, varianceRate: 0.7, correlationRate: 1.5, colorRate: 0.4, opacityRate: 2 };

/** The parameters that float64 arithmetic trains to, with some of the config changed. */
async function trained({ config, image, state }: Scene, change: Partial<TrainConfig> = {}): Promise<Float32Array> {
  const twin = new CpuPipeline({ ...config, ...change }, image, state, Float64Array);
  await twin.advance(steps);
  return (await twin.state()).parameters;
}

/** The largest difference of a parameter's values, for each parameter. */
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

const trainedModels = models.filter(({ composite }) => composite === "black");

describe("training with rates by group, a schedule and exact bias correction", () => {
  for (const schedule of ["exponential", "cosine"] as const) {
    for (const model of trainedModels) {
      const options = { ...rates, schedule, finalRate: 0.05, biasCorrection: "exact", learningRate: 0.01, steps };
      const job = sceneOf(model, { ...options, blobs: 24, seed: 21 });

      for (const pipeline of ["simple", "tiled", "binned"] as const) {
        it(`ends at the float64 twin's parameters in the ${pipeline} pipeline: ${model.parameterization} blobs, blend ${model.blend}, ${schedule} schedule`, async ({
          gpu,
        }) => {
          const config = { ...job.config, pipeline };
          const opened = await backendOn(gpu).open(config, job.image, job.state);
          await assertTrainingAgrees(opened, { ...job, config }, 1, steps - 1);
          await opened.free();
        });
      }

      it(`goes elsewhere without any of them: ${model.parameterization} blobs, blend ${model.blend}, ${schedule} schedule`, async () => {
        const parameters = await trained(job);
        const changes: Partial<TrainConfig>[] = [
          { schedule: "constant" },
          { schedule: schedule === "cosine" ? "exponential" : "cosine" },
          { biasCorrection: "constant" },
        ];
        for (const change of changes) {
          const elsewhere = differences(await trained(job, change), parameters);
          assert.ok(Math.max(...elsewhere) > 1e-2, `${JSON.stringify(change)}: by ${elsewhere}`);
        }
        const fields = { centerRate: 0, varianceRate: 2, correlationRate: 4, colorRate: 5, opacityRate: 8 };
        const isBlind = model.parameterization === "direct" && model.blend === "sum";
        for (const [name, field] of Object.entries(fields)) {
          if (isBlind && name === "opacityRate") continue;
          const elsewhere = differences(await trained(job, { [name]: 1 }), parameters);
          assert.ok(elsewhere[field] > 5e-3, `${name}: by ${elsewhere}`);
        }
      });
    }
  }
});

describe("a pipeline that has not trained yet", () => {
  const { config, image, state } = sceneOf(models[0], { blobs: 24, seed: 21 });
  const half = { width: image.width / 2, height: image.height / 2 };

  for (const pipeline of ["simple", "tiled", "binned"] as const) {
    it(`draws at another size than the target's, as its twin does: ${pipeline}`, async ({ gpu }) => {
      const opened = await backendOn(gpu).open({ ...config, pipeline }, image, state);
      const { data } = await opened.render(half);
      await opened.free();
      const twin = await new CpuPipeline(config, image, state, Float64Array).render(half);
      assert.ok(data.every((value, i) => Math.abs(value - twin.data[i]) <= 1e-3));
    });
  }
});
