import assert from "node:assert/strict";
import { describe } from "vitest";
import { pixelStack } from "../../../../../src/components/learn/pixelStack.js";
import { undoErrors } from "../../../../../src/components/learn/undo/undoErrorModel.js";
import { undoWalk } from "../../../../../src/components/learn/undo/undoModel.js";
import { runToEnd } from "../../../../../src/engine/model/tileLists.js";
import { listAt, momentOf } from "../../../../components/learn/moment.js";
import { it } from "../../../../support/gpu.js";
import { Reference } from "../../../../support/reference.js";
import { scene } from "../../../../support/scenes.js";

const job = scene({ blobs: 40, tile: [8, 4], covarianceScale: 0.05 }, 16, 8);
const moment = await momentOf(job);

describe("undoWalk()", () => {
  it("restores an empty pixel to a few roundings in float32, and much closer in float64", () => {
    const stack = pixelStack(moment, listAt(moment, 6, 3), 6, 3);
    const back = (["float32", "float64"] as const).map((precision) => {
      const { undone } = undoWalk(stack, precision).backward.at(-1)!;
      assert.equal(undone.finalCount, 0);
      return Math.max(Math.abs(undone.transmittance - 1), Math.abs(undone.red), Math.abs(undone.blue));
    });
    assert.ok(back[0] > 1e-9 && back[0] < 1e-5, `${back}`);
    assert.ok(back[1] < 1e-13, `${back}`);
  });

  it("has colour gradients that add up over the pixels to those of the CPU reference", async () => {
    const { width, height } = job.image;
    const { blobs } = job.config;
    const sums = new Float64Array(3 * blobs);
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        const stack = pixelStack(moment, listAt(moment, x, y), x, y);
        for (const { blend, fromUndone } of undoWalk(stack, "float64").backward) {
          const { slope } = blend.blob;
          const [red, green, blue] = fromUndone.dColor;
          sums[blend.index] += red * slope.red;
          sums[blobs + blend.index] += green * slope.green;
          sums[2 * blobs + blend.index] += blue * slope.blue;
        }
      }
    }
    const reference = new Reference(job.config, job.image, job.state).evaluate();
    for (const [slot, sum] of sums.entries()) assert.ok(Math.abs(sum - reference.gradients[5 * blobs + slot]) < 1e-12);
  });
});

it("the kernel and the CPU reference measure undo errors of a few roundings at every pixel, of the same blobs", async ({
  gpu,
}) => {
  const [reference, kernel] = await Promise.all(
    [undefined, gpu].map((by) => undoErrors(by, moment, async (work) => runToEnd(work))),
  );
  assert.equal(kernel.length, job.image.width * job.image.height);
  const rounding = 2 ** -24;
  for (const [i, { x, y, blobs, transmittance, relative, gradient, color, forwardTransmittance }] of kernel.entries()) {
    assert.deepEqual([x, y, blobs], [reference[i].x, reference[i].y, reference[i].blobs]);
    const limit = 8 * (blobs + 1) * rounding;
    for (const error of [relative, gradient, color, reference[i].relative, reference[i].gradient, reference[i].color]) {
      assert.ok(error <= limit, `${error} after ${blobs} blobs`);
    }
    assert.ok(transmittance <= relative, "T is at most 1");
    assert.ok(forwardTransmittance < 1e-5 && reference[i].forwardTransmittance < 1e-5);
  }
  assert.ok(kernel.some(({ relative }) => relative > 0) && reference.some(({ relative }) => relative > 0));
  assert.ok(kernel.some(({ gradient }) => gradient > 0) && reference.some(({ gradient }) => gradient > 0));
});
