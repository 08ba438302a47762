import assert from "node:assert/strict";
import { it } from "vitest";
import { blendSteps, stackAt } from "../../src/components/learn/pixelStack.js";
import { compositeChannel } from "../../src/engine/model/blend.js";
import { alphaPattern, describeBlend, drawSnapshot, readAlphas, recordOrders } from "../../src/learn/blending.js";
import { models, sceneOf } from "../support/scenes.js";

it("the stack of each pixel ends with the colour of the render, with each blend and background", () => {
  for (const model of models) {
    const snapshot = { name: "random", ...sceneOf(model, { blobs: 60, tile: [8, 4] }) };
    const { width, height, data } = drawSnapshot(snapshot);
    for (let pixel = 0; pixel < width * height; pixel += 7) {
      const steps = blendSteps(stackAt(snapshot, pixel % width, Math.floor(pixel / width)), model.blend);
      const after = steps.at(-1)?.after ?? { red: 0, green: 0, blue: 0, transmittance: 1 };
      for (const [channel, color] of [after.red, after.green, after.blue].entries()) {
        const byte = 255 * compositeChannel(color, after.transmittance, model.background);
        const expected = Math.min(Math.max(byte, 0), 255);
        const difference = Math.abs(data[4 * pixel + channel] - expected);
        assert.ok(
          difference <= 0.501,
          `${JSON.stringify(model)}, pixel ${pixel}: ${data[4 * pixel + channel]}, ${expected}`,
        );
      }
    }
  }
});

it("recordOrders() gives the same colour in both orders, and T after each layer", () => {
  const layers = [0.5, 0.6, 0.25].map((alpha, i) => ({ alpha, color: [i / 3, 1 - i / 3, 0.5] }));
  const rows = recordOrders(layers, [1, 0.5, 0]);
  const front = rows.filter(({ order }) => order === "front to back");
  assert.deepEqual(
    front.map(({ T }) => T),
    [0.5, 0.2, 0.15000000000000002, 0],
  );
  const [a, b] = rows.filter(({ step }) => step === 4).map(({ color }) => color);
  for (const [channel, value] of a.entries()) assert.ok(Math.abs(value - b[channel]) < 1e-15, `${a}, ${b}`);
  assert.deepEqual(rows[4].color, [1, 0.5, 0], "back to front begins with the background");
});

it("describeBlend() names the blob that crosses 1/255 and the one behind it, which is skipped", () => {
  const blob = { red: 1, green: 0, blue: 0 };
  const steps = blendSteps(
    [0.99, 0.99, 0.5].map((alpha, index) => ({ index, blob, alpha })),
    "over",
  );
  assert.match(
    describeBlend(steps, 2),
    /^Blob 2 of 3 \(index 1\): α = 0\.990, weight αT = 0\.010\. .* still applied\.$/,
  );
  assert.match(describeBlend(steps, 3), /is skipped: T = 0\.0001 was below 1\/255\.$/);
});

it("the field of α accepts what it says", () => {
  const accepts = (text: string) => new RegExp(`^${alphaPattern}$`).test(text);
  assert.deepEqual(["0.5 0.6", "0.5 .6 0.99", "0.5 1 0.2", "0.5 0.6 0.4 0.7 "].map(accepts), [
    false,
    true,
    false,
    true,
  ]);
  assert.deepEqual(readAlphas(" 0.5 .6 0.99"), [0.5, 0.6, 0.99]);
});
