import assert from "node:assert/strict";
import { describe } from "vitest";
import type { TrainConfig } from "../../../../src/engine/config.js";
import { bandsOf } from "../../../../src/engine/gpu/binned/bands.js";
import { bandKernels, binnedKernels } from "../../../../src/engine/gpu/binned/kernels.js";
import { type KernelVariant, layoutOf, shardCount } from "../../../../src/engine/gpu/binned/layout.js";
import type { Gpu } from "../../../../src/engine/gpu/device.js";
import { dispatchUniform, jobUniform } from "../../../../src/engine/gpu/uniforms.js";
import { runKernel } from "../../../../src/engine/gpu/workbench.js";
import { mayClamp } from "../../../../src/engine/model/accumulate.js";
import { corrections } from "../../../../src/engine/model/adam.js";
import { project } from "../../../../src/engine/model/binned/1-project.js";
import { allocateLists } from "../../../../src/engine/model/binned/2-allocateLists.js";
import { gatherLists } from "../../../../src/engine/model/binned/2to4-gatherLists.js";
import { fillLists } from "../../../../src/engine/model/binned/3-fillLists.js";
import { sortLists } from "../../../../src/engine/model/binned/4-sortLists.js";
import { rasterize } from "../../../../src/engine/model/binned/5-rasterize.js";
import { rasterizeBackward } from "../../../../src/engine/model/binned/6-rasterizeBackward.js";
import { updateBlobs } from "../../../../src/engine/model/binned/7-updateBlobs.js";
import {
  type BinnedJob,
  type DrawnBlob,
  evenShards,
  noShard,
  type Projected,
} from "../../../../src/engine/model/binned/lists.js";
import { modelOf } from "../../../../src/engine/model/blob.js";
import type { TrainingState } from "../../../../src/engine/model/blobs.js";
import { ratesAt } from "../../../../src/engine/model/rates.js";
import { tileGrid } from "../../../../src/engine/model/uv.js";
import { it } from "../../../support/gpu.js";
import { type Scene, scene, setParameter } from "../../../support/scenes.js";

/** A scene with lists of several segments, and pixels that become opaque before their ends. */
function opaqueScene(given: Partial<TrainConfig> = {}, width = 80, height = 64) {
  const job = scene({ pipeline: "binned", blobs: 200, covarianceScale: 0.08, ...given }, width, height);
  setParameter(job, 8, 0.6);
  return job;
}

/** A scene with clamped gradients of centres and variances, in two segments. */
function clampedLists() {
  const summed = { blend: "sum", background: "black" };
  const job = scene({ pipeline: "binned", blobs: 40, covarianceScale: 1e-10, ...summed, seed: 7 }, 1, 1);
  for (let blob = 0; blob < 40; blob++)
    for (const field of [0, 1]) setParameter(job, field, 0.0004 + 0.00002 * blob, blob);
  for (const field of [2, 3]) setParameter(job, field, 0.05);
  setParameter(job, 8, 0.9);
  return job;
}

/** Returns a scene's job and the results of the reference's stages. */
function prepare({ config, image, state }: Scene) {
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
  return { config, image, state, tile, tiles, job, all: stagesOf(job, state) };
}

type Prepared = ReturnType<typeof prepare>;

/** Runs the reference's stages, each on the result of the previous one. */
function stagesOf(job: BinnedJob, state: TrainingState, above?: Float32Array, firstBlobs?: Uint32Array) {
  const projected = project(job, state, firstBlobs);
  const allocated = allocateLists(job, projected);
  const filled = fillLists(allocated);
  const sorted = sortLists(job, filled);
  const rasterized = rasterize(job, sorted);
  const slotted = rasterizeBackward(job, rasterized);
  const updated = updateBlobs(job, slotted, above);
  return { band: job.band, projected, allocated, filled, sorted, rasterized, slotted, updated };
}

const opaque = prepare(opaqueScene());
const { image, state, tile, tiles, job, all } = opaque;
const { projected, allocated, filled, sorted, rasterized, updated } = all;
const intersections = projected.intersections.length;
const entries = sorted.list.length;
const segments = allocated.segments.length;
const segmentLength = 32;

/** Packs a blob with the range of its intersections, as shaders/binned/lists.wgsl does. */
function packed({ centerX, centerY, conic, opacity, red, green, blue }: DrawnBlob, intersections: number[]) {
  const floats = Float32Array.of(centerX, centerY, conic.xx, conic.xy, conic.yy, opacity, red, green, blue);
  const words = [...new Uint32Array(floats.buffer), ...intersections];
  return { a: words.slice(0, 4), b: words.slice(4, 8), c: words.slice(8) };
}

type Contents = Record<string, number | ArrayBufferView>;

/** Returns a status buffer: members, the tiles' counters or bits, and the first blobs of their shards. */
function statusOf(gpu: Gpu, members: Record<string, number>, counters: Uint32Array, firstBlobs = new Uint32Array()) {
  const begin = new Uint32Array(gpu.struct("Status").encode([members]).buffer);
  return Uint32Array.of(...begin, ...counters, ...firstBlobs);
}

/** Returns the first blobs of shards as the kernels store them, as differences from an even division of all blobs. */
const distancesOf = ({ job, tiles, config }: Prepared, firstBlobs: Uint32Array) => {
  const even = evenShards(job, config.blobs, tiles);
  return firstBlobs.map((first, k) => first - even[k]);
};

/** Returns the words after the status' members. */
const behindStatus = (gpu: Gpu, status: ArrayBuffer) => words(status).subarray(gpu.struct("Status").words);

/** Returns the reference's buffers in the kernels' layouts. */
function buffersOf(gpu: Gpu, prepared: Prepared, left = prepared.all): Contents {
  const { projected, allocated, filled, sorted, rasterized, slotted } = left;
  const encode = (struct: string, rows: object[]) =>
    gpu.struct(struct).encode(rows as Parameters<ReturnType<Gpu["struct"]>["encode"]>[0]);
  return {
    job: jobUniform(gpu.shaders, prepared.config, prepared.image),
    parameters: prepared.state.parameters,
    targetImage: prepared.image.data,
    pixelBlobs: encode(
      "PackedBlob",
      projected.pixelBlobs.map(({ blob, first, around: { column, row, across, down } }) =>
        packed(blob, [first, across | (down << 16), column | (row << 16)]),
      ),
    ),
    intersections: encode("Intersection", projected.intersections),
    tileLists: encode("TileList", allocated.tileLists),
    segments: encode("Segment", allocated.segments),
    shardStarts: allocated.shardStarts,
    keys: filled.keys,
    sources: filled.places,
    list: encode("Entry", sorted.list),
    segmentStates: Uint32Array.from(
      rasterized.segmentStates.flatMap(({ states, taken }) => [
        ...new Uint32Array(Float32Array.from(states.flat()).buffer),
        ...taken.flatMap((count) => [count, 0, 0, 0]),
      ]),
    ),
    pixels: Float32Array.from(rasterized.pixels.flat()),
    slots: encode(
      "Slot",
      slotted.slots.map((slot, intersection) =>
        // An unused intersection has a slot of an earlier step.
        projected.intersections[intersection].shard === noShard
          ? { a: [1, 2, 3, 4], b: [5, 6, 7, 8], c: 9, step: 7 }
          : { a: slot.slice(0, 4), b: slot.slice(4, 8), c: slot[8], step: 1 },
      ),
    ),
    status: statusOf(
      gpu,
      {
        intersections: projected.intersections.length,
        entries: sorted.list.length,
        segments: allocated.segments.length,
        capacity: 2 * projected.intersections.length,
      },
      projected.status.tileCounts,
      distancesOf(prepared, projected.status.firstBlobs),
    ),
  };
}

type Stage = keyof ReturnType<typeof binnedKernels>;

interface RunOptions {
  /** End of the range; the number of tiles if absent. */
  end?: number;
  gathers?: boolean;
  prepared?: Prepared;
}

/** Runs a stage's kernel on the reference's buffers, with `written` for those that it writes. */
async function run(
  gpu: Gpu,
  variant: KernelVariant,
  stage: Stage,
  written: Contents,
  workgroups: number,
  { prepared = opaque, end = prepared.tiles, gathers }: RunOptions = {},
) {
  const { config, image } = prepared;
  const { file, constants } = binnedKernels(config, image, gpu, variant, gathers)[stage]!;
  const range = { size: image, first: 0, end, step: 1 };
  const dispatch = dispatchUniform(gpu.shaders, [range], config);
  return runKernel(gpu, {
    file,
    constants,
    workgroups,
    buffers: { ...buffersOf(gpu, prepared), dispatch, ...written },
  });
}

const floats = (bytes: ArrayBuffer) => new Float32Array(bytes);
const words = (bytes: ArrayBuffer) => new Uint32Array(bytes);

function assertClose(actual: ArrayLike<number>, expected: ArrayLike<number>, what: string): void {
  const largest = Math.max(...Array.from(expected, Math.abs));
  assert.ok(largest > 0, what);
  for (let k = 0; k < expected.length; k++) {
    const gap = Math.abs(actual[k] - expected[k]);
    assert.ok(
      gap <= 1e-4 * largest,
      `${what}, number ${k}: ${actual[k]} is not ${expected[k]}, the largest ${largest}`,
    );
  }
}

it("the stages that differ in bands agree with the reference, and the bands' gradients add up to the image's", async ({
  gpu,
}) => {
  // The upper five of eight rows of tiles, and the others.
  const [upper, lower] = bandsOf(image, tile[1], 5);
  const above = stagesOf({ ...job, band: upper }, state).updated.gradients;
  const band = stagesOf({ ...job, band: lower }, state, above);
  for (const name of ["gradients", "parameters"] as const)
    assertClose(band.updated[name], updated[name], `${name} of two bands`);
  const tiles = tileGrid(lower.size, tile).count;
  const kernels = bandKernels(opaque.config, image, gpu, "Thread");
  const run = (stage: keyof typeof kernels, written: Contents, workgroups: number) => {
    const range = { ...lower, first: 0, end: tiles, step: 1 };
    const dispatch = dispatchUniform(gpu.shaders, [range], opaque.config);
    return runKernel(gpu, {
      ...kernels[stage],
      workgroups,
      buffers: { ...buffersOf(gpu, opaque, band), dispatch, ...written },
    });
  };
  const { intersections } = band.projected;
  const unused = { gradients: 4, firstMoments: 4, secondMoments: 4 };
  const room = { ...unused, intersections: 24 * intersections.length, slots: 48 };
  const status = statusOf(gpu, { capacity: 2 * intersections.length }, new Uint32Array(2 * job.shards * tiles));
  const left = await run("project", { ...room, status, pixelBlobs: 48 * 200 }, 200);
  assert.deepEqual(behindStatus(gpu, left.status).subarray(0, job.shards * tiles), band.projected.status.tileCounts);
  const subtiles = band.rasterized.segmentStates[0].taken.length;
  const states = 16 * 33 * subtiles * band.allocated.segments.length;
  const forward = await run(
    "rasterize",
    {
      segmentStates: states,
      pixels: 16 * band.rasterized.pixels.length,
      tileStatistics: 12 * (5 * 5 + tiles) * subtiles * 4,
    },
    tiles * subtiles,
  );
  assertClose(floats(forward.pixels), band.rasterized.pixels.flat(), "pixels of the lower band");
  const summed = await run("sumSlots", { ...unused, gradients: above }, 200);
  for (let field = 0; field < 9; field++) {
    const of = (all: Float32Array) => all.subarray(200 * field, 200 * (field + 1));
    assertClose(of(floats(summed.gradients)), of(updated.gradients), `gradients of parameter ${field}`);
  }
});

describe("a stage of the binned pipeline agrees with its CPU reference, given the same buffers:", () => {
  /** Buffers that the kernels of stage 1 write or bind. */
  const projectRoom = {
    gradients: 4,
    firstMoments: 4,
    secondMoments: 4,
    slots: 48,
    pixelBlobs: 48 * 200,
    intersections: 24 * intersections,
  };

  // The second step divides each list evenly among the shards.
  const next = stagesOf(job, state, undefined, sorted.status.firstBlobs);
  for (const [step, { projected }] of [
    ["the first step", all],
    ["a step with shards divided by the previous one", next],
  ] as const) {
    it(`project finds the same intersections and counts, in any order, in ${step}`, async ({ gpu }) => {
      const status = gpu.struct("Status");
      const firstBlobs = distancesOf(opaque, projected.status.firstBlobs);
      const counters = new Uint32Array(job.shards * tiles);
      const room = { ...projectRoom, status: statusOf(gpu, { capacity: 2 * intersections }, counters, firstBlobs) };
      const left = await run(gpu, "Thread", "project", room, 200);
      assert.equal(status.decode(left.status)[0].intersections[0], intersections);
      assert.deepEqual(behindStatus(gpu, left.status), Uint32Array.of(...projected.status.tileCounts, ...firstBlobs));
      const found = gpu.struct("Intersection").decode(left.intersections).slice(0, intersections);
      const keysOf = (all: { shard: number; blob: number }[]) =>
        all.map(({ shard, blob }) => `${blob} ${shard}`).sort();
      assert.deepEqual(
        keysOf(found.map(({ shard, blob }) => ({ shard: shard[0], blob: blob[0] }))),
        keysOf(projected.intersections),
      );
      for (const [i, { a, c }] of gpu.struct("PackedBlob").decode(left.pixelBlobs).entries()) {
        const { blob, around } = projected.pixelBlobs[i];
        assert.deepEqual([c[2], c[3]], [around.across | (around.down << 16), around.column | (around.row << 16)]);
        // The intersections are in the blob's range.
        const own = found.slice(c[1], c[1] + around.across * around.down);
        assert.ok(own.every((intersection) => intersection.blob[0] === i));
        assertClose(
          floats(Uint32Array.from(a).buffer),
          [blob.centerX, blob.centerY, blob.conic.xx, blob.conic.xy],
          `${i}`,
        );
      }
      assert.ok(projected.intersections.some(({ shard }) => shard === noShard) && entries > 200);
    });
  }

  it("sortLists divides lists evenly among the shards of the next step, also for consecutive blobs in a tile", async ({
    gpu,
  }) => {
    // Consecutive blobs in a tile, as in Hilbert order: the 128 in the first tile's corner are the last ones.
    const scene = opaqueScene({ blobs: 1024 });
    for (const field of [2, 3]) setParameter(scene, field, 0.02);
    for (let blob = 0; blob < 1024; blob++) {
      setParameter(scene, 0, blob < 896 ? 0.6 : 0.1, blob);
      setParameter(scene, 1, blob < 896 ? 0.6 : 0.05, blob);
    }
    const prepared = prepare(scene);
    const { sorted, projected } = prepared.all;
    const shardsOfFirstTile = ({ status: { tileCounts } }: Pick<Projected, "status">) =>
      tileCounts.filter((count, k) => k % tiles === 0 && count > 0).length;
    assert.equal(shardsOfFirstTile(projected), prepared.job.shards / 8);
    assert.equal(shardsOfFirstTile(project(prepared.job, scene.state, sorted.status.firstBlobs)), prepared.job.shards);
    const room = { list: 12 * sorted.list.length };
    const workgroups = Math.ceil(sorted.list.length / 128);
    const left = await run(gpu, "Thread", "sortLists", room, workgroups, { prepared });
    const firstBlobs = behindStatus(gpu, left.status).subarray(prepared.job.shards * tiles);
    assert.deepEqual(firstBlobs, distancesOf(prepared, sorted.status.firstBlobs));
  });

  it("project sets the same bits if tiles gather their lists, otherwise counts the same, Workgroup variant", async ({
    gpu,
  }) => {
    for (const gathers of [true, false]) {
      const { bits, tileCounts } = next.projected.status;
      const expected = gathers ? bits : tileCounts;
      const firstBlobs = gathers ? undefined : distancesOf(opaque, next.projected.status.firstBlobs);
      const status = statusOf(gpu, { capacity: 2 * intersections }, new Uint32Array(expected.length), firstBlobs);
      const left = await run(gpu, "Workgroup", "project", { ...projectRoom, status }, 200, { gathers });
      assert.deepEqual(behindStatus(gpu, left.status).subarray(0, expected.length), expected);
    }
  });

  it("project stores only blobs with intersections that fit, and counts the intersections of all", async ({ gpu }) => {
    const capacity = Math.floor(intersections / 2);
    for (const variant of ["Workgroup", "Thread"] as const) {
      const room = {
        ...projectRoom,
        pixelBlobs: new Uint32Array(12 * 200).fill(7),
        intersections: new Uint32Array(6 * intersections).fill(7),
        status: statusOf(gpu, { capacity }, new Uint32Array(2 * job.shards * tiles)),
      };
      const left = await run(gpu, variant, "project", room, 200, { gathers: false });
      assert.deepEqual(gpu.struct("Status").decode(left.status)[0].intersections, [intersections]);
      const isWritten = (all: Uint32Array, i: number, length: number) =>
        all.subarray(length * i, length * (i + 1)).some((word) => word !== 7);
      const blobs = words(left.pixelBlobs);
      const owned = new Set<number>();
      const kept = projected.pixelBlobs.filter((_, i) => isWritten(blobs, i, 12)).length;
      for (const [i, { around }] of projected.pixelBlobs.entries()) {
        if (!isWritten(blobs, i, 12)) continue;
        const first = blobs[12 * i + 9];
        for (let k = 0; k < around.across * around.down; k++) owned.add(first + k);
      }
      assert.ok(kept > 0 && kept < 200, `${kept} blobs, ${variant} variant`);
      assert.ok(Math.max(...owned) < capacity, variant);
      const found = Array.from({ length: 2 * intersections }, (_, intersection) => intersection).filter(
        (intersection) => isWritten(words(left.intersections), intersection, 3),
      );
      assert.deepEqual(new Set(found), owned, variant);
    }
  });

  it("allocateLists allocates disjoint ranges of the same lengths, and the same segments", async ({ gpu }) => {
    const empty = {
      tileLists: 16 * tiles,
      segments: 12 * segments,
      shardStarts: 4 * allocated.shardStarts.length,
      status: statusOf(gpu, { intersections, capacity: 2 * intersections }, projected.status.tileCounts),
    };
    const left = await run(gpu, "Thread", "allocateLists", empty, tiles);
    const status = gpu.struct("Status").decode(left.status)[0];
    assert.deepEqual([status.entries, status.segments, status.overflowed], [[entries], [segments], [0]]);
    assert.ok(behindStatus(gpu, left.status).every((count) => count === 0));
    const cut = gpu.struct("Segment").decode(left.segments);
    const shardStarts = words(left.shardStarts);
    const taken = new Set<number>();
    const lists = gpu.struct("TileList").decode(left.tileLists);
    assert.deepEqual(
      lists.map(({ tile }) => tile[0]).toSorted((a, b) => a - b),
      allocated.tileLists.map((_, t) => t),
    );
    for (const list of lists) {
      const [t, first, count, firstSegment] = [list.tile[0], list.first[0], list.count[0], list.firstSegment[0]];
      const reference = allocated.tileLists.find(({ tile }) => tile === t)!;
      assert.equal(count, reference.count, `tile ${t}`);
      for (let entry = first; entry < first + count; entry++) taken.add(entry);
      for (let shard = 0; shard <= job.shards; shard++) {
        const at = t * (job.shards + 1) + shard;
        assert.equal(shardStarts[at] - first, allocated.shardStarts[at] - reference.first);
      }
      for (let k = 0; k < Math.ceil(count / segmentLength); k++) {
        const own = allocated.segments[reference.firstSegment + k];
        const expected = { tile: [t], first: [first + own.first - reference.first], count: [own.count] };
        assert.deepEqual(cut[firstSegment + k], expected);
      }
    }
    assert.equal(taken.size, entries);
    assert.ok(segments > tiles, "some lists have several segments");
  });

  it("fillLists and sortLists write the same lists", async ({ gpu }) => {
    const room = { keys: 4 * entries, sources: 8 * entries };
    const left = await run(gpu, "Thread", "fillLists", room, Math.ceil(intersections / 128));
    assert.deepEqual(words(left.keys), filled.keys);
    assert.deepEqual(words(left.sources), filled.places);
    const { list } = await run(gpu, "Thread", "sortLists", { list: 12 * entries }, Math.ceil(entries / 128));
    const { buffer } = buffersOf(gpu, opaque).list as Uint8Array;
    assert.deepEqual(words(list), new Uint32Array(buffer));
    assert.ok(
      sorted.list.some(({ subtiles }) => subtiles !== 15),
      "not every blob meets all of a tile's subtiles",
    );
  });

  it("gatherLists writes the lists of the three stages that it replaces", async ({ gpu }) => {
    const gathered = gatherLists(job, projected);
    for (const name of ["list", "tileLists", "segments"] as const) assert.deepEqual(gathered[name], sorted[name], name);
    const counted = { intersections, capacity: 2 * intersections };
    const empty = {
      list: 12 * entries,
      tileLists: 16 * tiles,
      segments: 12 * segments,
      status: statusOf(gpu, counted, projected.status.bits),
    };
    const left = await run(gpu, "Workgroup", "gatherLists", empty, tiles, { gathers: true });
    assert.ok(behindStatus(gpu, left.status).every((word) => word === 0));
    const status = gpu.struct("Status").decode(left.status)[0];
    assert.deepEqual([status.entries, status.segments, status.overflowed], [[entries], [segments], [0]]);
    const cut = gpu.struct("Segment").decode(left.segments);
    const list = gpu.struct("Entry").decode(left.list);
    const lists = gpu.struct("TileList").decode(left.tileLists);
    assert.equal(new Set(lists.map(({ tile }) => tile[0])).size, tiles);
    for (const { tile, first, count, firstSegment } of lists) {
      const reference = gathered.tileLists.find((each) => each.tile === tile[0])!;
      assert.equal(count[0], reference.count, `tile ${tile}`);
      const own = gathered.list.slice(reference.first, reference.first + reference.count);
      assert.deepEqual(
        list
          .slice(first[0], first[0] + count[0])
          .map(({ blob, intersection, subtiles }) => [blob[0], intersection[0], subtiles[0]]),
        own.map(({ blob, intersection, subtiles }) => [blob, intersection, subtiles]),
        `tile ${tile}`,
      );
      for (let k = 0; k < Math.ceil(reference.count / segmentLength); k++) {
        const own = gathered.segments[reference.firstSegment + k];
        const segment = { tile: [own.tile], first: [first[0] + own.first - reference.first], count: [own.count] };
        assert.deepEqual(cut[firstSegment[0] + k], segment);
      }
    }
    const full = {
      ...empty,
      status: statusOf(gpu, { intersections, capacity: intersections - 1 }, projected.status.bits),
    };
    const refused = await run(gpu, "Workgroup", "gatherLists", full, tiles, { gathers: true });
    assert.deepEqual(gpu.struct("Status").decode(refused.status)[0].overflowed, [1]);
    assert.equal(gatherLists({ ...job, capacity: intersections - 1 }, projected).status.overflowed, true);
  });

  it("rasterize keeps the statistics and counts of the last step after an overflow", async ({ gpu }) => {
    for (const variant of ["Workgroup", "Thread"] as const) {
      const subtiles = rasterized.segmentStates[0].taken.length;
      const statistics = new Uint32Array(3 * tiles * subtiles * 4).fill(7);
      const status = statusOf(gpu, { intersections, entries, segments, overflowed: 1 }, projected.status.tileCounts);
      const room = { segmentStates: 16 * 33 * subtiles * segments, pixels: 16 * rasterized.pixels.length };
      const left = await run(
        gpu,
        variant,
        "rasterize",
        { ...room, tileStatistics: statistics, status },
        tiles * subtiles,
      );
      assert.deepEqual(words(left.tileStatistics), statistics);
      assert.deepEqual(words(left.status), status);
    }
  });

  it("allocateLists reports an overflow if not all intersections fit", async ({ gpu }) => {
    for (const [capacity, overflowed] of [
      [intersections - 1, 1],
      [intersections, 0],
    ]) {
      const room = {
        tileLists: 16 * tiles,
        segments: 12 * segments,
        shardStarts: 4 * allocated.shardStarts.length,
        status: statusOf(gpu, { intersections, capacity }, projected.status.tileCounts),
      };
      const left = await run(gpu, "Thread", "allocateLists", room, tiles);
      assert.deepEqual(gpu.struct("Status").decode(left.status)[0].overflowed, [overflowed]);
      const reference = allocateLists({ ...job, capacity }, projected);
      assert.equal(Number(reference.status.overflowed), overflowed);
      assert.equal(words(left.tileLists).some(Boolean), reference.tileLists.length > 0);
    }
  });

  // Buffers that the stages must not write after an overflow.
  const written = {
    fillLists: ["keys", "sources"],
    sortLists: ["list", "status"],
    rasterizeBackward: ["slots"],
    updateBlobs: ["gradients", "parameters", "firstMoments", "secondMoments", "pixelBlobs", "intersections", "status"],
    sumSlots: ["gradients"],
  } as const;
  const allDivisions = ["Subgroup", "Workgroup", "Thread"] as const;

  it("no stage writes its buffers after an overflow", async ({ gpu }) => {
    const overflowed = stagesOf({ ...job, capacity: intersections - 1 }, state);
    assert.deepEqual([overflowed.filled.keys.length, overflowed.sorted.list.length], [0, 0]);
    assert.ok(overflowed.slotted.slots.flat().every((value) => value === 0));
    assert.deepEqual(overflowed.updated.parameters, state.parameters);
    const room = {
      ...projectRoom,
      keys: 4 * entries,
      sources: 8 * entries,
      list: 12 * entries,
      slots: 48 * intersections,
    };
    const moments = { gradients: 36 * 200, firstMoments: 36 * 200, secondMoments: 36 * 200, parameters: 36 * 200 };
    const members = { intersections, entries, segments, capacity: 2 * intersections, overflowed: 1 };
    const status = statusOf(gpu, members, new Uint32Array(2 * job.shards * tiles));
    for (const [stage, names] of Object.entries(written)) {
      for (const variant of /Backward|update|sum/.test(stage) ? allDivisions : (["Thread"] as const)) {
        const given: Contents = { status };
        for (const [name, bytes] of Object.entries({ ...room, ...moments }))
          if (name in given === false && (names as readonly string[]).includes(name))
            given[name] = new Uint32Array(bytes / 4).fill(7);
        const left = await run(gpu, variant, stage as Stage, { ...room, ...moments, ...given }, 200, {
          end: segments,
        });
        for (const name of names) {
          const expected = given[name] as Uint32Array;
          assert.equal(
            words(left[name]).findIndex((word, k) => word !== expected[k]),
            -1,
            `${stage} by a ${variant}: ${name}`,
          );
        }
      }
    }
  });

  const scenes: [string, Prepared][] = [
    ["segments of 32 entries", opaque],
    ["segments of 64 entries", prepare(opaqueScene({ gaussiansPerBlock: 64 }, 32, 16))],
    ["segments of 256 entries", prepare(opaqueScene({ blobs: 320, gaussiansPerBlock: 256 }, 32, 16))],
    ["gradients that reach the clamp", prepare(clampedLists())],
  ];
  for (const [title, prepared] of scenes) {
    for (const variant of ["Subgroup", "Workgroup", "Thread"] as const) {
      it(`rasterize, rasterizeBackward and updateBlobs, ${variant} variant, with ${title}`, async ({ gpu }) => {
        const { config, state, tiles, job, all } = prepared;
        const { projected, allocated, rasterized, slotted, updated } = all;
        const { blobs } = config;
        const intersections = projected.intersections.length;
        const segments = allocated.segments.length;
        const subtiles = rasterized.segmentStates[0].taken.length;
        const room = { segmentStates: 4 * 4 * 33 * subtiles * segments, pixels: 16 * rasterized.pixels.length };
        const written = { ...room, tileStatistics: 12 * tiles * subtiles * 4 };
        const forward = await run(gpu, variant, "rasterize", written, tiles * subtiles, { prepared });
        assertClose(floats(forward.pixels), rasterized.pixels.flat(), "pixels");
        const states = floats(forward.segmentStates);
        const taken = words(forward.segmentStates);
        for (const [s, segment] of rasterized.segmentStates.entries()) {
          const at = 4 * 33 * subtiles * s;
          for (const [k, count] of segment.taken.entries()) {
            if (variant !== "Thread") assert.equal(taken[at + 128 * subtiles + 4 * k], count, `segment ${s}`);
            const own = segment.states.slice(32 * k, 32 * (k + 1)).flat();
            if (count > 0 && own.some(Boolean))
              assertClose(states.subarray(at + 128 * k, at + 128 * (k + 1)), own, `states of segment ${s}`);
          }
        }
        const rows = gpu.struct("TileStatistics").decode(forward.tileStatistics);
        const perTile = subtiles * (variant === "Thread" ? 4 : 1);
        const errors = allocated.tileLists.map((_, t) =>
          rows.slice(t * perTile, (t + 1) * perTile).reduce((sum, { squaredError }) => sum + squaredError[0], 0),
        );
        assertClose(
          errors,
          rasterized.tileStatistics.map(({ squaredError }) => squaredError),
          "squared errors",
        );

        const options = { prepared, end: segments };
        const back = await run(gpu, variant, "rasterizeBackward", { slots: 48 * intersections }, segments, options);
        const slots = gpu.struct("Slot").decode(back.slots);
        const isThere = projected.intersections.map(({ shard }) => shard !== noShard);
        assert.deepEqual(
          slots.map(({ step }) => step[0] === 1),
          isThere,
        );
        for (let v = 0; v < 9; v++) {
          const values = slots.map(({ a, b, c }, intersection) => (isThere[intersection] ? [...a, ...b, ...c][v] : 0));
          assertClose(
            values,
            slotted.slots.map((slot) => slot[v]),
            `value ${v} of the slots`,
          );
        }

        const { firstMoments, secondMoments } = state;
        const status = statusOf(gpu, { capacity: 2 * intersections }, new Uint32Array(2 * job.shards * tiles));
        const gradients = state.parameters.byteLength;
        const empty = {
          gradients,
          firstMoments,
          secondMoments,
          pixelBlobs: 48 * blobs,
          intersections: 24 * intersections,
          status,
        };
        const { pixelBlobs } = buffersOf(gpu, prepared);
        // Enough for all blobs in their shards.
        const workgroups = 16 * job.shards * Math.ceil(blobs / (16 * job.shards));
        const after = await run(gpu, variant, "updateBlobs", { ...empty, pixelBlobs }, workgroups, { prepared });
        for (let field = 0; field < 9; field++) {
          const of = (all: Float32Array) => all.subarray(blobs * field, blobs * (field + 1));
          assertClose(of(floats(after.gradients)), of(updated.gradients), `gradients of parameter ${field}`);
          assertClose(of(floats(after.parameters)), of(updated.parameters), `parameter ${field}`);
        }
      });
    }
  }

  it("the scenes have subtiles that become opaque at each offset in a segment, and clamped gradients", () => {
    for (const [title, { all, job }] of scenes.slice(0, 3)) {
      const parts = new Set(
        all.rasterized.segmentStates.flatMap(({ taken }, s) =>
          taken.filter((count) => count > 0 && count < all.allocated.segments[s].count).map((count) => count / 32),
        ),
      );
      if (job.segmentLength > 32) assert.ok(parts.size > 0, title);
      const closed = all.rasterized.segmentStates.some(({ taken }) => taken.includes(0));
      assert.ok(closed || job.segmentLength === 256, title);
    }
    const [, clamped] = scenes[3];
    assert.equal(clamped.job.clamped, true);
    const free = rasterizeBackward({ ...clamped.job, clamped: false }, clamped.all.rasterized);
    const raw = updateBlobs({ ...clamped.job, clamped: false }, free).gradients;
    const { gradients } = clamped.all.updated;
    const { blobs } = clamped.config;
    for (const field of [0, 1, 2, 3]) {
      const apart = Array.from({ length: blobs }, (_, i) => raw[field * blobs + i] - gradients[field * blobs + i]);
      assert.ok(
        apart.some((gap) => Math.abs(gap) > 1),
        `parameter ${field} reaches the clamp`,
      );
    }
  });
});

it("the reference's stages compile only in order", () => {
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
    // @ts-expect-error allocating twice
    allocateLists(job, allocated);
  };
});
