import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { falloffDeviation, falloffStops } from "../../../../src/engine/files/svg/falloff.js";
import { type Contribution, orderContributions } from "../../../../src/engine/files/svg/order.js";
import { toSvg } from "../../../../src/engine/files/svg/svg.js";
import type { Size } from "../../../../src/engine/image/image.js";
import type { Blob } from "../../../../src/engine/model/blob.js";
import { decodeAll, evalFalloff, modelOf } from "../../../../src/engine/model/blob.js";
import { directScene, type Scene, setParameter } from "../../../support/scenes.js";

describe("toSvg()", () => {
  it("has three gradients for a sum, and one per colour with alpha compositing", () => {
    const gradients = ({ config, image, state }: Scene) =>
      toSvg(config, image, state.parameters).text.match(/<radialGradient/g)?.length;
    assert.equal(gradients(directScene({ blobs: 50 })), 3);
    const over = directScene({ blobs: 50, blend: "over" });
    over.state.parameters.fill(0.25, 5 * 50, 8 * 50);
    assert.equal(gradients(over), 1);
  });

  it("takes at most 450 bytes per blob in a sum", () => {
    const { config, image, state } = directScene({ blobs: 150 }, 100, 100);
    const { text } = toSvg(config, image, state.parameters);
    assert.ok(text.length < 450 * 150, `${text.length / 150} bytes per blob`);
  });

  it("refuses too many blobs", () => {
    const { config, image } = directScene();
    const many = new Float32Array(9 * (2 ** 20 + 1));
    const message = "The number of blobs in an SVG must be at most 1,048,576 (got 1048577).";
    assert.throws(() => toSvg(config, image, many), { message });
  });

  it("lists its deviations from the engine", () => {
    const limitsOf = ({ config, image, state }: Scene) => toSvg(config, image, state.parameters).limits.join(" ");
    assert.match(limitsOf(directScene()), /at most 0\.0005 of a blob's strength .* plus-lighter/);
    const over = directScene({ blend: "over" });
    assert.match(limitsOf(over), /at most 0\.0021 of .* 1\/255 .* Colours reach from -0\.\d\d to 1\.00;/);
    assert.doesNotMatch(limitsOf(over), /0\.99/);
    setParameter(over, 8, 9);
    assert.match(limitsOf(over), /In 30 blobs α may exceed 0\.99/);
    setParameter(over, 5, 7, 0);
    assert.match(limitsOf(over), /Colours below -1 or above 2 are drawn as these\./);
    assert.match(
      limitsOf(directScene({ blend: "over", background: "original" })),
      /clamped before the original background\./,
    );
  });
});

describe("orderContributions()", () => {
  it("ends at the clamped sum although each contribution is clamped", () => {
    const { config, image, state } = directScene({ blobs: 90 }, 40, 30);
    const blobs = decodeAll(state.parameters, modelOf(config, image));
    for (const start of [0, 1]) {
      const { passes, clipping } = orderContributions(blobs, image, start);
      const [sum, clamped] = replay(blobs, image, start, passes);
      const target = sum.map((value) => Math.min(Math.max(value, 0), 1));
      const error = target.reduce((most, value, i) => Math.max(most, Math.abs(value - clamped[i])), 0);
      assert.ok(Math.abs(error - clipping) < 1e-5 && error < 0.1, `off by ${error}, reported ${clipping}`);
      assert.ok(
        sum.some((value) => value > 1.05 || value < -0.05),
        "the sum exceeds 0..1",
      );
      const [, naive] = replay(blobs, image, start, [passes.flat().sort((a, b) => b.amount - a.amount)]);
      const without = target.reduce((most, value, i) => Math.max(most, Math.abs(value - naive[i])), 0);
      assert.ok(without > 0.15 && without > 2.5 * error, `with positive contributions first it is off by ${without}`);
    }
  });

  it("has contributions of one sign in each pass, none larger than 1", () => {
    const blob = decodeAll(
      Float32Array.of(5, 5, 1, 1, 0, 2.5, -0.5, 0, 0),
      modelOf(directScene().config, { width: 9, height: 9 }),
    );
    const { passes } = orderContributions(blob, { width: 9, height: 9 }, 0);
    assert.deepEqual(
      passes
        .flat()
        .map(({ amount }) => amount)
        .sort(),
      [-0.5, 2.5 / 3, 2.5 / 3, 2.5 / 3],
    );
    for (const [index, pass] of passes.entries())
      assert.ok(pass.every(({ amount }) => amount > 0 === (index % 2 === 0)));
  });
});

it("falloffStops() deviate from the Gaussian by falloffDeviation(), less with more stops", () => {
  const [coarse, fine] = [16, 32].map((segments) => falloffStops(segments));
  assert.deepEqual([coarse.length, fine.length], [17, 33]);
  assert.deepEqual(
    [fine[0], fine.at(-1)],
    [
      { offset: 0, falloff: 1 },
      { offset: 1, falloff: 0.0003 },
    ],
  );
  for (const stops of [coarse, fine]) {
    let largest = 0;
    for (let k = 0; k + 1 < stops.length; k++) {
      const [from, to] = [stops[k], stops[k + 1]];
      for (let fraction = 0; fraction <= 1; fraction += 0.01) {
        const offset = from.offset + fraction * (to.offset - from.offset);
        const line = from.falloff + fraction * (to.falloff - from.falloff);
        largest = Math.max(largest, Math.abs(line - Math.exp(-8 * offset * offset)));
      }
    }
    assert.ok(Math.abs(falloffDeviation(stops) - largest) < 2e-5);
  }
  assert.ok(falloffDeviation(coarse) < 0.0022 && falloffDeviation(fine) < 0.0006);
});

/** Returns the sum of all contributions, and the result with clamping after each of them, by channel. */
function replay(blobs: Blob[], { width, height }: Size, start: number, passes: Contribution[][]): Float64Array[] {
  const [sum, clamped] = [0, 1].map(() => new Float64Array(3 * width * height).fill(start));
  for (const { blob, channel, amount } of passes.flat()) {
    for (let pixel = 0; pixel < width * height; pixel++) {
      const [u, v] = [(pixel % width) / width, Math.floor(pixel / width) / height];
      const value = amount * evalFalloff(blobs[blob], u, v);
      const slot = channel * width * height + pixel;
      sum[slot] += value;
      clamped[slot] = Math.min(Math.max(clamped[slot] + value, 0), 1);
    }
  }
  return [sum, clamped];
}
