import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { blendRun, EditedStack, shares, stateAfter } from "../../../../src/components/learn/blending/blendModel.js";
import { bothWays } from "../../../../src/components/learn/blending/overModel.js";
import { type PixelStack, pixelStack } from "../../../../src/components/learn/blending/pixelStack.js";
import { scene } from "../../../support/scenes.js";
import { listAt, momentOf } from "../moment.js";

const moment = await momentOf(scene({ blobs: 60, covarianceScale: 0.1 }));
const stack: PixelStack = pixelStack(moment, listAt(moment, 9, 6), 9, 6);

describe("blendRun()", () => {
  it("tells every blob with α > 0 and how many come behind the stop, and passes over the others", () => {
    const { events, steps } = blendRun(stack.blobs, "over");
    const told = events.flatMap((event) => (event.kind === "blob" ? [event.step.index] : []));
    const seen = steps.filter(({ isApplied, alpha }) => isApplied && alpha > 0).map(({ index }) => index);
    assert.deepEqual(told, seen);
    assert.ok(seen.length < steps.length);
    const opaque = stack.blobs.map((entry) => ({ ...entry, alpha: 0.9 }));
    const stop = blendRun(opaque, "over").events.find(({ kind }) => kind === "stop");
    assert.deepEqual(stop, { kind: "stop", passed: stack.blobs.length - 3 });
  });

  it("begins with an empty pixel, ends with the composite, and tells of no stop where none is passed over", () => {
    const open = stack.blobs.slice(0, 3).map((entry) => ({ ...entry, alpha: 0.1 }));
    const run = blendRun(open, "over");
    assert.deepEqual(
      run.events.map(({ kind }) => kind),
      ["start", "blob", "blob", "blob", "composite"],
    );
    const left = run.events.map((_, at) => stateAfter(run, at).transmittance);
    for (const [at, blobs] of [0, 1, 2, 3, 3].entries()) assert.ok(Math.abs(left[at] - 0.9 ** blobs) < 1e-6);
  });

  it("has shares that follow each other and end where the light that is left begins", () => {
    const { steps, end } = blendRun(stack.blobs, "over");
    const bands = shares(steps);
    for (const [i, { low }] of bands.entries()) assert.equal(low, bands[i - 1]?.high ?? 0);
    assert.ok(Math.abs(bands.at(-1)!.high + end.transmittance - 1) < 1e-12);
  });
});

it("EditedStack changes one blob or its place alone, and goes back to the stack as it was", () => {
  const edited = new EditedStack(stack);
  const [first, second, third] = stack.blobs.map(({ index }) => index);
  edited.edit(second, { opacity: 0.25, color: [0, 1, 0] });
  const { blob, alpha, falloff } = edited.blobs[1];
  assert.deepEqual([blob.opacity, blob.green, alpha], [0.25, 1, 0.25 * falloff]);
  assert.deepEqual(edited.blobs[2], stack.blobs[2]);
  edited.move(first, third, true);
  assert.deepEqual(
    edited.blobs.slice(0, 3).map(({ index }) => index),
    [second, third, first],
  );
  edited.move(first, second, false);
  assert.deepEqual(
    edited.blobs.map(({ index }) => index),
    stack.blobs.map(({ index }) => index),
  );
  assert.ok(edited.isEdited);
  edited.reset();
  assert.ok(!edited.isEdited);
  assert.deepEqual(edited.blobs, stack.blobs);
});

it("bothWays() comes to one colour from either end, over any ground", () => {
  const layers = stack.blobs.slice(0, 20).map(({ blob }) => ({
    color: [blob.red, blob.green, blob.blue] as [number, number, number],
    alpha: 0.9 * blob.opacity,
  }));
  const { fromFront, fromBack, forward, backward } = bothWays(layers, [0.2, 1, 0]);
  assert.deepEqual([forward.length, backward.length], [layers.length + 1, layers.length + 1]);
  for (const [channel, c] of fromFront.entries()) assert.ok(Math.abs(c - fromBack[channel]) < 1e-14);
  assert.ok(Math.max(...fromFront) > 0.05);
});
