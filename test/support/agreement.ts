import assert from "node:assert/strict";
import { parameterCount, parameterNames } from "../../src/engine/blobs.js";
import type { Picture } from "../../src/engine/image.js";
import { gradientScales } from "./scenes.js";

/**
 * Gradients agree to a fraction of the largest of their parameter. A failure names seed, blob, parameter, both values
 * and the tolerance.
 */
export function assertGradientsAgree(
  actual: ArrayLike<number>,
  expected: ArrayLike<number>,
  fraction: number,
  seed: number,
): void {
  assert.equal(actual.length, expected.length);
  const blobs = expected.length / parameterCount;
  const scales = gradientScales(expected);
  for (let slot = 0; slot < expected.length; slot++) {
    const field = Math.floor(slot / blobs);
    const tolerance = fraction * scales[field];
    if (Math.abs(actual[slot] - expected[slot]) <= tolerance) continue;
    const where = `seed ${seed}, blob ${slot % blobs}, ${parameterNames[field]}`;
    assert.fail(`${where}: ${actual[slot]} is not ${expected[slot]} within ${tolerance}`);
  }
}

/**
 * Pictures agree within 1e-3 in every channel of all but one pixel in a thousand; the others, which sit on the 1/255
 * stop or on a support's edge, within 5e-3.
 */
export function assertPicturesAgree(actual: Picture, expected: Picture, seed: number): void {
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
