import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { decode, modelOf } from "../../src/engine/model/blob.js";
import { lossDifference } from "../../src/engine/model/oracle.js";
import {
  alphaByDistance,
  lossAndGradient,
  lossCurve,
  meanError,
  oneBlob,
  parameterAxes,
  pixelAt,
  pixelsOf,
  startParameters,
  targets,
} from "../../src/learn/blob.js";

const target = targets.get("a leaf")!;
const config = oneBlob(target);
const model = modelOf(config, target);
const start = startParameters(target);
const near = (a: number, b: number, tolerance: number) => assert.ok(Math.abs(a - b) <= tolerance, `${a}, ${b}`);

describe("the blob of the first chapter", () => {
  it("has the loss of the CPU reference, and the mean of all pixels is that loss", () => {
    const pixels = pixelsOf(decode(start, 0, model), target);
    assert.deepEqual([pixels.length, pixels[35].x, pixels[35].y], [1024, 3, 1]);
    near(meanError(pixels), lossAndGradient(config, target, start).loss, 1e-12);
  });

  it("has α = o at its centre, less by the exponential of its distance, and none beyond 4σ", () => {
    const round = [16, 16, Math.log(2), Math.log(2), 0, 0, 0, 0, 0];
    const blob = decode(round, 0, model);
    const center = pixelAt(blob, target, 16, 16);
    assert.deepEqual([center.distance, center.alpha], [0, 0.5]);
    const beside = pixelAt(blob, target, 19, 16);
    near(beside.distance!, 3 / Math.sqrt(4.04), 1e-12);
    near(beside.alpha, 0.5 * Math.exp(-0.5 * beside.distance! ** 2), 1e-12);
    assert.deepEqual(pixelAt(blob, target, 16, 25).color, [1, 1, 1]);
    assert.equal(pixelAt(blob, target, 16, 25).distance, undefined);
    for (const { distance, alpha } of alphaByDistance(decode(start, 0, model))) {
      // At the edge itself, rounding decides.
      if (distance !== 4) near(alpha, distance < 4 ? 0.8 * Math.exp(-0.5 * distance ** 2) : 0, 1e-12);
    }
  });

  it("has curves of the loss with the gradient as slope, along every parameter", () => {
    const { loss, gradients } = lossAndGradient(config, target, start);
    for (const axis of parameterAxes(target)) {
      const { slot, range } = axis;
      assert.ok(start[slot] > range[0] && start[slot] < range[1], axis.name);
      const h = 1e-4;
      const curve = lossCurve(target, start, { ...axis, range: [start[slot] - h, start[slot] + h] });
      near(curve[curve.length >> 1].loss, loss, 1e-9);
      const slope = (curve[curve.length - 1].loss - curve[0].loss) / (2 * h);
      near(slope, gradients[slot], 1e-6);
      near(lossDifference(config, target, Float32Array.from(start), slot, 1e-4), gradients[slot], 1e-6);
    }
  });
});
