import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { bandsOf } from "../../../src/engine/gpu/binned/bands.js";
import { layoutOf, shardCount } from "../../../src/engine/gpu/binned/layout.js";
import { mayClamp } from "../../../src/engine/model/accumulate.js";
import { corrections } from "../../../src/engine/model/adam.js";
import { project } from "../../../src/engine/model/binned/1-project.js";
import { allocateLists } from "../../../src/engine/model/binned/2-allocateLists.js";
import { gatherLists } from "../../../src/engine/model/binned/2to4-gatherLists.js";
import { fillLists } from "../../../src/engine/model/binned/3-fillLists.js";
import { sortLists } from "../../../src/engine/model/binned/4-sortLists.js";
import { rasterize } from "../../../src/engine/model/binned/5-rasterize.js";
import { rasterizeBackward } from "../../../src/engine/model/binned/6-rasterizeBackward.js";
import { updateBlobs } from "../../../src/engine/model/binned/7-updateBlobs.js";
import type { BinnedJob } from "../../../src/engine/model/binned/lists.js";
import { modelOf } from "../../../src/engine/model/blob.js";
import { ratesAt } from "../../../src/engine/model/rates.js";
import { tileGrid } from "../../../src/engine/model/uv.js";
import { assertGradientsAgree } from "../../support/agreement.js";
import { hardScene } from "../../support/passScenes.js";
import { Reference } from "../../support/reference.js";
import { blendModels } from "../../support/scenes.js";

/** Runs the stages, each on the result of the previous one. */
function stagesOf({ config, image, state }: ReturnType<typeof hardScene>) {
  const { tile, segmentLength } = layoutOf(config, image);
  const tiles = tileGrid(image, tile).count;
  const [band] = bandsOf(image, tile[1], tiles);
  const job: BinnedJob = {
    model: modelOf(config, image),
    background: config.background,
    target: image,
    band,
    tile,
    shards: shardCount(config, tiles),
    segmentLength,
    capacity: Number.POSITIVE_INFINITY,
    clamped: mayClamp(config, image),
    rates: ratesAt(config, 1),
    corrections: corrections(config.biasCorrection, 1),
  };
  const projected = project(job, state);
  const allocated = allocateLists(job, projected);
  const filled = fillLists(allocated);
  const sorted = sortLists(job, filled);
  const rasterized = rasterize(job, sorted);
  const slotted = rasterizeBackward(job, rasterized);
  return { job, projected, allocated, filled, sorted, rasterized, slotted, updated: updateBlobs(job, slotted) };
}

describe("the CPU reference of the binned pipeline's stages", () => {
  it("has the float64 reference's gradients, from lists of several segments", () => {
    for (const model of [blendModels[0], blendModels[3]]) {
      const job = hardScene(model, { blobs: 60, covarianceScale: 0.05 });
      const { allocated, updated } = stagesOf(job);
      assert.ok(allocated.segments.length > allocated.tileLists.length);
      const { gradients } = new Reference(job.config, job.image, job.state).evaluate();
      assertGradientsAgree(updated.gradients, gradients, 1e-4, job.config.seed);
    }
  });

  it("gathers the lists that it sorts, and compiles only in order", () => {
    const { job, projected, allocated, filled, sorted, rasterized } = stagesOf(hardScene(blendModels[0]));
    assert.deepEqual(gatherLists(job, projected).list, sorted.list);
    void function outOfOrder() {
      // @ts-expect-error filling before allocating
      fillLists(projected);
      // @ts-expect-error sorting before filling
      sortLists(job, allocated);
      // @ts-expect-error blending before sorting
      rasterize(job, filled);
      // @ts-expect-error backward before forward
      rasterizeBackward(job, sorted);
      // @ts-expect-error updating before the backward pass
      updateBlobs(job, rasterized);
    };
  });
});
