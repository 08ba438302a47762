import assert from "node:assert/strict";
import { describe, it } from "vitest";
import {
  alphaByDistance,
  ellipseOf,
  lossAndGradient,
  lossCurve,
  meanError,
  oneBlob,
  opaqueAlpha,
  parameterAxes,
  pixelAt,
  pixelsOf,
  startParameters,
} from "../../../../src/components/learn/blob/blobModel.js";
import { dotsTarget, leafTarget } from "../../../../src/components/learn/blob/targets.js";
import { directParameters } from "../../../../src/components/learn/tiles/handScene.js";
import { decode, modelOf } from "../../../../src/engine/model/blob.js";
import { lossDifference } from "../../../../src/engine/model/oracle.js";
import { baseRates } from "../../../../src/engine/model/rates.js";

const target = leafTarget();
const config = oneBlob(target);
const model = modelOf(config, target);
const start = startParameters(target);
const near = (a: number, b: number, tolerance: number) => assert.ok(Math.abs(a - b) <= tolerance, `${a}, ${b}`);

/** Returns the loss before each step of gradient descent, and the parameters after the last. */
function descend(image: typeof target, steps: number, rate?: number, parameters = startParameters(image)) {
  const rates = baseRates(oneBlob(image, rate));
  const losses = Array.from({ length: steps }, () => {
    const { loss, gradients } = lossAndGradient(image, parameters);
    parameters = parameters.map((value, slot) => value - rates[slot] * gradients[slot]);
    return loss;
  });
  return { losses, parameters };
}

describe("the blob of the first chapter", () => {
  it("has the loss of the CPU reference, and the mean of all pixels is that loss", () => {
    const pixels = pixelsOf(decode(start, 0, model), target);
    assert.deepEqual([pixels.length, pixels[35].x, pixels[35].y], [1024, 3, 1]);
    near(meanError(pixels), lossAndGradient(target, start).loss, 1e-12);
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

  it("has half of α at 1.2σ, a seventh at 2σ, and none beyond 4σ", () => {
    const alphaAt = (distance: number) => opaqueAlpha().find(({ x }) => x === distance)!.y;
    assert.deepEqual([alphaAt(0), alphaAt(4.05)], [0.99, 0]);
    near(alphaAt(1.2), 0.5, 0.02);
    near(alphaAt(2), 1 / 7, 0.01);
  });

  it("has an outline with the parameters that it was made from", () => {
    for (const [length, width, angle] of [
      [5, 3, 20],
      [6, 1, -70],
      [4, 2, 90],
    ]) {
      const made = directParameters({ x: 9, y: 21, length, width, angle, color: [0, 0, 0], opacity: 0.5 });
      const ellipse = ellipseOf(decode(made, 0, model), target);
      for (const [name, value] of Object.entries({ x: 9, y: 21, length, width })) {
        near(ellipse[name as keyof typeof ellipse], value, 1e-9);
      }
      near(Math.abs(Math.sin(((ellipse.angle - angle) * Math.PI) / 180)), 0, 1e-9);
    }
  });

  it("has curves of the loss with the gradient as slope, along every parameter", () => {
    const { loss, gradients } = lossAndGradient(target, start);
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

  it("fits the leaf in 40 steps of gradient descent that lower the loss; a learning rate of 10 overshoots", () => {
    const { losses, parameters } = descend(target, 41);
    for (const [step, loss] of losses.slice(1).entries()) assert.ok(loss < losses[step], `step ${step}`);
    assert.ok(losses[0] > 0.08 && losses[40] < 0.012, `${losses[0]}, ${losses[40]}`);
    for (const [slot, { name, range }] of parameterAxes(target).entries()) {
      assert.ok(parameters[slot] > range[0] && parameters[slot] < range[1], name);
    }
    const overshooting = descend(target, 41, 10).losses;
    assert.ok(overshooting[40] > 1.3 * Math.min(...overshooting));
  });

  it("becomes white in the lower left corner, and stays there", () => {
    const [x, y] = [3, 29];
    const { parameters } = descend(target, 80, undefined, [x, y, ...startParameters(target).slice(2)]);
    for (const channel of parameters.slice(5, 8)) assert.ok(channel > 0.95, String(channel));
    assert.ok(Math.hypot(parameters[0] - x, parameters[1] - y) < 3);
  });

  it("cannot fit two dots as well as one leaf", () => {
    const [dots, leaf] = [dotsTarget(), target].map((image) => descend(image, 80).losses);
    assert.ok(dots[79] < dots[0] && dots[79] > 2 * leaf[79], `${dots[79]}, ${leaf[79]}`);
  });
});
