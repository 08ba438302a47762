import assert from "node:assert/strict";
import type { FloatImage } from "../../src/engine/image/image.js";
import { gradientLimitOf } from "../../src/engine/model/accumulate.js";
import { valueNames } from "../../src/engine/model/blob.js";
import { parameterCount, parameterNames } from "../../src/engine/model/blobs.js";
import { differentiate } from "../../src/engine/model/rasterize.js";
import { tiledBlobs } from "../../src/engine/model/tiledBlobs.js";
import type { Pipeline, StepStatistics } from "../../src/engine/pipeline.js";
import { uniformGenerator } from "../../src/engine/random.js";
import { Reference } from "./reference.js";
import { gradientScales, type Scene } from "./scenes.js";

/** Runs a comparison, and begins the message of its failure with a name. */
export async function named<T>(name: string, compare: () => Promise<T>): Promise<T> {
  try {
    return await compare();
  } catch (error) {
    if (error instanceof Error) error.message = `${name}: ${error.message}`;
    throw error;
  }
}

/**
 * Asserts that values of raw parameters agree to a fraction of their parameter's scale. A failure names seed, step, blob,
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

/** Asserts that gradients agree to a fraction of the largest one of their parameter. */
export function assertGradientsAgree(
  actual: ArrayLike<number>,
  expected: ArrayLike<number>,
  fraction: number,
  seed: number,
): void {
  assertValuesAgree(actual, expected, gradientScales(expected), fraction, `seed ${seed}`);
}

/**
 * Asserts that each gradient, also of weak blobs, agrees to 1e-3 of itself plus the effect of rounding to float32: of the
 * raw parameters, and of the pixels' contributions, which may cancel out. The largest difference of a pipeline on the
 * software adapter is a third of this tolerance.
 */
export function assertEachGradientAgrees(actual: ArrayLike<number>, expected: ArrayLike<number>, job: Scene): void {
  const { blobs, seed } = job.config;
  const [sums, shifts, scales] = [absoluteSums(job), roundingShifts(job), gradientScales(expected)];
  for (let slot = 0; slot < expected.length; slot++) {
    const field = Math.floor(slot / blobs);
    const rounding = 2 ** -15 * sums[slot] + 2 * shifts[slot] + 1e-9 * scales[field];
    const tolerance = 1e-3 * Math.abs(expected[slot]) + rounding;
    if (Math.abs(actual[slot] - expected[slot]) <= tolerance) continue;
    const context = `seed ${seed}, blob ${slot % blobs}, ${parameterNames[field]}, separately`;
    assert.fail(`${context}: ${actual[slot]} is not ${expected[slot]} within ${tolerance}`);
  }
}

/** Returns the change of each gradient, in float64, if all raw parameters are off by a few float32 roundings at random. */
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

/** Returns the sum of the pixels' absolute contributions to each gradient, in float64. */
function absoluteSums({ config, image, state: { parameters } }: Scene): Float64Array {
  const tiled = tiledBlobs(config, image, parameters);
  const sums = new Float64Array(parameters.length);
  const largest = gradientLimitOf(config.parameterization);
  differentiate(tiled, image.data, {
    blob(i, gradient) {
      for (const [field, name] of valueNames.entries()) {
        const slot = field * config.blobs + i;
        sums[slot] += Math.min(Math.abs(gradient[name] * tiled.blobs[i].slope[name]), largest);
      }
    },
  });
  return sums;
}

/** Asserts that a backward pass, its statistics, and renders in three shapes agree with the CPU reference. Returns the statistics. */
export async function assertPassAgrees(pipeline: Pipeline, scene: Scene): Promise<StepStatistics> {
  const { config, image, state } = scene;
  const reference = new Reference(config, image, state);
  const [gradients, expectedGradients] = [await pipeline.computeGradients(), reference.evaluate().gradients];
  assertGradientsAgree(gradients, expectedGradients, 1e-3, config.seed);
  assertEachGradientAgrees(gradients, expectedGradients, scene);
  for (const { width, height } of [image, { width: 23, height: 9 }, { width: 7, height: 17 }]) {
    assertImagesAgree(await pipeline.render({ width, height }), await reference.render({ width, height }), config.seed);
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
 * Asserts that training in the given batches agrees with the CPU reference: parameters to a thousandth of the largest
 * change of their kind, and Adam's moments to a thousandth of the largest. Without the moments, gradients that are all too
 * small would hardly show, since Adam divides by their size.
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
 * Asserts that images agree within 1e-3 in every channel of all but one pixel in a thousand; the others, which are at the
 * 1/255 stop or the edge of a support, within 5e-3.
 */
export function assertImagesAgree(actual: FloatImage, expected: FloatImage, seed: number): void {
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
