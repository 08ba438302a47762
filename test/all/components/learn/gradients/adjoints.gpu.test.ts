import assert from "node:assert/strict";
import { describe } from "vitest";
import { kernelAdjoint } from "../../../../../src/components/learn/gradients/adjointKernel.js";
import { adjointOf } from "../../../../../src/components/learn/gradients/adjoints.js";
import {
  checkSlopes,
  compareSlopes,
  oneSidedSlopes,
} from "../../../../../src/components/learn/gradients/differences.js";
import { adjointStages, type StageAdjoint } from "../../../../../src/components/learn/gradients/stageAdjoint.js";
import { type StepSample, takeSample } from "../../../../../src/components/learn/gradients/stepSample.js";
import type { Background } from "../../../../../src/engine/config.js";
import { uniformGenerator } from "../../../../../src/engine/random.js";
import { it } from "../../../../support/gpu.js";
import { Reference } from "../../../../support/reference.js";
import { directScene, type Scene, scene } from "../../../../support/scenes.js";

const h = 1e-5;

function sampleOf(job: Scene, seed = 1): StepSample {
  const sample = takeSample(job, uniformGenerator(seed));
  assert.ok(sample, "a pixel with blobs");
  return sample;
}

/** Yields the stages of samples of several models, and one with another background. */
function* everyStage(seeds: number) {
  for (let seed = 1; seed <= seeds; seed++) {
    const jobs = {
      seeds: scene({ blobs: 40, seed }),
      "white background": scene({ blobs: 40, seed, background: "white" }),
      "direct blobs": directScene({ blobs: 40, seed, blend: "over" }),
      "a sum": directScene({ blobs: 40, seed }),
    };
    for (const [name, job] of Object.entries(jobs)) {
      const sample = sampleOf(job, seed);
      for (const stage of adjointStages) {
        yield { where: `${stage}, ${name}, seed ${seed}`, sample, adjoint: adjointOf(stage, sample) };
      }
      const background: Background = job.config.background === "white" ? "original" : "white";
      yield {
        where: `background ${background}, ${name}, seed ${seed}`,
        sample,
        adjoint: adjointOf("composite", sample, background),
        background,
      };
    }
  }
}

function compare(adjoint: StageAdjoint, x: readonly number[], d: readonly number[], backward = adjoint.backward) {
  return checkSlopes(adjoint, x, d, backward(x, d), h);
}

describe("the adjoint of each stage", () => {
  it("equals its central difference at the values of the run within 1e-5", () => {
    for (const { where, adjoint } of everyStage(2)) {
      const compared = compare(adjoint, adjoint.at, adjoint.incoming);
      for (const [k, { agrees, relativeError: apart, adjoint: slope, difference }] of compared.entries()) {
        assert.ok(agrees, `${where}, ${adjoint.inputs[k].name}: ${slope} is not ${difference}, ${apart} apart`);
      }
      assert.ok(
        compared.some(({ difference }) => Math.abs(difference) > 1e-9),
        `${where} has a slope`,
      );
    }
  });

  it("disagrees with the difference if it has a mistake", () => {
    for (const { where, adjoint } of everyStage(2)) {
      const compared = compare(adjoint, adjoint.at, adjoint.incoming, adjoint.mistake.backward);
      assert.ok(
        compared.some(({ agrees }) => !agrees),
        `${where}: not detected: ${adjoint.mistake.description}`,
      );
    }
  });

  it("of the whole chain equals the gradient of the oracle for an image of one pixel", () => {
    const job = scene({ blobs: 12, covarianceScale: 0.3, seed: 3 }, 1, 1);
    const sample = sampleOf(job);
    const { gradients } = new Reference(job.config, job.image, job.state).evaluate();
    const { at, incoming, backward } = adjointOf("chain", sample);
    const own = Array.from(at, (_, field) => gradients[12 * field + sample.index]);
    assert.deepEqual(backward(at, incoming), own);
    assert.ok(own.every((slope) => slope !== 0));
  });
});

describe("at a kink or a jump", () => {
  const sample = sampleOf(scene({ blobs: 40, seed: 2 }));
  const at = (stage: "falloff" | "blend", kink: number) => {
    const adjoint = adjointOf(stage, sample);
    const { move, input } = adjoint.kinks![kink];
    const x = move(adjoint.at);
    const step = h * adjoint.inputs[input].unit;
    const d = [1, 1, 1, 0].slice(0, adjoint.outputs.length);
    return { ...oneSidedSlopes(adjoint.forward, x, d, input, step), slope: adjoint.backward(x, d)[input], x, step };
  };

  it("the check accepts a one-sided slope, reports both, and accepts no other slope", () => {
    for (const kink of [0, 1]) {
      const { x, slope } = at("falloff", kink);
      const falloff = adjointOf("falloff", sample);
      const { input } = falloff.kinks![kink];
      const checked = (own: number) => checkSlopes(falloff, x, [1], falloff.backward(x, [1]).with(input, own), h);
      assert.ok(checked(slope).every(({ agrees }) => agrees));
      const { left, right } = checked(slope)[input].kink!;
      assert.ok([left, right].some((side) => side !== undefined && Math.abs(side - slope) <= 1e-5 * Math.abs(slope)));
      const other = kink === 0 ? left! : slope;
      for (const wrong of [0.9 * other, -other]) assert.equal(checked(wrong)[input].agrees, false);
    }
  });
});

it("the float32 adjoints of the kernels equal those of the float64 CPU reference", async ({ gpu }) => {
  const ofSeeds = sampleOf(scene({ blobs: 40, seed: 2 }));
  const direct = sampleOf(directScene({ blobs: 40, seed: 2, blend: "over" }));
  const cases = [
    ...adjointStages.map((stage) => ({ stage, sample: ofSeeds, background: "original" as Background })),
    { stage: "composite" as const, sample: ofSeeds, background: "white" as Background },
    { stage: "decode" as const, sample: direct, background: direct.config.background },
  ];
  for (const { stage, sample, background } of cases) {
    const adjoint = adjointOf(stage, sample, background);
    const { at, incoming, inputs } = adjoint;
    const slopes = await kernelAdjoint(gpu, adjoint, at);
    const compared = compareSlopes(adjoint, slopes, adjoint.backward(at, incoming), 1e-3);
    for (const [k, { agrees, adjoint: slope, difference }] of compared.entries()) {
      assert.ok(agrees, `${stage}, ${inputs[k].name}: ${slope} is not ${difference}`);
    }
    assert.ok(
      slopes.some((slope) => slope !== 0),
      stage,
    );
  }
});
