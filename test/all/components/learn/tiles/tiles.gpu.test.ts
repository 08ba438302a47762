import assert from "node:assert/strict";
import { describe } from "vitest";
import { drawAt, drawTiles, truncateLists } from "../../../../../src/components/learn/tiles/drawTiles.js";
import {
  gatherBatches,
  gatherOnGpu,
  gatherTally,
  strideScene,
  tileOfThreads,
  traceGather,
} from "../../../../../src/components/learn/tiles/gather.js";
import { handBlobs, handTiles } from "../../../../../src/components/learn/tiles/handScene.js";
import { imageDifference, windowAttempts } from "../../../../../src/components/learn/tiles/overflow.js";
import { axisTests, largestGap, performedTests } from "../../../../../src/components/learn/tiles/separation.js";
import {
  axisAlignedBounds,
  boundsOf,
  classifyBlobs,
  fullestTile,
  listCosts,
  meanListLengths,
  type TileScene,
  tileScene,
} from "../../../../../src/components/learn/tiles/tileScene.js";
import { tileUv, uvView } from "../../../../../src/components/learn/tiles/uvView.js";
import { intersects, type OrientedBox, reach } from "../../../../../src/engine/model/bounds.js";
import { passes, sentinel } from "../../../../../src/engine/model/shortList.js";
import { blobsOfTile, runToEnd } from "../../../../../src/engine/model/tileLists.js";
import { tileArea } from "../../../../../src/engine/model/uv.js";
import { uniformGenerator } from "../../../../../src/engine/random.js";
import { it } from "../../../../support/gpu.js";
import { Reference } from "../../../../support/reference.js";
import { scene as jobOf } from "../../../../support/scenes.js";

const job = jobOf({ blobs: 120, tile: [8, 4], seed: 5 }, 44, 30);
const run = runToEnd(tileScene(job.config, job.image, job.state.parameters, job.config.tile));
const hand = runToEnd(handTiles(handBlobs(), [8, 8]));
const tilesOf = ({ across, down }: TileScene) => Array.from({ length: across * down }, (_, tile) => tile);

describe("the tile figure's lists", () => {
  it("are built a few hundred blobs at a time, so that a large run does not block the page", () => {
    const { config, image, state } = jobOf({ blobs: 1024, seed: 2 }, 16, 16);
    const partsOf = (work: Generator<void, unknown>) => {
      let parts = 1;
      while (!work.next().done) parts++;
      return parts;
    };
    assert.ok(partsOf(tileScene(config, image, state.parameters, [8, 8])) > 8);
  });

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

  it("grow with the tile, up to one list of all blobs that reach the image", () => {
    const { config, image, state } = job;
    const curve = runToEnd(meanListLengths(config, image, state.parameters, [4, 8, 16, 64]));
    assert.deepEqual(
      curve.map(({ x }) => x),
      [4, 8, 16, 64],
    );
    for (const [k, { y }] of curve.entries()) assert.ok(k === 0 || y > curve[k - 1].y, JSON.stringify(curve));
    assert.equal(curve[3].y, new Set(run.lists.blobs).size);
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

  it("count what axis-aligned boxes would add and leave out, and the costs are the sums over all tiles", () => {
    for (const scene of [run, hand]) {
      let [listed, falsePositives, aligned] = [0, 0, 0];
      for (const tile of tilesOf(scene)) {
        const members = classifyBlobs(scene, tile);
        const bounds = boundsOf(scene, tile);
        const wouldBe = scene.blobs.filter((blob) => intersects(axisAlignedBounds(blob), bounds)).length;
        assert.equal(members.list.length + members.added.length - members.omitted.length, wouldBe);
        const gaps = (blobs: number[]) => blobs.map((blob) => largestGap(scene.boxes[blob], bounds));
        const others = [...scene.blobs.keys()].filter(
          (blob) => !members.list.includes(blob) && !members.added.includes(blob),
        );
        const least = gaps(others).sort((a, b) => a - b);
        assert.deepEqual(gaps(members.nearest), least.slice(0, members.nearest.length));
        listed += members.list.length;
        falsePositives += members.falsePositives.size;
        aligned += wouldBe;
      }
      const tiles = scene.across * scene.down;
      const costs = runToEnd(listCosts(scene));
      assert.deepEqual(
        [costs.mean, costs.falsePositives, costs.aligned],
        [listed / tiles, falsePositives / tiles, aligned / tiles],
      );
    }
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
  it("gives each blob to one thread, and gathers the tile list iteration by iteration", () => {
    for (const [threads, blobs] of [
      [8, 20],
      [5, 17],
      [32, 64],
      [1, 3],
    ]) {
      const scene = strideScene(threads, blobs, 3);
      assert.equal(scene.tile[0] * scene.tile[1], threads);
      for (const tile of tilesOf(scene)) {
        const batches = gatherBatches(scene, tile, threads);
        assert.deepEqual(
          batches.map(({ start, end }) => end - start).reduce((a, b) => a + b),
          blobs,
        );
        assert.ok(batches.every(({ start, end }, index) => start === index * threads && end - start <= threads));
        const appended = batches.flatMap((batch) => batch.appended);
        assert.deepEqual(appended, Array.from(blobsOfTile(scene.lists, tile)));
        assert.equal(batches.at(-1)!.count, appended.length);
      }
    }
    assert.deepEqual([8, 7, 12, 32].map(tileOfThreads), [
      [4, 2],
      [7, 1],
      [4, 3],
      [8, 4],
    ]);
  });

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
    const tally = gatherTally(scene, tile, list);
    const { signal } = new AbortController();
    assert.match(
      (await tally(gpu, 1, signal)).message,
      /^1 run of the kernel, (just|not) in the order of threads in lockstep\.$/,
    );
    const three = await tally(gpu, 3, signal);
    assert.match(
      three.message,
      /^3 runs of the kernel, (all in one order|in [23] orders), (always|never|[12] times?) in the order of threads in lockstep\.$/,
    );
    assert.equal(three.appended.length, list.length);
    const cut = await traceGather(gpu, scene, tile, 4);
    assert.deepEqual([cut.appended.length, cut.count], [4, list.length]);
    const plain = await gatherOnGpu(gpu, scene, tile, 32);
    assert.deepEqual(
      Array.from(plain).sort((a, b) => a - b),
      list,
    );
  });
});

describe("UV mapping", () => {
  it("covers all of one axis and the middle of the other, in proportion to the aspect ratios", () => {
    const texture = { width: 100, height: 100 };
    const wide = uvView({ width: 160, height: 90 }, texture, [16, 16]);
    assert.deepEqual([wide.covered.low, wide.cut], [[0, (1 - 9 / 16) / 2], "above and below"]);
    assert.ok(Math.abs(wide.covered.high[1] - (1 + 9 / 16) / 2) < 1e-12 && wide.covered.high[0] === 1);
    const tall = uvView({ width: 90, height: 160 }, texture, [16, 16]);
    assert.deepEqual([tall.covered.low[1], tall.cut], [0, "at both sides"]);
    assert.equal(uvView(texture, texture, [16, 16]).cut, "nothing");
    // Neighbours share an edge, and the first tile begins at the edge of the render.
    const [first, next] = [0, 1].map((tile) => tileUv(wide, tile));
    assert.ok(Math.abs(first.high[0] - next.low[0]) < 1e-12);
    assert.ok(first.low.every((value, axis) => Math.abs(value - wide.covered.low[axis]) < 1e-12));
  });

  it("draws what the CPU reference draws at any aspect ratio", () => {
    const size = { width: 30, height: 12 };
    const own = runToEnd(drawAt(run, size, job.image, run.tile));
    assert.deepEqual(own.data, new Reference(job.config, job.image, job.state).render(size).data);
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

  it("measure truncation: no error where all blobs fit, and another image where lists are truncated", () => {
    const whole = runToEnd(drawTiles(run));
    const longest = blobsOfTile(run.lists, fullestTile(run)).length;
    const same = runToEnd(drawTiles(run, truncateLists(run.lists, longest)));
    assert.deepEqual(imageDifference(whole, same), { mean: 0, largest: 0 });
    const cut = truncateLists(run.lists, 4);
    for (const tile of tilesOf(run)) {
      assert.deepEqual(
        cut.blobs.slice(cut.offsets[tile], cut.offsets[tile + 1]),
        Uint32Array.from(blobsOfTile(run.lists, tile).slice(0, 4)),
      );
    }
    assert.ok(imageDifference(whole, runToEnd(drawTiles(run, cut))).largest > 8);
  });
});
