import assert from "node:assert/strict";
import type { FloatImage } from "../../src/engine/image/image.js";
import { gradientLimitOf } from "../../src/engine/model/accumulate.js";
import { decodeAll, valueNames } from "../../src/engine/model/blob.js";
import { parameterCount, parameterNames } from "../../src/engine/model/blobs.js";
import { differentiate } from "../../src/engine/model/rasterize.js";
import { listsOf, renderOf, renderTask } from "../../src/engine/model/renderTasks.js";
import type { Pipeline, StepStatistics } from "../../src/engine/pipeline.js";
import { uniformGenerator } from "../../src/engine/random.js";
import { Reference } from "./reference.js";
import { gradientScales, type Scene } from "./scenes.js";

/**
 * Values of each raw parameter agree to a fraction of their parameter's scale. A failure names seed, step, blob,
 * parameter, both values and the tolerance.
 */
function assertValuesAgree(
  actual: ArrayLike<number>,
  expected: ArrayLike<number>,
  scales: number[],
  fraction: number,
  context: string,
): void {
  assert.equal(actual.length, expected.length);
  const blobs = expected.length / parameterCount;
  for (let slot = 0; slot < expected.length; slot++) {
    const field = Math.floor(slot / blobs);
    const tolerance = fraction * scales[field];
    if (Math.abs(actual[slot] - expected[slot]) <= tolerance) continue;
    const value = `${context}, blob ${slot % blobs}, ${parameterNames[field]}`;
    assert.fail(`${value}: ${actual[slot]} is not ${expected[slot]} within ${tolerance}`);
  }
}

/** Gradients agree to a fraction of the largest of their parameter. */
export function assertGradientsAgree(
  actual: ArrayLike<number>,
  expected: ArrayLike<number>,
  fraction: number,
  seed: number,
): void {
  assertValuesAgree(actual, expected, gradientScales(expected), fraction, `seed ${seed}`);
}

/**
 * Each gradient, however weak its blob is, agrees on its own scale: to 1e-3 of itself, and to what rounding to float32 can
 * do. That acts on the raw parameters, and on what the pixels add, which may cancel out. The largest disagreement of a
 * pipeline on the software adapter is a third of what is allowed.
 */
export function assertEachGradientAgrees(actual: ArrayLike<number>, expected: ArrayLike<number>, job: Scene): void {
  const { blobs, seed } = job.config;
  const [sums, shifts, scales] = [absoluteSums(job), roundingShifts(job), gradientScales(expected)];
  for (let slot = 0; slot < expected.length; slot++) {
    const field = Math.floor(slot / blobs);
    const rounding = 2 ** -15 * sums[slot] + 2 * shifts[slot] + 1e-9 * scales[field];
    const tolerance = 1e-3 * Math.abs(expected[slot]) + rounding;
    if (Math.abs(actual[slot] - expected[slot]) <= tolerance) continue;
    const context = `seed ${seed}, blob ${slot % blobs}, ${parameterNames[field]}, by itself`;
    assert.fail(`${context}: ${actual[slot]} is not ${expected[slot]} within ${tolerance}`);
  }
}

/** How far each gradient moves, in float64, where all raw parameters are a few roundings to float32 off at random. */
function roundingShifts({ config, image, state }: Scene): Float64Array {
  const reference = new Reference(config, image, state);
  const exact = Float64Array.from(reference.evaluate().gradients);
  const random = uniformGenerator(1);
  const shifts = new Float64Array(exact.length);
  for (let trial = 0; trial < 3; trial++) {
    const perturbed = Float64Array.from(
      state.parameters,
      (value) => value * (1 + (random() < 0.5 ? -1 : 1) * 2 ** -22),
    );
    const { gradients } = reference.evaluate(perturbed);
    for (let slot = 0; slot < exact.length; slot++) {
      shifts[slot] = Math.max(shifts[slot], Math.abs(gradients[slot] - exact[slot]));
    }
  }
  return shifts;
}

/** What the pixels add to each gradient, by its size, in float64. */
function absoluteSums({ config, image, state: { parameters } }: Scene): Float64Array {
  const render = renderOf(config, image);
  const lists = listsOf(render, parameters);
  const allTiles = renderTask(render, lists, parameters, image.data, 0, lists.across * lists.down);
  const decoded = decodeAll(allTiles.parameters, render.model);
  const sums = new Float64Array(parameters.length);
  const largest = gradientLimitOf(config.parameterization);
  differentiate(allTiles, undefined, {
    blob(index, _alpha, _dAlpha, _before, _d, gradient) {
      for (const [field, name] of valueNames.entries()) {
        const slot = field * config.blobs + allTiles.blobs[index];
        sums[slot] += Math.min(Math.abs(gradient[name] * decoded[index].slope[name]), largest);
      }
    },
  });
  return sums;
}

/** One backward pass, its statistics, and renders at three shapes agree with the float64 twin; returns the statistics. */
export async function assertPassAgrees(pipeline: Pipeline, scene: Scene): Promise<StepStatistics> {
  const { config, image, state } = scene;
  const reference = new Reference(config, image, state);
  const [gradients, expectedGradients] = [await pipeline.computeGradients(), reference.evaluate().gradients];
  assertGradientsAgree(gradients, expectedGradients, 1e-3, config.seed);
  assertEachGradientAgrees(gradients, expectedGradients, scene);
  for (const { width, height } of [image, { width: 23, height: 9 }, { width: 7, height: 17 }]) {
    assertPicturesAgree(
      await pipeline.render({ width, height }),
      await reference.render({ width, height }),
      config.seed,
    );
  }
  const statistics = await pipeline.statistics();
  const expected = await reference.statistics();
  assert.ok(Math.abs(statistics.loss - expected.loss) <= 1e-5 * expected.loss, "loss");
  for (const [group, norm] of Object.entries(expected.gradientNorms)) {
    const actual = statistics.gradientNorms[group as keyof typeof expected.gradientNorms];
    assert.ok(Math.abs(actual - norm) <= 1e-3 * norm, `${group}: norm ${actual} is not ${norm}`);
  }
  return statistics;
}

/**
 * Training, cut as told, ends where the float64 twin does: parameters to a thousandth of the farthest that one of their
 * kind went, and Adam's moments to a thousandth of the largest. The moments are there since Adam divides by the size of
 * the gradients, so that parameters hardly tell when all of them are too small.
 */
export async function assertTrainingAgrees(
  pipeline: Pipeline,
  { config, image, state }: Scene,
  ...batches: number[]
): Promise<void> {
  const reference = new Reference(config, image, state);
  for (const steps of batches) await pipeline.advance(steps);
  await reference.advance(batches.reduce((sum, steps) => sum + steps, 0));
  const [actual, expected] = await Promise.all([pipeline.state(), reference.state()]);
  assert.equal(actual.step, expected.step);
  const changes = expected.parameters.map((value, slot) => value - state.parameters[slot]);
  for (const name of ["parameters", "firstMoments", "secondMoments"] as const) {
    const scales = gradientScales(name === "parameters" ? changes : expected[name]);
    const context = `seed ${config.seed}, step ${expected.step}, ${name}`;
    assertValuesAgree(actual[name], expected[name], scales, 1e-3, context);
  }
}

/**
 * Pictures agree within 1e-3 in every channel of all but one pixel in a thousand; the others, which sit on the 1/255
 * stop or on a support's edge, within 5e-3.
 */
export function assertPicturesAgree(actual: FloatImage, expected: FloatImage, seed: number): void {
  assert.deepEqual([actual.width, actual.height], [expected.width, expected.height]);
  let flips = 0;
  for (let pixel = 0; pixel < expected.data.length; pixel += 4) {
    let difference = 0;
    for (let channel = 0; channel < 3; channel++) {
      const error = Math.abs(actual.data[pixel + channel] - expected.data[pixel + channel]);
      difference = Math.max(difference, Number.isNaN(error) ? Number.POSITIVE_INFINITY : error);
    }
    if (difference <= 1e-3) continue;
    flips++;
    assert.ok(difference <= 5e-3, `seed ${seed}, pixel ${pixel / 4}: a channel differs by ${difference}`);
  }
  const allowed = Math.ceil(expected.width * expected.height * 1e-3);
  assert.ok(flips <= allowed, `seed ${seed}: ${flips} pixels differ by more than 1e-3, at most ${allowed} may`);
}
