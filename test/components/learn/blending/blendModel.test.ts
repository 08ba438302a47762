import assert from "node:assert/strict";
import { describe, it } from "vitest";
import {
  editBlob,
  matchingEventIndex,
  moveBlob,
  pixelBlending,
  stackedLight,
  stateAfter,
  weightBands,
} from "../../../../src/components/learn/blending/blendModel.js";
import { blendBothOrders } from "../../../../src/components/learn/blending/overModel.js";
import { type PixelStack, pixelStack } from "../../../../src/components/learn/blending/pixelStack.js";
import { scene } from "../../../support/scenes.js";
import { listAt, momentOf } from "../moment.js";

const moment = await momentOf(scene({ blobs: 60, covarianceScale: 0.1 }));
const stack: PixelStack = pixelStack(moment, listAt(moment, 9, 6), 9, 6);

describe("pixelBlending()", () => {
  it("has an event per applied blob with α > 0 and one for the blobs after the stop", () => {
    const { events, steps } = pixelBlending(stack.blobs, "over");
    const shown = events.flatMap((event) => (event.kind === "blob" ? [event.step.index] : []));
    const expected = steps.filter(({ isApplied, alpha }) => isApplied && alpha > 0).map(({ index }) => index);
    assert.deepEqual(shown, expected);
    assert.ok(expected.length < steps.length);
    const opaque = stack.blobs.map((entry) => ({ ...entry, alpha: 0.9 }));
    const stop = pixelBlending(opaque, "over").events.find(({ kind }) => kind === "stop");
    assert.deepEqual(stop, { kind: "stop", passed: stack.blobs.length - 3 });
  });

  it("starts with an empty pixel, ends with the background, and has no stop if all blobs are applied", () => {
    const open = stack.blobs.slice(0, 3).map((entry) => ({ ...entry, alpha: 0.1 }));
    const blending = pixelBlending(open, "over");
    assert.deepEqual(
      blending.events.map(({ kind }) => kind),
      ["start", "blob", "blob", "blob", "composite"],
    );
    const left = blending.events.map((_, at) => stateAfter(blending, at).transmittance);
    for (const [at, blobs] of [0, 1, 2, 3, 3].entries()) assert.ok(Math.abs(left[at] - 0.9 ** blobs) < 1e-6);
  });

  it("stacks weights that end where the transmittance begins", () => {
    const { steps, end } = pixelBlending(stack.blobs, "over");
    const bands = weightBands(steps);
    for (const [i, { low }] of bands.entries()) assert.equal(low, bands[i - 1]?.high ?? 0);
    assert.ok(Math.abs(bands.at(-1)!.high + end.transmittance - 1) < 1e-12);
  });
});

it("stackedLight() falls by the factor 1 − α at each blob", () => {
  const light = stackedLight(0.3, 12);
  assert.deepEqual(light[0], { x: 0, y: 1 });
  assert.equal(light.length, 13);
  for (const { x, y } of light) assert.ok(Math.abs(y - 0.7 ** x) < 1e-12);
});

it("editBlob() and moveBlob() change one blob or its position, and not the original stack", () => {
  const before = structuredClone(stack.blobs);
  const [first, second, third] = stack.blobs.map(({ index }) => index);
  const edited = editBlob(stack, stack.blobs, second, { opacity: 0.25, red: 0, green: 1, blue: 0 });
  const { blob, alpha, falloff, isChanged } = edited[1];
  assert.deepEqual([blob.opacity, blob.green, alpha, isChanged], [0.25, 1, 0.25 * falloff, true]);
  assert.deepEqual(edited.toSpliced(1, 1), stack.blobs.toSpliced(1, 1));
  const behind = moveBlob(edited, first, third, true);
  assert.deepEqual(
    behind.map(({ index }) => index),
    [second, third, first, ...stack.blobs.slice(3).map(({ index }) => index)],
  );
  assert.deepEqual(moveBlob(behind, first, second, false), edited);
  assert.deepEqual(stack.blobs, before);
});

it("matchingEventIndex() finds a blob's event in another blending, or the largest weight if it is gone", () => {
  const blending = pixelBlending(stack.blobs, "over");
  const [first, second] = blending.shownSteps;
  const swapped = pixelBlending(moveBlob(stack.blobs, second.index, first.index, false), "over");
  assert.equal(matchingEventIndex(swapped, blending.events[2]), 1);
  assert.equal(matchingEventIndex(swapped, { kind: "composite" }), swapped.events.length - 1);
  const without = pixelBlending(editBlob(stack, stack.blobs, second.index, { opacity: 0 }), "over");
  const largest = without.shownSteps.toSorted((a, b) => b.weight - a.weight)[0];
  for (const event of [blending.events[2], undefined]) {
    assert.deepEqual(without.events[matchingEventIndex(without, event)], { kind: "blob", step: largest });
  }
});

it("blendBothOrders() gives the same colour in both orders, over any background", () => {
  const layers = stack.blobs.slice(0, 20).map(({ blob }) => ({
    color: [blob.red, blob.green, blob.blue],
    alpha: 0.9 * blob.opacity,
  }));
  const { fromFront, fromBack, forward, backward } = blendBothOrders(layers, [0.2, 1, 0]);
  assert.deepEqual([forward.length, backward.length], [layers.length + 1, layers.length + 1]);
  for (const [channel, c] of fromFront.entries()) assert.ok(Math.abs(c - fromBack[channel]) < 1e-14);
  assert.ok(Math.max(...fromFront) > 0.05);
});
