import assert from "node:assert/strict";
import { describe } from "vitest";
import { bitsOf, unitInLastPlace } from "../../../../../src/components/learn/reduction/floatBits.js";
import {
  mostDisputedTile,
  pixelGradients,
  steepestBlob,
  tileSnapshot,
  tilesOf,
} from "../../../../../src/components/learn/reduction/pixelGradients.js";
import { reduction } from "../../../../../src/components/learn/reduction/reductionModel.js";
import { traceReduction } from "../../../../../src/components/learn/reduction/sumKernels.js";
import { CpuPipeline } from "../../../../../src/engine/cpu/pipeline.js";
import { treeReduce } from "../../../../../src/engine/model/accumulate.js";
import { parameterCount } from "../../../../../src/engine/model/blobs.js";
import { blobsOfTile } from "../../../../../src/engine/model/tileLists.js";
import { uniformGenerator } from "../../../../../src/engine/random.js";
import { it } from "../../../../support/gpu.js";
import { scene } from "../../../../support/scenes.js";

const random = uniformGenerator(4);
const given = Float32Array.from({ length: 16 }, () => 30 * random() - 15);

describe("reduction()", () => {
  it("gives treeReduce's sum, with the rounds and additions of a tree", () => {
    const { clamped, rounds, sum, additions, clampedCount, exact } = reduction(given, 10);
    assert.equal(sum, treeReduce(clamped.slice()));
    assert.deepEqual(
      rounds.map(({ stride, threads }) => [stride, threads]),
      [8, 4, 2, 1].map((n) => [n, n]),
    );
    assert.equal(additions, 15);
    assert.ok(clampedCount > 0 && clampedCount === given.filter((value) => Math.abs(value) > 10).length);
    assert.ok(Math.abs(exact - sum) < 16 * unitInLastPlace(30));
  });

  it("is bit-identical to the kernel at every addition", async ({ gpu }) => {
    const { rounds, sum } = reduction(given, 10);
    const traced = await traceReduction(gpu, given, 10);
    assert.equal(traced.additions.length, 15);
    for (const { stride, thread, value } of traced.additions) {
      const round = rounds.find((round) => round.stride === stride)!;
      assert.equal(value, bitsOf(round.values[thread]), `stride ${stride}, thread ${thread}`);
    }
    assert.equal(traced.sum, sum);
  });
});

describe("pixelGradients()", () => {
  it("adds up over all tiles to the gradients of the step, for any tile size", async () => {
    const { config, image, state } = scene({ blobs: 12, covarianceScale: 0.02 });
    const gradients = await new CpuPipeline(config, image, state).computeGradients();
    const snapshot = { state, gradients };
    for (const tile of [
      [8, 4],
      [3, 5],
    ] as [number, number][]) {
      const step = tileSnapshot({ config, target: { image } }, snapshot, tile);
      for (let field = 0; field < parameterCount; field += 2) {
        const blob = steepestBlob(snapshot, field);
        const expected = gradients[field * config.blobs + blob];
        let sum = 0;
        for (const t of tilesOf(step, blob))
          for (const value of pixelGradients(step, t, field).get(blob)!) sum += value;
        assert.ok(expected !== 0 && Math.abs(sum - expected) < 1e-5 * Math.abs(expected), `${sum}, ${expected}`);
        const { column, row } = mostDisputedTile(step, blob, field);
        assert.ok(blobsOfTile(step.lists, row * step.lists.across + column).includes(blob));
      }
    }
  });
});
