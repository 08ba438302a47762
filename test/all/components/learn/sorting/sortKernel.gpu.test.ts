import assert from "node:assert/strict";
import { randomNumbers } from "../../../../../src/components/learn/sorting/numbers.js";
import {
  countDescents,
  gatherTile,
  tileListsOf,
  tileToSort,
} from "../../../../../src/components/learn/sorting/runLists.js";
import { comparePasses, hasSameResult, sortOnGpu } from "../../../../../src/components/learn/sorting/sortKernel.js";
import { recordSort } from "../../../../../src/components/learn/sorting/sortModel.js";
import { blobsOfTile } from "../../../../../src/engine/model/tileLists.js";
import type { Tiles } from "../../../../../src/engine/pipeline.js";
import type { ChosenImage } from "../../../../../src/host/browser/images.js";
import { it } from "../../../../support/gpu.js";
import { scene } from "../../../../support/scenes.js";

it("the kernel with probes compares and swaps the pairs of the record, each by the expected thread", async ({
  gpu,
}) => {
  const record = recordSort(randomNumbers(13, 7));
  for (const tile of [
    [4, 4],
    [2, 1],
  ] as const) {
    const sort = await sortOnGpu(gpu, record, tile);
    assert.ok(hasSameResult(record, sort));
    const threads = tile[0] * tile[1];
    assert.deepEqual(comparePasses(record, sort, threads), Array(10).fill(true));
    assert.ok(comparePasses(record, sort, 3).includes(false), "other threads are detected");
    const other = recordSort(randomNumbers(13, 8));
    assert.ok(comparePasses(other, sort, threads).includes(false), "the swaps of another list are detected");
  }
});

it("tileToSort picks the longest list that is not too long", () => {
  const offsets = Uint32Array.of(0, 1, 10, 50, 62);
  assert.equal(tileToSort({ offsets }, 40), 2);
  assert.equal(tileToSort({ offsets }, 30), 3);
  assert.equal(tileToSort({ offsets }, 1), undefined);
});

it("gatherTile finds the blobs of a tile that the CPU reference finds in order", async ({ gpu }) => {
  const { config, image, state } = scene({ blobs: 60, seed: 3, tile: "4x4" }, 8, 8);
  const tiles = { size: config.tile } as Tiles;
  const run = { config, target: { image } as ChosenImage };
  const reference = blobsOfTile(tileListsOf(run, { state, tiles }), 3);
  const gathered = await gatherTile(gpu, run, { state, tiles }, 3);
  assert.ok(reference.length > 10);
  assert.deepEqual(gathered.slice().sort(), reference);
  assert.deepEqual([countDescents(reference), countDescents(reference.slice().reverse())], [0, reference.length - 1]);
});
