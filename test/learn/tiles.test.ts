import assert from "node:assert/strict";
import { it } from "vitest";
import { intersects, type OrientedBox } from "../../src/engine/model/bounds.js";
import { passes } from "../../src/engine/model/shortList.js";
import { tileArea } from "../../src/engine/model/uv.js";
import { uniformGenerator } from "../../src/engine/random.js";
import {
  boundsOf,
  coverUv,
  describeBatch,
  listLengths,
  listOf,
  recordStride,
  recordWindows,
  testAxes,
  tileScene,
} from "../../src/learn/tiles.js";
import { scene as jobOf } from "../support/scenes.js";

const job = { name: "noise", ...jobOf({ blobs: 120, tile: [8, 4], seed: 5 }, 44, 30) };
const scene = tileScene(job, [8, 4]);
const lengths = listLengths(scene);
const fullest = lengths.indexOf(Math.max(...lengths));
const tiles = [...scene.lists.keys()];

it("listOf() is what the engine's passes gather, and a blob reaches a tile if its power is at least −8 at a pixel", () => {
  let falsePositives = 0;
  for (const tile of tiles) {
    const gathered = [...passes(scene.boxes, boundsOf(scene, tile), 16)].flatMap(({ list }) =>
      Array.from(list.blobs.subarray(0, list.blobCount)),
    );
    const list = listOf(scene, tile);
    assert.deepEqual(
      list.map(({ blob }) => blob),
      gathered,
    );
    const { left, right, top, bottom } = tileArea(tile, scene.across, scene.tile, scene.size);
    for (const { blob, reaches } of list) {
      const { centerX, centerY, varianceX, varianceY, correlation } = scene.blobs[blob];
      const xy = correlation * Math.sqrt(varianceX * varianceY);
      let highest = Number.NEGATIVE_INFINITY;
      for (let y = top; y < bottom; y++) {
        for (let x = left; x < right; x++) {
          const [dx, dy] = [x / scene.size.width - centerX, y / scene.size.height - centerY];
          const square = varianceY * dx * dx - 2 * xy * dx * dy + varianceX * dy * dy;
          highest = Math.max(highest, (-0.5 * square) / (varianceX * varianceY - xy * xy));
        }
      }
      assert.equal(reaches, highest >= -8, `blob ${blob} of tile ${tile}: ${highest}`);
      if (!reaches) falsePositives++;
    }
  }
  assert.ok(falsePositives > 10, `${falsePositives} false positives`);
});

it("listLengths() has the lengths of all lists, and a tile for the whole image lists more blobs than any smaller one", () => {
  assert.deepEqual(
    lengths,
    tiles.map((tile) => listOf(scene, tile).length),
  );
  const [length] = listLengths(tileScene(job, [64, 64]));
  assert.ok(Math.max(...lengths) < length && length <= job.config.blobs);
});

it("testAxes() has a gap between the projections of random boxes if and only if they do not meet", () => {
  const random = uniformGenerator(9);
  const box = (angle: number): OrientedBox => ({
    ...{ centerX: 0.5 * random(), centerY: 0.5 * random(), axisX: Math.cos(angle), axisY: Math.sin(angle) },
    ...{ halfLength: 0.3 * random(), halfWidth: 0.1 * random() },
  });
  const firsts = [0, 0, 0, 0, 0];
  for (let i = 0; i < 2000; i++) {
    const [blob, tile] = [box(2 * Math.PI * random()), box(0)];
    const { axes, meets } = testAxes(blob, tile);
    for (const { gap, blob: a, tile: b, separates } of axes) {
      assert.ok(Math.abs(Math.max(a[0] - b[1], b[0] - a[1]) - gap) < 1e-12);
      assert.equal(separates, gap > 0);
    }
    const first = axes.findIndex(({ gap }) => gap > 0);
    assert.deepEqual([meets, first < 0], [intersects(blob, tile), intersects(blob, tile)]);
    firsts[first + 1]++;
  }
  assert.ok(
    firsts.every((count) => count > 5),
    `each axis separates some: ${firsts}`,
  );
});

it("recordWindows() tries shorter windows until they fit, and its passes have every index and every blob once", () => {
  const { length } = listOf(scene, fullest);
  for (const capacity of [2, 8, 16, 64]) {
    const tried = recordWindows(scene, fullest, capacity);
    let [start, blobs] = [0, 0];
    for (const [row, window] of tried.entries()) {
      assert.equal(window.start, start);
      assert.equal(window.pass === undefined, window.blobCount > capacity);
      if (window.pass === undefined) assert.ok(tried[row + 1].end < window.end, "the retry is shorter");
      else [start, blobs] = [window.end, blobs + window.blobCount];
    }
    assert.deepEqual([start, blobs], [scene.boxes.length, length]);
  }
});

it("recordStride() gives each blob to thread i mod n, and slots in order of index", () => {
  const rows = recordStride(scene, fullest, 8, 50);
  assert.ok(rows.every(({ blob, thread, batch }) => blob === 8 * (batch - 1) + thread));
  const listed = rows.filter(({ slot }) => slot !== undefined);
  const expected = listOf(scene, fullest).filter(({ blob }) => blob < 50);
  assert.deepEqual(
    listed.map(({ blob, slot }) => ({ blob, slot })),
    expected.map(({ blob, slot }) => ({ blob, slot })),
  );
  assert.match(
    describeBatch(rows, 7),
    new RegExp(`^Batch 7: threads 0 to 1 test blobs 48 to 49; .* is ${listed.length}\\.$`),
  );
});

it("coverUv() crops the longer axis around its middle, and its tiles cover the rest exactly", () => {
  for (const [size, [u, v]] of [
    [{ width: 160, height: 90 }, [1, 0.5625]],
    [{ width: 90, height: 160 }, [0.5625, 1]],
  ] as const) {
    const { covered, tiles } = coverUv(size, { width: 64, height: 64 }, [16, 16]);
    const { u1, v1, u2, v2 } = covered;
    for (const [found, expected] of [
      [u1, 0.5 - u / 2],
      [v1, 0.5 - v / 2],
      [u2, 0.5 + u / 2],
      [v2, 0.5 + v / 2],
    ])
      assert.ok(Math.abs(found - expected) < 1e-12);
    const area = tiles.reduce((sum, tile) => sum + (tile.u2 - tile.u1) * (tile.v2 - tile.v1), 0);
    assert.ok(Math.abs(area - u * v) < 1e-12);
  }
});
