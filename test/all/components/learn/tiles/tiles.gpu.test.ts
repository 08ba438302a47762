import assert from "node:assert/strict";
import { describe } from "vitest";
import { strideScene, traceGather } from "../../../../../src/components/learn/tiles/gather.js";
import { handBlobs, handTiles } from "../../../../../src/components/learn/tiles/handScene.js";
import { windowAttempts } from "../../../../../src/components/learn/tiles/overflow.js";
import { axisTests, performedTests } from "../../../../../src/components/learn/tiles/separation.js";
import {
  boundsOf,
  classifyBlobs,
  fullestTile,
  type TileScene,
  tileScene,
} from "../../../../../src/components/learn/tiles/tileScene.js";
import { intersects, type OrientedBox, reach } from "../../../../../src/engine/model/bounds.js";
import { passes, sentinel } from "../../../../../src/engine/model/shortList.js";
import { blobsOfTile, runToEnd } from "../../../../../src/engine/model/tileLists.js";
import { tileArea } from "../../../../../src/engine/model/uv.js";
import { uniformGenerator } from "../../../../../src/engine/random.js";
import { it } from "../../../../support/gpu.js";
import { scene as jobOf } from "../../../../support/scenes.js";

const job = jobOf({ blobs: 120, tile: [8, 4], seed: 5 }, 44, 30);
const run = runToEnd(tileScene(job.config, job.image, job.state.parameters, job.config.tile));
const hand = runToEnd(handTiles(handBlobs(), [8, 8]));
const tilesOf = ({ across, down }: TileScene) => Array.from({ length: across * down }, (_, tile) => tile);

describe("the tile figure's lists", () => {
  it("equal those that the engine's passes gather, for every tile and tile size", () => {
    for (const scene of [run, hand, runToEnd(tileScene(job.config, job.image, job.state.parameters, [16, 16]))]) {
      for (const tile of tilesOf(scene)) {
        const gathered = [...passes(scene.boxes, boundsOf(scene, tile), 16)].flatMap(({ list }) =>
          Array.from(list.blobs.subarray(0, list.blobCount)),
        );
        assert.deepEqual(Array.from(blobsOfTile(scene.lists, tile)), gathered);
      }
    }
  });

  it("have as false positives exactly the blobs with a power below −8 at every pixel of the tile", () => {
    let found = 0;
    for (const scene of [run, hand]) {
      for (const tile of tilesOf(scene)) {
        const { list, falsePositives } = classifyBlobs(scene, tile);
        const { left, right, top, bottom } = tileArea(tile, scene.across, scene.tile, scene.size);
        for (const blob of list) {
          const { centerX, centerY, varianceX, varianceY, correlation } = scene.blobs[blob];
          const xy = correlation * Math.sqrt(varianceX * varianceY);
          const determinant = varianceX * varianceY - xy * xy;
          let highest = Number.NEGATIVE_INFINITY;
          for (let y = top; y < bottom; y++) {
            for (let x = left; x < right; x++) {
              const [dx, dy] = [x / scene.size.width - centerX, y / scene.size.height - centerY];
              const square = (varianceY * dx * dx - 2 * xy * dx * dy + varianceX * dy * dy) / determinant;
              highest = Math.max(highest, -0.5 * square);
            }
          }
          assert.equal(falsePositives.has(blob), highest < -8, `blob ${blob} of tile ${tile}: ${highest}`);
          if (falsePositives.has(blob)) found++;
        }
      }
    }
    assert.ok(found > 10, `${found} false positives`);
  });
});

describe("the separating-axis test, axis by axis", () => {
  it("ends as intersects does for random boxes, and its gaps are those between the projections", () => {
    const random = uniformGenerator(9);
    const box = (angle: number): OrientedBox => ({
      centerX: 0.5 * random(),
      centerY: 0.5 * random(),
      axisX: Math.cos(angle),
      axisY: Math.sin(angle),
      halfLength: 0.3 * random(),
      halfWidth: 0.1 * random(),
    });
    const ends = [0, 0, 0, 0, 0];
    for (let i = 0; i < 2000; i++) {
      const [blob, tile] = [box(2 * Math.PI * random()), box(0)];
      const tests = axisTests(blob, tile);
      const performed = performedTests(tests);
      assert.equal(performed.at(-1)!.separates, !intersects(blob, tile));
      assert.ok(performed.slice(0, -1).every(({ separates }) => !separates));
      ends[performed.at(-1)!.separates ? performed.length - 1 : 4]++;
      for (const {
        axis,
        gap,
        separates,
        blob: [low, high],
        tile: [tileLow, tileHigh],
      } of tests) {
        assert.ok(Math.abs(Math.max(low - tileHigh, tileLow - high) - gap) < 1e-12);
        assert.ok(Math.abs(high - low - 2 * reach(blob, ...axis)) < 1e-12);
        assert.equal(separates, gap > 0);
      }
    }
    assert.ok(
      ends.every((count) => count > 5),
      `each axis separates some: ${ends}`,
    );
  });
});

describe("strided gathering", () => {
  it("appends the blobs of the CPU reference on a GPU, in any order, each by the thread that strides over it", async ({
    gpu,
  }) => {
    const scene = strideScene(4, 20, 3);
    const tile = fullestTile(scene);
    const list = Array.from(blobsOfTile(scene.lists, tile));
    const { appended, count } = await traceGather(gpu, scene, tile, 32);
    assert.ok(list.length > 4);
    assert.equal(count, list.length);
    assert.deepEqual(
      appended.map(({ blob }) => blob).sort((a, b) => a - b),
      list,
    );
    assert.deepEqual(
      appended.map(({ slot }) => slot),
      list.map((_, slot) => slot),
    );
    assert.ok(appended.every(({ thread, blob }) => thread === blob % 4));
    const cut = await traceGather(gpu, scene, tile, 4);
    assert.deepEqual([cut.appended.length, cut.count], [4, list.length]);
  });
});

describe("overflow passes", () => {
  it("try windows that shrink until they fit, and the passes cover every index and every blob of the list once", () => {
    const tile = fullestTile(run);
    for (const cap of [2, 8, 16, 64]) {
      const attempts = windowAttempts(run, tile, cap);
      const kept = attempts.filter(({ pass }) => pass !== undefined);
      assert.deepEqual(
        kept.map(({ pass }) => pass),
        kept.map((_, index) => index + 1),
      );
      let end = 0;
      for (const window of kept) {
        assert.equal(window.start, end);
        end = window.end;
        assert.ok(window.list.blobs.subarray(window.list.blobCount).every((slot) => slot === sentinel));
      }
      assert.equal(end, run.blobs.length);
      const gathered = kept.flatMap(({ list }) => Array.from(list.blobs.subarray(0, list.blobCount)));
      assert.deepEqual(gathered, Array.from(blobsOfTile(run.lists, tile)));
      for (const [index, { start, end, pass }] of attempts.entries()) {
        if (pass !== undefined) continue;
        const next = attempts[index + 1];
        assert.ok(next.start === start && next.end < end, "a window that overflows is retried, shorter");
      }
      assert.equal(attempts.length > kept.length, blobsOfTile(run.lists, tile).length > cap);
    }
  });
});
