import assert from "node:assert/strict";
import { beforeAll, describe } from "vitest";
import { replayOnGpu } from "../../../../../src/components/learn/adam/adamKernel.js";
import {
  recordedSequence,
  type TrainedRun,
  type TrainingTask,
  trainByRule,
} from "../../../../../src/components/learn/adam/recordedTraining.js";
import { replay } from "../../../../../src/components/learn/adam/replay.js";
import { type Rule, rules } from "../../../../../src/components/learn/adam/rules.js";
import { longestStep } from "../../../../../src/components/learn/adam/stepBound.js";
import { largestDifference } from "../../../../../src/components/learn/largest.js";
import { cpuBackend } from "../../../../../src/engine/cpu/pipeline.js";
import { adamConstants, corrections, updateBlobs } from "../../../../../src/engine/model/adam.js";
import { parameterCount } from "../../../../../src/engine/model/blobs.js";
import { ratesAt } from "../../../../../src/engine/model/rates.js";
import { uniformGenerator } from "../../../../../src/engine/random.js";
import { it } from "../../../../support/gpu.js";
import { scene } from "../../../../support/scenes.js";

const adam = ["constant", "exact"] as const;
const unit = (rule: Rule, epsilon = adamConstants.epsilon) => ({
  rule,
  rateAt: () => 1,
  constants: { ...adamConstants, epsilon },
});

describe("replay()", () => {
  it("of Adam is bit-identical to the engine's update", () => {
    const random = uniformGenerator(7);
    const gradients = Float64Array.from({ length: 200 }, () => 10 ** (-6 * random()) * (random() - 0.5));
    for (const rule of adam) {
      const result = replay(gradients, 0.3, { rule, rateAt: (t) => 0.01 / t, constants: adamConstants });
      const [parameter, m, v] = [Float64Array.of(0.3), new Float64Array(1), new Float64Array(1)];
      for (const [i, g] of gradients.entries()) {
        updateBlobs(parameter, m, v, Float64Array.of(g), [0.01 / (i + 1)], corrections(rule, i + 1));
        assert.equal(result.parameters[i], parameter[0]);
        assert.equal(result.moments.first[i], m[0]);
        assert.equal(result.moments.second[i], v[0]);
        assert.equal(result.second[i], v[0] / corrections(rule, i + 1)[1]);
      }
    }
  });

  it("of gradient descent steps by the gradient, and of momentum by a weighted sum of all gradients", () => {
    const gradients = [4, -2, 1];
    const plain = replay(gradients, 1, unit("sgd"));
    assert.deepEqual([...plain.parameters], [-3, -1, -2]);
    const { updates } = replay(gradients, 1, unit("momentum"));
    const weight = (age: number) => 0.1 * 0.9 ** age;
    const expected = -(4 * weight(2) - 2 * weight(1) + 1 * weight(0));
    assert.ok(Math.abs(updates[2] - expected) < 1e-15);
  });
});

it("longestStep() is not exceeded by random sequences, with any constants", () => {
  const random = uniformGenerator(3);
  for (let trial = 0; trial < 100; trial++) {
    const constants = { beta1: random(), beta2: 0.5 + 0.4999 * random(), epsilon: 0 };
    const growth = 10 ** (random() - 0.5);
    const gradients = Float64Array.from({ length: 40 }, (_, i) => growth ** i * (random() - 0.5 * random()));
    for (const rule of adam) {
      const { updates } = replay(gradients, 0, { rule, rateAt: () => 1, constants });
      for (const [i, step] of updates.entries())
        assert.ok(Math.abs(step) <= longestStep(rule, i + 1, constants) * (1 + 1e-9), `${rule}, step ${i + 1}`);
    }
  }
  assert.equal(longestStep("constant", 1e6).toFixed(3), "2.299");
});

/** Trains a task to its end. */
async function trained(task: TrainingTask): Promise<TrainedRun> {
  let last: TrainedRun | undefined;
  for await (const run of trainByRule(cpuBackend, task)) last = run;
  return last!;
}

describe("trainByRule()", () => {
  const { config, image } = scene({
    pipeline: "cpu",
    learningRate: 0.02,
    steps: 40,
    schedule: "cosine",
    finalRate: 0.1,
  });
  const runs = new Map<Rule, TrainedRun>();
  beforeAll(async () => {
    for (const rule of rules) {
      const task = { rule, config: { ...config, learningRate: rule === "constant" ? 0.02 : 0.01 }, image, steps: 40 };
      runs.set(rule, await trained(task));
    }
  });

  it("trains as the pipeline does with the configured rule, and its replay reproduces the parameter", async () => {
    const run = runs.get("constant")!;
    const pipeline = await cpuBackend.open(config, image);
    await pipeline.advance(40);
    assert.deepEqual(run.parameters.at(-1), (await pipeline.state()).parameters);
    for (const [kept, field] of [
      [0, 0],
      [11, 4],
      [29, 8],
    ]) {
      const start = run.parameters[0][field * 30 + kept];
      const result = replay(recordedSequence(run, "gradients", kept, field), start, {
        rule: "constant",
        rateAt: (t) => ratesAt(config, t)[field],
        constants: adamConstants,
        precision: Float32Array,
      });
      // The pipeline computes a step in float32, the replay in float64 from the float32 values before it.
      const recorded = recordedSequence(run, "parameters", kept, field).subarray(1);
      const difference = largestDifference(result.parameters, recorded);
      assert.ok(
        result.parameters.length === recorded.length && difference < 1e-6,
        `field ${field} of blob ${kept}: ${difference}`,
      );
    }
  });

  it("lowers the loss with every rule, with different results", () => {
    const ends = rules.map((rule) => {
      const { losses } = runs.get(rule)!;
      assert.ok(losses[39] < losses[0], rule);
      return losses[39];
    });
    assert.equal(new Set(ends).size, 4);
  });

  it("is reproduced by the training kernel, to float32 rounding", async ({ gpu }) => {
    const run = runs.get("constant")!;
    const blob = (all: Float32Array) =>
      Float32Array.from({ length: parameterCount }, (_, field) => all[field * 30 + 5]);
    const result = await replayOnGpu(gpu, run.config, image, blob(run.parameters[0]), run.gradients.map(blob));
    let moved = 0;
    for (const [t, values] of result.entries()) {
      for (const [field, value] of values.entries()) {
        assert.ok(Math.abs(value - blob(run.parameters[t + 1])[field]) < 2e-6, `step ${t + 1}, parameter ${field}`);
        moved = Math.max(moved, Math.abs(value - blob(run.parameters[0])[field]));
      }
    }
    assert.ok(moved > 0.1);
  });
});
