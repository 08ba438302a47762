import assert from "node:assert/strict";
import { describe } from "vitest";
import { bandsOf } from "../../../src/engine/gpu/binned/bands.js";
import { bandKernels, binnedKernels } from "../../../src/engine/gpu/binned/kernels.js";
import { copies, type Division, layoutOf } from "../../../src/engine/gpu/binned/layout.js";
import type { Gpu } from "../../../src/engine/gpu/device.js";
import { dispatchUniform, jobUniform } from "../../../src/engine/gpu/uniforms.js";
import { runKernel } from "../../../src/engine/gpu/workbench.js";
import { corrections } from "../../../src/engine/model/adam.js";
import { project } from "../../../src/engine/model/binned/1-project.js";
import { allocateLists } from "../../../src/engine/model/binned/2-allocateLists.js";
import { gatherLists } from "../../../src/engine/model/binned/2-gatherLists.js";
import { fillLists } from "../../../src/engine/model/binned/3-fillLists.js";
import { sortLists } from "../../../src/engine/model/binned/4-sortLists.js";
import { rasterize } from "../../../src/engine/model/binned/5-rasterize.js";
import { rasterizeBackward } from "../../../src/engine/model/binned/6-rasterizeBackward.js";
import { updateBlobs } from "../../../src/engine/model/binned/7-updateBlobs.js";
import { type BinnedJob, type DrawnBlob, noTile } from "../../../src/engine/model/binned/lists.js";
import { modelOf } from "../../../src/engine/model/blob.js";
import { ratesAt } from "../../../src/engine/model/rates.js";
import { tileGrid } from "../../../src/engine/model/uv.js";
import { it } from "../../support/gpu.js";
import { scene, setParameter } from "../../support/scenes.js";

const { config, image, state } = opaqueScene();

/** Lists of several segments, whose pixels are opaque before their ends. */
function opaqueScene() {
  const job = scene({ pipeline: "binned", blobs: 200, covarianceScale: 0.08 }, 80, 64);
  setParameter(job, 8, 0.6);
  return job;
}

const { tile, segmentLength } = layoutOf(config, image);
const tiles = tileGrid(image, tile).count;
const [whole] = bandsOf(image, tile[1], tiles);
const job: BinnedJob = {
  model: modelOf(config, image),
  composite: config.composite,
  target: image,
  band: whole,
  tile,
  copies: copies(config, tiles),
  segmentLength,
  rates: ratesAt(config, 1),
  corrections: corrections(config.biasCorrection, 1),
};

/** What the twins leave, each of which goes on from the one before. */
function stagesOf(job: BinnedJob, above?: Float32Array) {
  const projected = project(job, state);
  const allocated = allocateLists(job, projected);
  const filled = fillLists(job, allocated);
  const sorted = sortLists(job, filled);
  const rasterized = rasterize(job, sorted);
  const slotted = rasterizeBackward(job, rasterized);
  return {
    band: job.band,
    projected,
    allocated,
    filled,
    sorted,
    rasterized,
    slotted,
    updated: updateBlobs(job, slotted, above),
  };
}

const all = stagesOf(job);
const { projected, allocated, filled, sorted, rasterized, slotted, updated } = all;
const pairs = projected.pairs.length;
const entries = sorted.list.length;
const segments = allocated.segments.length;

/** A blob with its pairs, as shaders/binned/lists.wgsl packs it. */
function packed({ centerX, centerY, conic, opacity, red, green, blue }: DrawnBlob, pairs: number[]) {
  const floats = Float32Array.of(centerX, centerY, conic.xx, conic.xy, conic.yy, opacity, red, green, blue);
  const words = [...new Uint32Array(floats.buffer), ...pairs];
  return { a: words.slice(0, 4), b: words.slice(4, 8), c: words.slice(8) };
}

type Contents = Record<string, number | ArrayBufferView>;

/** The status, and at its end the tiles' counters. */
function statusOf(gpu: Gpu, members: Record<string, number>, tileCounts: Uint32Array): Uint32Array {
  const begin = new Uint32Array(gpu.struct("Status").encode([members]).buffer);
  return Uint32Array.of(...begin, ...tileCounts);
}

/** What a kernel left of the counters. */
const countsOf = (gpu: Gpu, status: ArrayBuffer) => words(status).subarray(gpu.struct("Status").words);

/** The twins' buffers, as the kernels take them; a stage is given no other of them than those that its twin takes. */
function buffersOf(gpu: Gpu, { projected, allocated, filled, sorted, rasterized, slotted } = all): Contents {
  const encode = (struct: string, rows: Parameters<ReturnType<Gpu["struct"]>["encode"]>[0]) =>
    gpu.struct(struct).encode(rows);
  return {
    job: jobUniform(gpu.shaders, config, image),
    parameters: state.parameters,
    targetImage: image.data,
    pixelBlobs: encode(
      "PackedBlob",
      projected.pixelBlobs.map(({ blob, first, around: { column, row, across, down } }) =>
        packed(blob, [first, across | (down << 16), column | (row << 16)]),
      ),
    ),
    pairs: encode(
      "Pair",
      projected.pairs.map((pair) => ({ ...pair })),
    ),
    tileLists: encode(
      "TileList",
      allocated.tileLists.map((list) => ({ ...list })),
    ),
    segments: encode(
      "Segment",
      allocated.segments.map((segment) => ({ ...segment })),
    ),
    copyStarts: allocated.copyStarts,
    keys: filled.keys,
    places: filled.places,
    list: encode(
      "Entry",
      sorted.list.map((entry) => ({ ...entry })),
    ),
    segmentStates: Uint32Array.from(
      rasterized.segmentStates.flatMap(({ states, taken }, s) => [
        ...new Uint32Array(Float32Array.from(states.flat()).buffer),
        ...taken.flatMap((isTaken) => [isTaken ? allocated.segments[s].count : 0, 0, 0, 0]),
      ]),
    ),
    pixels: Float32Array.from(rasterized.pixels.flat()),
    slots: encode(
      "Slot",
      slotted.slots.map((slot, pair) =>
        // The place of a pair that is not there holds what an earlier step left.
        projected.pairs[pair].tile === noTile
          ? { a: [1, 2, 3, 4], b: [5, 6, 7, 8], c: 9, step: 7 }
          : { a: slot.slice(0, 4), b: slot.slice(4, 8), c: slot[8], step: 1 },
      ),
    ),
    status: statusOf(
      gpu,
      {
        pairs: projected.pairs.length,
        entries: sorted.list.length,
        segments: allocated.segments.length,
        capacity: 2 * projected.pairs.length,
      },
      projected.status.tileCounts,
    ),
  };
}

type Kernels = ReturnType<typeof binnedKernels>;

/** Runs a stage's kernel on what the twins before it left; what it is to write is empty. */
async function run(
  gpu: Gpu,
  division: Division,
  stage: keyof Kernels,
  written: Contents,
  workgroups: number,
  end = tiles,
  gathers?: boolean,
) {
  const { file, constants } = binnedKernels(config, image, gpu, division, gathers)[stage]!;
  const share = { size: image, first: 0, end, step: 1 };
  const dispatch = dispatchUniform(gpu.shaders, [share], config);
  return runKernel(gpu, { file, constants, workgroups, buffers: { ...buffersOf(gpu), dispatch, ...written } });
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

it("the stages that differ in a band leave what their twins leave, and its bands' gradients add up to the picture's", async ({
  gpu,
}) => {
  // Of the eight rows of tiles the upper five, and the others.
  const [upper, lower] = bandsOf(image, tile[1], 5);
  const above = stagesOf({ ...job, band: upper }).updated.gradients;
  const band = stagesOf({ ...job, band: lower }, above);
  for (const name of ["gradients", "parameters"] as const)
    assertClose(band.updated[name], updated[name], `${name} of two bands`);
  const tiles = tileGrid(lower.size, tile).count;
  const kernels = bandKernels(config, image, gpu, "Thread");
  const run = (stage: keyof typeof kernels, written: Contents, workgroups: number) => {
    const share = { ...lower, first: 0, end: tiles, step: 1 };
    const dispatch = dispatchUniform(gpu.shaders, [share], config);
    return runKernel(gpu, {
      ...kernels[stage],
      workgroups,
      buffers: { ...buffersOf(gpu, band), dispatch, ...written },
    });
  };
  const { pairs } = band.projected;
  const unused = { gradients: 4, firstMoments: 4, secondMoments: 4 };
  const room = { ...unused, pairs: 24 * pairs.length, slots: 48 };
  const status = statusOf(gpu, { capacity: 2 * pairs.length }, new Uint32Array(job.copies * tiles));
  const left = await run("project", { ...room, status, pixelBlobs: 48 * 200 }, 200);
  assert.deepEqual(countsOf(gpu, left.status), band.projected.status.tileCounts);
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

describe("a stage of the binned pipeline leaves what its twin leaves, given the same buffers:", () => {
  it("project finds the same pairs and counts, in any order", async ({ gpu }) => {
    const status = gpu.struct("Status");
    const unused = { gradients: 4, firstMoments: 4, secondMoments: 4, slots: 48 };
    const empty = {
      ...unused,
      pixelBlobs: 48 * 200,
      pairs: 24 * pairs,
      status: statusOf(gpu, { capacity: 2 * pairs }, new Uint32Array(job.copies * tiles)),
    };
    const left = await run(gpu, "Thread", "project", empty, 200);
    assert.equal(status.decode(left.status)[0].pairs[0], pairs);
    assert.deepEqual(countsOf(gpu, left.status), projected.status.tileCounts);
    const found = gpu.struct("Pair").decode(left.pairs).slice(0, pairs);
    const keysOf = (all: { tile: number; blob: number }[]) => all.map(({ tile, blob }) => `${blob} ${tile}`).sort();
    assert.deepEqual(
      keysOf(found.map(({ tile, blob }) => ({ tile: tile[0], blob: blob[0] }))),
      keysOf(projected.pairs),
    );
    for (const [i, { a, c }] of gpu.struct("PackedBlob").decode(left.pixelBlobs).entries()) {
      const { blob, around } = projected.pixelBlobs[i];
      assert.deepEqual([c[2], c[3]], [around.across | (around.down << 16), around.column | (around.row << 16)]);
      // The pairs are where the blob says.
      const own = found.slice(c[1], c[1] + around.across * around.down);
      assert.ok(own.every((pair) => pair.blob[0] === i));
      assertClose(
        floats(Uint32Array.from(a).buffer),
        [blob.centerX, blob.centerY, blob.conic.xx, blob.conic.xy],
        `${i}`,
      );
    }
    assert.ok(projected.pairs.some((pair) => pair.tile === noTile) && entries > 200);
  });

  it("project sets the same bits where tiles gather their lists, and counts the same where they do not, a workgroup for some blobs", async ({
    gpu,
  }) => {
    const unused = { gradients: 4, firstMoments: 4, secondMoments: 4, slots: 48 };
    for (const gathers of [true, false]) {
      const { bits, tileCounts } = projected.status;
      const expected = gathers ? bits : tileCounts;
      const status = statusOf(gpu, { capacity: 2 * pairs }, new Uint32Array(expected.length));
      const empty = { ...unused, pixelBlobs: 48 * 200, pairs: 24 * pairs, status };
      const left = await run(gpu, "Workgroup", "project", empty, 200, tiles, gathers);
      assert.deepEqual(countsOf(gpu, left.status), expected);
    }
  });

  it("allocateLists gives each tile a part of its own that is as long, and cuts it into the same segments", async ({
    gpu,
  }) => {
    const empty = {
      tileLists: 16 * tiles,
      segments: 12 * segments,
      copyStarts: 4 * allocated.copyStarts.length,
      status: statusOf(gpu, { pairs, capacity: 2 * pairs }, projected.status.tileCounts),
    };
    const left = await run(gpu, "Thread", "allocateLists", empty, tiles);
    const status = gpu.struct("Status").decode(left.status)[0];
    assert.deepEqual([status.entries, status.segments, status.halted], [[entries], [segments], [0]]);
    assert.ok(countsOf(gpu, left.status).every((count) => count === 0));
    const cut = gpu.struct("Segment").decode(left.segments);
    const copyStarts = words(left.copyStarts);
    const taken = new Set<number>();
    const lists = gpu.struct("TileList").decode(left.tileLists);
    assert.deepEqual(
      lists.map(({ tile }) => tile[0]).toSorted((a, b) => a - b),
      allocated.tileLists.map((_, t) => t),
    );
    for (const list of lists) {
      const [t, first, count, firstSegment] = [list.tile[0], list.first[0], list.count[0], list.firstSegment[0]];
      const twin = allocated.tileLists.find(({ tile }) => tile === t)!;
      assert.equal(count, twin.count, `tile ${t}`);
      for (let entry = first; entry < first + count; entry++) taken.add(entry);
      for (let copy = 0; copy <= job.copies; copy++) {
        const at = t * (job.copies + 1) + copy;
        assert.equal(copyStarts[at] - first, allocated.copyStarts[at] - twin.first);
      }
      for (let k = 0; k < Math.ceil(count / segmentLength); k++) {
        const own = allocated.segments[twin.firstSegment + k];
        const expected = { tile: [t], first: [first + own.first - twin.first], count: [own.count] };
        assert.deepEqual(cut[firstSegment + k], expected);
      }
    }
    assert.equal(taken.size, entries);
    assert.ok(segments > tiles, "some lists have several segments");
  });

  it("fillLists and sortLists leave the same lists", async ({ gpu }) => {
    const room = { keys: 4 * entries, places: 8 * entries };
    const left = await run(gpu, "Thread", "fillLists", room, Math.ceil(pairs / 128));
    assert.deepEqual(words(left.keys), filled.keys);
    assert.deepEqual(words(left.places), filled.places);
    const { list } = await run(gpu, "Thread", "sortLists", { list: 12 * entries }, Math.ceil(entries / 128));
    const { buffer } = buffersOf(gpu).list as Uint8Array;
    assert.deepEqual(words(list), new Uint32Array(buffer));
    assert.ok(
      sorted.list.some(({ subtiles }) => subtiles !== 15),
      "not every blob meets all of a tile's subtiles",
    );
  });

  it("gatherLists leaves the lists of the three stages that it stands for", async ({ gpu }) => {
    const gathered = gatherLists(job, projected);
    for (const name of ["list", "tileLists", "segments"] as const) assert.deepEqual(gathered[name], sorted[name], name);
    const counted = { pairs, capacity: 2 * pairs };
    const empty = {
      list: 12 * entries,
      tileLists: 16 * tiles,
      segments: 12 * segments,
      status: statusOf(gpu, counted, projected.status.bits),
    };
    const left = await run(gpu, "Workgroup", "gatherLists", empty, tiles);
    assert.ok(countsOf(gpu, left.status).every((word) => word === 0));
    const status = gpu.struct("Status").decode(left.status)[0];
    assert.deepEqual([status.entries, status.segments, status.halted], [[entries], [segments], [0]]);
    const cut = gpu.struct("Segment").decode(left.segments);
    const list = gpu.struct("Entry").decode(left.list);
    const lists = gpu.struct("TileList").decode(left.tileLists);
    assert.equal(new Set(lists.map(({ tile }) => tile[0])).size, tiles);
    for (const { tile, first, count, firstSegment } of lists) {
      const twin = gathered.tileLists.find((each) => each.tile === tile[0])!;
      assert.equal(count[0], twin.count, `tile ${tile}`);
      const own = gathered.list.slice(twin.first, twin.first + twin.count);
      assert.deepEqual(
        list.slice(first[0], first[0] + count[0]).map(({ blob, pair, subtiles }) => [blob[0], pair[0], subtiles[0]]),
        own.map(({ blob, pair, subtiles }) => [blob, pair, subtiles]),
        `tile ${tile}`,
      );
      for (let k = 0; k < Math.ceil(twin.count / segmentLength); k++) {
        const own = gathered.segments[twin.firstSegment + k];
        const segment = { tile: [own.tile], first: [first[0] + own.first - twin.first], count: [own.count] };
        assert.deepEqual(cut[firstSegment[0] + k], segment);
      }
    }
    const full = { ...empty, status: statusOf(gpu, { pairs, capacity: pairs - 1 }, projected.status.bits) };
    const refused = await run(gpu, "Workgroup", "gatherLists", full, tiles);
    assert.deepEqual(gpu.struct("Status").decode(refused.status)[0].halted, [1]);
  });

  it("rasterize leaves what the last step told, and its counts, where lists are halted", async ({ gpu }) => {
    for (const division of ["Workgroup", "Thread"] as const) {
      const subtiles = rasterized.segmentStates[0].taken.length;
      const told = new Uint32Array(3 * tiles * subtiles * 4).fill(7);
      const status = statusOf(gpu, { pairs, entries, segments, halted: 1 }, projected.status.tileCounts);
      const room = { segmentStates: 16 * 33 * subtiles * segments, pixels: 16 * rasterized.pixels.length };
      const left = await run(gpu, division, "rasterize", { ...room, tileStatistics: told, status }, tiles * subtiles);
      assert.deepEqual(words(left.tileStatistics), told);
      assert.deepEqual(words(left.status), status);
    }
  });

  for (const division of ["Subgroup", "Workgroup", "Thread"] as const) {
    it(`rasterize, rasterizeBackward and updateBlobs, a segment a ${division.toLowerCase()}`, async ({ gpu }) => {
      const subtiles = rasterized.segmentStates[0].taken.length;
      const room = { segmentStates: 4 * 4 * 33 * subtiles * segments, pixels: 16 * rasterized.pixels.length };
      const told = { ...room, tileStatistics: 12 * tiles * subtiles * 4 };
      const forward = await run(gpu, division, "rasterize", told, tiles * subtiles);
      assertClose(floats(forward.pixels), rasterized.pixels.flat(), "pixels");
      const states = floats(forward.segmentStates);
      const taken = words(forward.segmentStates);
      for (const [s, segment] of rasterized.segmentStates.entries()) {
        const at = 4 * 33 * subtiles * s;
        for (const [k, isTaken] of segment.taken.entries()) {
          if (division !== "Thread") assert.equal(taken[at + 128 * subtiles + 4 * k] > 0, isTaken, `segment ${s}`);
          const own = segment.states.slice(32 * k, 32 * (k + 1)).flat();
          if (isTaken) assertClose(states.subarray(at + 128 * k, at + 128 * (k + 1)), own, `states of segment ${s}`);
        }
      }
      assert.ok(
        rasterized.segmentStates.some(({ taken }) => taken.includes(false)),
        "some subtile is opaque",
      );
      const rows = gpu.struct("TileStatistics").decode(forward.tileStatistics);
      const perTile = subtiles * (division === "Thread" ? 4 : 1);
      const errors = allocated.tileLists.map((_, t) =>
        rows.slice(t * perTile, (t + 1) * perTile).reduce((sum, { squaredError }) => sum + squaredError[0], 0),
      );
      assertClose(
        errors,
        rasterized.tileStatistics.map(({ squaredError }) => squaredError),
        "squared errors",
      );

      const back = await run(gpu, division, "rasterizeBackward", { slots: 48 * pairs }, segments, segments);
      const slots = gpu.struct("Slot").decode(back.slots);
      const isThere = projected.pairs.map((pair) => pair.tile !== noTile);
      assert.deepEqual(
        slots.map(({ step }) => step[0] === 1),
        isThere,
      );
      for (let v = 0; v < 9; v++) {
        const values = slots.map(({ a, b, c }, pair) => (isThere[pair] ? [...a, ...b, ...c][v] : 0));
        assertClose(
          values,
          slotted.slots.map((slot) => slot[v]),
          `value ${v} of the slots`,
        );
      }

      const { firstMoments, secondMoments } = state;
      const status = statusOf(gpu, { capacity: 2 * pairs }, new Uint32Array(job.copies * tiles));
      const empty = { gradients: state.parameters.byteLength, firstMoments, secondMoments, pairs: 24 * pairs, status };
      const after = await run(gpu, division, "updateBlobs", empty, 200);
      for (let field = 0; field < 9; field++) {
        const of = (all: Float32Array) => all.subarray(200 * field, 200 * (field + 1));
        assertClose(of(floats(after.gradients)), of(updated.gradients), `gradients of parameter ${field}`);
        assertClose(of(floats(after.parameters)), of(updated.parameters), `parameter ${field}`);
      }
    });
  }
});

it("the stages' twins compile in their order alone", () => {
  void function outOfOrder() {
    // @ts-expect-error filling lists that nobody has given out
    fillLists(job, projected);
    // @ts-expect-error sorting before filling
    sortLists(job, allocated);
    // @ts-expect-error blending before sorting
    rasterize(job, filled);
    // @ts-expect-error going back before going forward
    rasterizeBackward(job, sorted);
    // @ts-expect-error adding up slots that nobody has filled
    updateBlobs(job, rasterized);
    // @ts-expect-error giving lists out twice
    allocateLists(job, allocated);
  };
});
