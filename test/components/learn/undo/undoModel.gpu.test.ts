import assert from "node:assert/strict";
import { describe } from "vitest";
import { pixelStack } from "../../../../src/components/learn/blending/pixelStack.js";
import { undoErrors } from "../../../../src/components/learn/undo/undoErrorModel.js";
import { undoWalk } from "../../../../src/components/learn/undo/undoModel.js";
import { runToEnd } from "../../../../src/engine/model/tileLists.js";
import { it } from "../../../support/gpu.js";
import { Reference } from "../../../support/reference.js";
import { scene } from "../../../support/scenes.js";
import { listAt, momentOf } from "../moment.js";

const job = scene({ blobs: 40, tile: [8, 4], covarianceScale: 0.05 }, 16, 8);
const moment = await momentOf(job);

describe("undoWalk()", () => {
  it("comes back to an empty pixel: almost in float32, and by far closer in float64", () => {
    const stack = pixelStack(moment, listAt(moment, 6, 3), 6, 3);
    const back = (["float32", "float64"] as const).map((precision) => {
      const { undone } = undoWalk(stack, precision).backward.at(-1)!;
      assert.equal(undone.finalCount, 0);
      return Math.max(Math.abs(undone.transmittance - 1), Math.abs(undone.red), Math.abs(undone.blue));
    });
    assert.ok(back[0] > 1e-9 && back[0] < 1e-5, `${back}`);
    assert.ok(back[1] < 1e-13, `${back}`);
  });

  it("gives an error of T to the gradients as it is, as a share of each, and C's error to none", () => {
    const stack = pixelStack(moment, listAt(moment, 6, 3), 6, 3);
    for (const { blend, undone, byKeeping, byUndoing } of undoWalk(stack, "float32").backward) {
      const share = undone.transmittance / blend.before.transmittance;
      assert.ok(Math.abs(byUndoing.dAlpha - share * byKeeping.dAlpha) <= 1e-12 * Math.abs(byKeeping.dAlpha));
      for (const [i, d] of byUndoing.dColor.entries()) {
        assert.ok(Math.abs(d - share * byKeeping.dColor[i]) <= 1e-12 * Math.abs(byKeeping.dColor[i]));
      }
    }
  });

  it("has colour gradients that add up, over the pixels, to those of the engine", async () => {
    const { width, height } = job.image;
    const { blobs } = job.config;
    const sums = new Float64Array(3 * blobs);
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        const stack = pixelStack(moment, listAt(moment, x, y), x, y);
        for (const { blend, byUndoing } of undoWalk(stack, "float64").backward) {
          const { slope } = blend.blob;
          const [red, green, blue] = byUndoing.dColor;
          sums[blend.index] += red * slope.red;
          sums[blobs + blend.index] += green * slope.green;
          sums[2 * blobs + blend.index] += blue * slope.blue;
        }
      }
    }
    const oracle = new Reference(job.config, job.image, job.state).evaluate();
    for (const [slot, sum] of sums.entries()) assert.ok(Math.abs(sum - oracle.gradients[5 * blobs + slot]) < 1e-12);
  });
});

it("the kernel and its twin measure undo errors of a few roundings at every pixel, and agree on what is undone", async ({
  gpu,
}) => {
  const [twin, kernel] = await Promise.all(
    [undefined, gpu].map((by) => undoErrors(by, moment, async (work) => runToEnd(work))),
  );
  assert.equal(kernel.length, job.image.width * job.image.height);
  const rounding = 2 ** -24;
  for (const [i, { x, y, blobs, transmittance, relative, gradient, color, forwardTransmittance }] of kernel.entries()) {
    assert.deepEqual([x, y, blobs], [twin[i].x, twin[i].y, twin[i].blobs]);
    const most = 8 * (blobs + 1) * rounding;
    for (const error of [relative, gradient, color, twin[i].relative, twin[i].gradient, twin[i].color]) {
      assert.ok(error <= most, `${error} after ${blobs} blobs`);
    }
    assert.ok(transmittance <= relative, "T is at most 1");
    assert.ok(forwardTransmittance < 1e-5 && twin[i].forwardTransmittance < 1e-5);
  }
  assert.ok(kernel.some(({ relative }) => relative > 0) && twin.some(({ relative }) => relative > 0));
  assert.ok(kernel.some(({ gradient }) => gradient > 0) && twin.some(({ gradient }) => gradient > 0));
});
