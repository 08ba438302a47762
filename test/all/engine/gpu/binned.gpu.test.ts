import assert from "node:assert/strict";
import { describe } from "vitest";
import { completeConfig, defaults } from "../../../../src/engine/config.js";
import { CpuPipeline } from "../../../../src/engine/cpu/pipeline.js";
import { checkOnGpu } from "../../../../src/engine/gpu/backend.js";
import { binnedKernels } from "../../../../src/engine/gpu/binned/kernels.js";
import { joinedTile, type KernelVariant, layoutOf } from "../../../../src/engine/gpu/binned/layout.js";
import { checkListsFit, maxGatheringTiles, rowsAtOnce } from "../../../../src/engine/gpu/binned/limits.js";
import { overflowMessage } from "../../../../src/engine/gpu/binned/lists.js";
import { BinnedPipeline } from "../../../../src/engine/gpu/binned/pipeline.js";
import type { Gpu } from "../../../../src/engine/gpu/device.js";
import { bindingsOf } from "../../../../src/engine/gpu/reachability.js";
import { structOf } from "../../../../src/engine/gpu/structs.js";
import { dispatchUniform, jobUniform } from "../../../../src/engine/gpu/uniforms.js";
import { runKernel } from "../../../../src/engine/gpu/workbench.js";
import { mayClamp } from "../../../../src/engine/model/accumulate.js";
import { decodeAll, evalBackward, evalFalloff, modelOf } from "../../../../src/engine/model/blob.js";
import { limitText } from "../../../../src/engine/quoted.js";
import { uniformGenerator } from "../../../../src/engine/random.js";
import type { ShaderLibrary } from "../../../../src/engine/shaders.js";
import { assertImagesAgree, assertPassAgrees, assertTrainingAgrees } from "../../../support/agreement.js";
import { it, openGpu, shaders } from "../../../support/gpu.js";
import { limits } from "../../../support/limits.js";
import {
  clampedScene,
  directScene,
  modelName,
  models,
  type Scene,
  scene,
  sceneOf,
  setParameter,
} from "../../../support/scenes.js";

const variants: KernelVariant[] = ["Subgroup", "Workgroup", "Thread"];

const open = (gpu: Gpu, { config, image, state }: Scene, variant?: KernelVariant, shaders?: ShaderLibrary) =>
  BinnedPipeline.open(gpu, { config, image, state, shaders }, variant);

/** Returns the limits of an adapter with buffers of at most so many bytes. */
const limitsOf = (bytes: number) => ({ ...limits, maxBufferSize: bytes, maxStorageBufferBindingSize: bytes });

/** Opens the pipeline on an adapter with buffers of at most so many bytes. */
const openWithin = (bytes: number, gpu: Gpu, { config, image, state }: Scene, variant: KernelVariant) =>
  BinnedPipeline.open(gpu, { config, image, state }, variant, limitsOf(bytes));

const given = { pipeline: "binned", learningRate: 0.01 } as const;

/** Small blobs that grow in the first steps to cover most of the 40 tiles. */
function growingScene(): Scene {
  const job = scene({ ...given, blobs: 20, learningRate: 0.1, covarianceScale: 0.2 }, 80, 64);
  for (const field of [2, 3]) setParameter(job, field, 0.02);
  // Away from the edges, where gradients of centres vanish and Adam amplifies their rounding.
  const { parameters } = job.state;
  for (let slot = 0; slot < 2 * job.config.blobs; slot++) parameters[slot] = 0.2 + 0.6 * parameters[slot];
  return job;
}

/** Returns the bytes of a buffer that grows with the lists. */
const slotBytes = async (pipeline: BinnedPipeline) => (await pipeline.allocated()).slots;

/** Returns the number of tile–blob intersections at the latest step. */
const countIntersections = async (pipeline: BinnedPipeline) =>
  (await pipeline.tiles()).lengths.reduce((sum, length) => sum + length, 0);

/** Returns the bits of a run's state; -0 differs from 0. */
async function bitsOf(pipeline: BinnedPipeline): Promise<Uint32Array[]> {
  const { parameters, firstMoments, secondMoments } = await pipeline.state();
  return [parameters, firstMoments, secondMoments].map(({ buffer }) => new Uint32Array(buffer));
}

for (const variant of variants) {
  describe(`the binned pipeline, ${variant} variant`, () => {
    it("gives the same bits however its steps are split, paused and read back", async ({ gpu }) => {
      const job = growingScene();
      const runs = [];
      for (const cut of [[7], [1, 2, 4]]) {
        const pipeline = await open(gpu, job, variant);
        for (const [k, steps] of cut.entries()) {
          await pipeline.advance(steps);
          if (k === 1) await Promise.all([pipeline.render({ width: 9, height: 7 }), pipeline.computeGradients()]);
        }
        assert.equal(pipeline.step, 7);
        runs.push(await bitsOf(pipeline));
        await pipeline.free();
      }
      assert.notDeepEqual(runs[0][0], new Uint32Array(job.state.parameters.buffer));
      assert.deepEqual(runs[1], runs[0]);
    });

    it("grows its lists during a run without losing a step", async ({ gpu }) => {
      const { liveBuffers } = gpu;
      const pipeline = await open(gpu, growingScene(), variant);
      await pipeline.computeGradients();
      const bytes = await slotBytes(pipeline);
      await assertTrainingAgrees(pipeline, growingScene(), 6);
      assert.ok((await slotBytes(pipeline)) > 2 * bytes);
      await pipeline.free();
      assert.equal(gpu.liveBuffers, liveBuffers);
    });
  });

  describe(`the binned pipeline, ${variant} variant, agrees with the float64 reference in passes and training`, () => {
    // Compares a pass at the start, and training if `cut` has numbers of steps.
    const compare = async (gpu: Gpu, job: Scene, ...cut: number[]) => {
      const pipeline = await open(gpu, job, variant);
      const statistics = await assertPassAgrees(pipeline, job);
      await assertTrainingAgrees(pipeline, job, ...cut);
      await pipeline.free();
      return statistics;
    };

    // The same numbers of blobs and tiles where possible, so that kernels are compiled once.
    it("at a random start, original background", async ({ gpu }) => {
      await compare(gpu, scene({ ...given, blobs: 200 }), 1, 2);
    });

    it("if most lists have several segments, white background", async ({ gpu }) => {
      const long = scene({ ...given, background: "white", blobs: 288, covarianceScale: 0.15 });
      setParameter(long, 8, 0);
      const { tileLists } = await compare(gpu, long, 1, 2);
      assert.ok(tileLists.mean > 2 * 64, String(tileLists.mean));
      // Some are longer than LONG_LIST of shaders/binned/allocation.wgsl, so their tiles come first.
      assert.ok(tileLists.longest > 256, String(tileLists.longest));
    });

    for (const gaussiansPerBlock of [64, 256]) {
      it(`if pixels become opaque within segments of ${gaussiansPerBlock} entries`, async ({ gpu }) => {
        const opaque = scene({ ...given, gaussiansPerBlock, blobs: 288, covarianceScale: 0.15 });
        setParameter(opaque, 8, 0.35);
        const { tileLists } = await compare(gpu, opaque, 1, 2);
        assert.ok(tileLists.longest > 256, String(tileLists.longest));
      });
    }

    for (const blend of ["over", "sum"] as const) {
      it(`at a random start, direct blobs, blend ${blend}`, async ({ gpu }) => {
        await compare(gpu, directScene({ ...given, blend, blobs: 200, seed: 11 }), 1, 2);
      });
    }

    for (const model of models.filter(({ background }) => background === "black")) {
      it(`if lists have several segments, ${modelName(model)}`, async ({ gpu }) => {
        const long = sceneOf(model, { ...given, blobs: 200, covarianceScale: 0.03, seed: 18 });
        setParameter(long, 8, model.parameterization === "direct" ? -3 : 0);
        const { tileLists } = await compare(gpu, long);
        assert.ok(tileLists.longest > 2 * 64, String(tileLists.longest));
      });
    }

    it("if direct blobs are thinner than a pixel and strongly tilted", async ({ gpu }) => {
      const job = directScene({ ...given, blobs: 200, seed: 16 });
      for (let blob = 0; blob < 200; blob++) {
        setParameter(job, 2 + (blob % 2), Math.log(0.1), blob);
        setParameter(job, 4, blob % 4 < 2 ? 2.5 : -2.5, blob);
      }
      await compare(gpu, job);
    });

    it("if blobs are nearly opaque, and if each pixel's gradients are clamped", async ({ gpu }) => {
      const opaque = scene({ ...given, blobs: 200, seed: 4 });
      setParameter(opaque, 8, 0.93);
      await compare(gpu, opaque);
      await compare(gpu, clampedScene("binned"), 1, 2);
      await compare(gpu, clampedScene("binned", { blend: "sum", background: "black" }));
    });

    it("if blobs overlap more tiles than their own threads process", async ({ gpu }) => {
      // So many that a blob has 32 threads, for 16 tiles each; the first three are large.
      const large = scene({ ...given, blobs: 513, covarianceScale: 0.2 }, 400, 184);
      for (const field of [2, 3]) setParameter(large, field, 0.002);
      for (let blob = 0; blob < 3; blob++) {
        setParameter(large, 0, 0.4 + 0.1 * blob, blob);
        setParameter(large, 1, 0.5, blob);
        for (const field of [2, 3]) setParameter(large, field, blob === 1 ? 0.02 : 0.8, blob);
      }
      await compare(gpu, large, 1, 1);
    });

    it("if tiles have several rows of subtiles, some partly outside", async ({ gpu }) => {
      await compare(gpu, scene({ ...given, tile: "20x9", blobs: 20, seed: 6 }, 37, 19), 1, 2);
    });
  });
}

describe("the binned pipeline in bands of rows of tiles", () => {
  // The Workgroup variant differs from Subgroup only in a stage that ignores bands.
  for (const variant of ["Subgroup", "Thread"] as const) {
    it(`agrees with the float64 reference, and trains as it does, ${variant} variant`, async ({ gpu }) => {
      const job = scene({ ...given, blobs: 200 });
      // The initial intersections of four tiles do not fit, nor those of a render.
      const pipeline = await openWithin(2112 * 28, gpu, job, variant);
      assert.equal((await pipeline.allocated()).pixels, 16 * 16 * 8 * 2);
      // Only once, since barriers are slow on the software adapter.
      if (variant === "Thread") await assertPassAgrees(pipeline, job);
      await assertTrainingAgrees(pipeline, job, 1);
      await pipeline.free();
    });
  }

  it("starts during a run when lists no longer fit, with the same bits however the run is split and read back", async ({
    gpu,
  }) => {
    const runs = [];
    for (const cut of [[7], [1, 2, 4]]) {
      // 320 intersections fit with the 40 tiles.
      const pipeline = await openWithin(2112 * 50, gpu, growingScene(), "Thread");
      await pipeline.computeGradients();
      assert.ok((await countIntersections(pipeline)) < 320);
      for (const steps of cut) {
        await pipeline.advance(steps);
        if (cut.length > 1) await Promise.all([pipeline.render({ width: 9, height: 7 }), pipeline.computeGradients()]);
      }
      assert.ok((await countIntersections(pipeline)) > 320);
      runs.push(await bitsOf(pipeline));
      await pipeline.free();
    }
    assert.deepEqual(runs[1], runs[0]);
    const pipeline = await openWithin(2112 * 50, gpu, growingScene(), "Thread");
    await assertTrainingAgrees(pipeline, growingScene(), 6);
    await pipeline.free();
  });

  it("gives the bits of all tiles at once if no blob crosses the edge of a band", async ({ gpu }) => {
    const job = scene({ ...given, blobs: 200, covarianceScale: 3e-4 }, 80, 64);
    // In the middles of the upper and the lower half.
    for (let blob = 0; blob < 200; blob++) {
      setParameter(job, 1, (blob % 2 === 0 ? 0.27 : 0.7) + 0.06 * job.state.parameters[200 + blob], blob);
    }
    const results = [];
    // Within the narrow limit the initial intersections of half of the tiles fit.
    for (const bytes of [2 ** 27, 2112 * 60]) {
      const pipeline = await openWithin(bytes, gpu, job, "Thread");
      results.push((await pipeline.allocated()).pixels);
      await pipeline.advance(3);
      results.push([...(await bitsOf(pipeline)), (await pipeline.tiles()).lengths]);
      await pipeline.free();
    }
    const [pixels, bits, pixelsOfHalf, bitsOfBands] = results;
    assert.equal(pixelsOfHalf, (pixels as number) / 2);
    assert.deepEqual(bitsOfBands, bits);
  });

  it("rejects too many intersections in a single row, with a number of blobs that would fit", async ({ gpu }) => {
    const job = scene({ ...given, blobs: 40, covarianceScale: 0.2 }, 80, 64);
    const pipeline = await openWithin(2112 * 8, gpu, job, "Thread");
    const refused =
      /^Error: One row of tiles has \d+ tile–blob intersections, but at most 96 fit this adapter: use about \d+ blobs/;
    await assert.rejects(pipeline.advance(1), refused);
    await pipeline.free();
  });
});

describe("layoutOf()", () => {
  const segmentLengthOf = (width: number, blobs: number, gaussiansPerBlock: number | "auto" = "auto") =>
    layoutOf(completeConfig({ blobs, gaussiansPerBlock }), { width, height: width }).segmentLength;

  it("chooses longer segments for many blobs and pixels, unless GAUSSIANS_PER_BLOCK is set", () => {
    assert.deepEqual([segmentLengthOf(512, 40960), segmentLengthOf(512, 2 ** 17)], [32, 32]);
    assert.deepEqual([segmentLengthOf(512, 2 ** 17 + 1), segmentLengthOf(1025, 200)], [64, 64]);
    assert.deepEqual([segmentLengthOf(4096, 200), segmentLengthOf(4097, 200)], [64, 256]);
    for (const length of [32, 128, 4096]) assert.equal(segmentLengthOf(4097, 200, length), length);
  });

  it("rejects segments with fewer entries than a subtile has pixels", () => {
    const refused = "gaussiansPerBlock must be auto, or a power of two of at least 32 in the binned pipeline (got 16).";
    assert.throws(() => segmentLengthOf(512, 200, 16), { name: "ConfigError", message: refused });
  });
});

describe("the binned pipeline on WebGPU's default limits and without features", () => {
  it("agrees with the float64 reference", async () => {
    const plain = await openGpu({ features: [], limits: [] });
    assert.deepEqual(
      [...plain.device.features].filter((feature) => /subgroups|timestamp/.test(feature)),
      [],
    );
    assert.equal(plain.device.limits.maxStorageBuffersPerShaderStage, 8);
    assert.equal(plain.device.limits.maxComputeWorkgroupStorageSize, 16384);
    for (const variant of ["Workgroup", "Thread"] as const) {
      // The minimal workgroup memory suffices for a tile of any shape.
      for (const tile of ["8x4", "1x256"]) {
        const job = scene({ ...given, tile, blobs: 60 }, 40, 30);
        const pipeline = await open(plain, job, variant);
        await assertPassAgrees(pipeline, job);
        await pipeline.free();
      }
    }
    plain.close();
  });
});

describe("the binned pipeline", () => {
  it("gives the same bits from gathered and from sorted lists", async ({ gpu }) => {
    const some = scene({ ...given, blobs: 200 });
    // A tile has more words of bits than a workgroup has threads.
    const many = scene({ ...given, blobs: 4200, covarianceScale: 3e-4 }, 40, 30);
    for (const job of [some, many]) {
      const runs: Uint32Array[][] = [];
      for (const gathers of [true, false]) {
        const pipeline = await BinnedPipeline.open(gpu, job, "Workgroup", limits, gathers);
        await pipeline.advance(2);
        assert.equal("keys" in (await pipeline.allocated()), !gathers);
        const { data } = await pipeline.render({ width: 33, height: 21 });
        runs.push([...(await bitsOf(pipeline)), new Uint32Array(data.buffer)]);
        await pipeline.free();
      }
      // Compared by hand, since assert takes minutes to describe the difference of thousands of numbers.
      const differing = runs[0].map((bits, k) => bits.findIndex((word, slot) => word !== runs[1][k][slot]));
      assert.deepEqual(differing, [-1, -1, -1, -1], `${job.config.blobs} blobs`);
      assert.notDeepEqual(runs[0][0], new Uint32Array(job.state.parameters.buffer));
    }
  });

  it("draws in bands of tiles that have enough memory for their bits, with the same render as from sorted lists", async ({
    gpu,
  }) => {
    // So many blobs that a tile's bits are larger than its pixels, and so small that their intersections are smaller.
    const job = scene({ ...given, blobs: 17000, covarianceScale: 1e-6 }, 16, 8);
    const bytes = 2048 * 800;
    const renders = [];
    for (const gathers of [true, false]) {
      const pipeline = await BinnedPipeline.open(gpu, job, "Workgroup", limitsOf(bytes), gathers);
      renders.push(await pipeline.render({ width: 640, height: 160 }));
      const { status } = await pipeline.allocated();
      assert.ok(status < bytes, `${status} bytes`);
      if (gathers) assert.ok(status > bytes - 2 * 40 * 4 * Math.ceil(17000 / 32), `${status} bytes`);
      await pipeline.free();
    }
    assertImagesAgree(renders[0], renders[1], 1);
  });

  it("trains blobs with moments that together exceed a binding, to the bits of wider limits, also if read back and loaded", async ({
    gpu,
  }) => {
    const job = scene({ ...given, blobs: 4000 }, 16, 8);
    const narrow = 68 * 4000;
    assert.ok(job.state.firstMoments.byteLength + job.state.secondMoments.byteLength > narrow);
    checkOnGpu(job.config, job.image, limitsOf(narrow), shaders);
    const runs: Uint32Array[][] = [];
    for (const bytes of [narrow, 2 ** 27]) {
      const pipeline = await openWithin(bytes, gpu, job, "Thread");
      await pipeline.advance(2);
      if (bytes === narrow) await pipeline.load(await pipeline.state());
      await pipeline.advance(1);
      for (const [name, length] of Object.entries(await pipeline.allocated()))
        assert.ok(length <= bytes, `${name}: ${length} bytes`);
      runs.push(await bitsOf(pipeline));
      await pipeline.free();
    }
    const differing = runs[0].map((bits, k) => bits.findIndex((word, slot) => word !== runs[1][k][slot]));
    assert.deepEqual(differing, [-1, -1, -1]);
    for (const bits of runs[0]) assert.ok(bits.some((word) => word !== 0));
  });

  it("sorts a list larger than workgroup memory", async ({ gpu }) => {
    const job = scene({ pipeline: "binned", blobs: 1100, covarianceScale: 2 }, 8, 8);
    // So faint that pixels blend hundreds of blobs.
    setParameter(job, 8, -0.06);
    const pipeline = await open(gpu, job);
    const render = await pipeline.render(job.image);
    const { lengths } = await pipeline.computeGradients().then(() => pipeline.tiles());
    assert.ok(lengths[0] > 1000, String(lengths[0]));
    assertImagesAgree(render, await new CpuPipeline(job.config, job.image, job.state).render(job.image), 1);
    await pipeline.free();
  });

  it("joins small tiles", () => {
    assert.deepEqual(joinedTile([8, 4]), [16, 8]);
    assert.deepEqual(joinedTile([16, 16]), [16, 16]);
    assert.deepEqual(joinedTile([1, 1]), [16, 8]);
  });
});

describe("BinnedPipeline.measured()", () => {
  it("returns the records of all steps at once, also of steps that are repeated after an overflow", async ({ gpu }) => {
    const expected = [];
    const single = await open(gpu, growingScene(), "Thread");
    for (let step = 1; step <= 7; step++) {
      await single.advance(1);
      const { stageTimes: _, ...statistics } = await single.statistics();
      expected.push({ step, ...statistics });
    }
    assert.deepEqual(await single.measured(), []);
    await single.free();
    const bulk = await open(gpu, growingScene(), "Thread");
    await bulk.computeGradients();
    const bytes = await slotBytes(bulk);
    const measured = async (steps: number, recordEvery: number) => {
      await bulk.advance(steps, { recordEvery });
      return (await bulk.measured()).map(({ stageTimes: _, ...row }) => row);
    };
    assert.deepEqual(await measured(5, 1), expected.slice(0, 5));
    assert.ok((await slotBytes(bulk)) > bytes);
    // The last step is always recorded.
    assert.deepEqual(await measured(2, 6), expected.slice(5));
    await bulk.free();
  });

  it("returns each step once if several calls are pending during an overflow", async ({ gpu }) => {
    const whole = await open(gpu, growingScene(), "Thread");
    await whole.advance(7, { recordEvery: 1 });
    const expected = (await whole.measured()).map(({ step, loss }) => [step, loss]);
    const bits = await bitsOf(whole);
    await whole.free();
    for (const cut of [
      [1, 1, 1, 1, 1, 1, 1],
      [3, 1, 3],
      [1, 6],
    ]) {
      const ahead = await open(gpu, growingScene(), "Thread");
      const ask = (steps: number) => {
        const advanced = ahead.advance(steps, { recordEvery: 1 });
        return [advanced, ahead.measured(), cut.length === 3 ? ahead.state() : undefined] as const;
      };
      const asked = cut.map(ask);
      const done = await Promise.all(asked.map(([advanced]) => advanced));
      const states = await Promise.all(asked.map(([, , state]) => state));
      assert.deepEqual(
        states.map((state) => state?.step),
        cut.length === 3 ? [3, 4, 7] : cut.map(() => undefined),
      );
      const rows = (await Promise.all(asked.map(([, measured]) => measured))).flat();
      assert.deepEqual([done, ahead.step], [cut, 7]);
      assert.deepEqual(
        rows.map(({ step, loss }) => [step, loss]),
        expected,
      );
      assert.deepEqual(await bitsOf(ahead), bits);
      await ahead.free();
    }
  });
});

describe("the count of intersections", () => {
  for (const variant of ["Thread", "Workgroup"] as const) {
    it(`saturates at the maximum of 32 bits, ${variant} variant`, async ({ gpu }) => {
      const { config, image, state } = scene({ ...given, blobs: 40 }, 80, 64);
      const { file, constants } = binnedKernels(config, image, gpu, variant).project;
      const range = { size: image, first: 0, end: 20, step: 1 };
      const known = {
        job: jobUniform(shaders, config, image),
        dispatch: dispatchUniform(shaders, [range], config),
        parameters: state.parameters,
      };
      const others = bindingsOf(shaders, file).filter(({ name }) => !(name in known));
      /** Returns the count after all blobs, from a given count on, with a capacity of 0. */
      const countFrom = async (intersections: number) => {
        const sizes = Object.fromEntries(others.map(({ name }) => [name, 2 ** 16]));
        const status = new Uint32Array(64).fill(intersections, 0, 1);
        const left = await runKernel(gpu, { file, constants, workgroups: 40, buffers: { ...sizes, ...known, status } });
        return new Uint32Array(left.status)[0];
      };
      const own = await countFrom(0);
      assert.ok(own > 200, `${own} intersections`);
      const highest = 2 ** 32 - 1;
      assert.equal(await countFrom(1000), 1000 + own);
      assert.equal(await countFrom(highest - own), highest);
      for (const beyond of [1, 3, Math.floor(own / 2), own])
        assert.equal(await countFrom(highest - own + beyond), highest);
    });
  }

  it("is reported with a number of blobs that would fit", () => {
    assert.equal(
      overflowMessage(3_000_000, 1_000_000, 600),
      "One row of tiles has 3000000 tile–blob intersections, but at most 1000000 fit this adapter: use about 200 blobs.",
    );
    assert.match(
      overflowMessage(2 ** 32 - 1, 2 ** 20, 2 ** 22),
      /4294967295 or more tile–blob intersections, .*: use fewer than 1024 blobs\.$/,
    );
  });
});

describe("checkListsFit()", () => {
  const check = (blobs: number, width: number, height = width) =>
    checkListsFit(completeConfig({ blobs, pipeline: "binned" }), { width, height }, limits, shaders);

  it("accepts jobs on WebGPU's default limits if their lists fit in bands", () => {
    check(40960, 512);
    check(2_796_202, 512);
    check(1000, 4096);
    // With a single tile, each blob has one intersection.
    check(2_796_202, 1);
  });

  it("accepts 40 million blobs on 16384x16384 with buffers of 2 GiB less four bytes, and reports the maximum", () => {
    const size = { width: 16384, height: 16384 };
    const checkAll = (blobs: number) =>
      checkOnGpu(completeConfig({ blobs, pipeline: "binned" }), size, limitsOf(2 ** 31 - 4), shaders);
    checkAll(40_000_000);
    checkAll(44_739_242);
    const message = "blobs must be at most 44,739,242 in the binned pipeline on this adapter (got 44739243).";
    assert.throws(() => checkAll(44_739_243), { name: "ConfigError", message });
  });

  // First a row's slots are the limit, and with many tiles the states of all segments.
  for (const [width, height, max] of [
    [512, 8, 349525],
    [512, 16, 699050],
    [500_000, 8, 258400],
  ]) {
    it(`reports the number of blobs that fit with one band per row of ${width}x${height}`, () => {
      const refused = new RegExp(
        `^ConfigError: blobs must be at most ${limitText(max)} in the binned .* \\(got ${max + 1}\\)\\.$`,
      );
      assert.throws(() => check(max + 1, width, height), refused);
      check(max, width, height);
    });
  }

  it("rejects an image with a single row of tiles that does not fit, and reports a width that does", () => {
    const refused =
      /^ConfigError: image must be at most 508,400 pixels wide in the binned pipeline on this adapter \(got "1100000x8"\)\.$/;
    assert.throws(() => check(1000, 1_100_000, 8), refused);
    check(1000, 508_400, 8);
  });
});

describe("rowsAtOnce()", () => {
  const rowsOf = (blobs: number, side: number, bytes = 2 ** 32 - 4) => {
    const size = { width: side, height: side };
    const config = completeConfig({ blobs, pipeline: "binned" });
    return rowsAtOnce(config, size, layoutOf(config, size), limitsOf(bytes), shaders, true);
  };

  it("halves 1,024 rows of tiles until 40 million blobs fit an adapter with 4 or 2 GiB per buffer", () => {
    assert.equal(rowsOf(40_000_000, 16384), 256);
    assert.equal(rowsOf(40_000_000, 16384, 2 ** 31 - 4), 128);
    assert.equal(rowsOf(1000, 16384), 512, "the pixels of all rows are four bytes too many");
    assert.equal(rowsOf(4_000_000, 8192), 512, "all rows");
  });
});

describe("maxGatheringTiles()", () => {
  it("is the number of tiles with bits that fit the status, and the same on a larger adapter", () => {
    const { bytes } = structOf(shaders, "Status");
    for (const blobs of [1, 9000, 32768, 65536]) {
      const ofTile = 4 * Math.ceil(blobs / 32);
      for (const limit of [2 ** 20, 2 ** 27]) {
        const max = maxGatheringTiles(blobs, limitsOf(limit), shaders);
        assert.ok(bytes + ofTile * max <= limit, `${blobs} blobs, ${max} tiles in ${limit} bytes`);
        assert.ok(bytes + ofTile * (max + 1) > limit, `${blobs} blobs, one tile more than ${max} in ${limit} bytes`);
      }
      assert.equal(maxGatheringTiles(blobs, limitsOf(2 ** 32 - 4), shaders), maxGatheringTiles(blobs, limits, shaders));
    }
  });
});

describe("mayClamp()", () => {
  it("is false for the original jobs, and true for a single pixel", () => {
    assert.equal(mayClamp(defaults, { width: 512, height: 512 }), false);
    assert.equal(mayClamp(completeConfig({ blobs: 200 }), { width: 128, height: 128 }), false);
    assert.equal(mayClamp(defaults, { width: 1, height: 1 }), true);
  });

  it("is false for direct blobs, which are not clamped, and true for sums of smoothstep blobs, which have unbounded errors", () => {
    const large = { width: 2048, height: 2048 };
    const direct = { parameterization: "direct", background: "black" };
    for (const blend of ["over", "sum"]) {
      assert.equal(mayClamp(completeConfig({ ...direct, blend }), { width: 1, height: 1 }), false);
    }
    assert.equal(mayClamp(completeConfig({ blend: "over", background: "black" }), large), false);
    assert.equal(mayClamp(completeConfig({ blend: "sum", background: "black" }), large), true);
  });

  it("uses a bound that no pixel of any blob exceeds", () => {
    const random = uniformGenerator(1);
    for (const scale of [1e-4, 5e-3]) {
      // Half of the blobs at the ends of the raw range, where variances and correlations are extreme.
      const parameters = Float64Array.from({ length: 9 * 2000 }, () =>
        random() < 0.5 ? random() : 1.7 * Math.round(random()),
      );
      const bound = Math.max(892 / Math.sqrt(scale), 20400);
      let largest = 0;
      for (const blob of decodeAll(
        parameters,
        modelOf({ ...defaults, covarianceScale: scale }, { width: 512, height: 512 }),
      )) {
        for (let k = 0; k < 50; k++) {
          const u = blob.centerX + 8 * (random() - 0.5) * Math.sqrt(blob.varianceX);
          const v = blob.centerY + 8 * (random() - 0.5) * Math.sqrt(blob.varianceY);
          const gradient = { ...blob };
          // The steepest slope of each decoding, since other raw values may be extreme at the same time.
          const steepest = {
            centerX: 1.5,
            centerY: 1.5,
            varianceX: 1.2 * scale,
            varianceY: 1.2 * scale,
            correlation: 1.485,
            opacity: 1.35,
          };
          evalBackward(blob, u, v, evalFalloff(blob, u, v), 6, gradient);
          for (const [name, slope] of Object.entries(steepest)) {
            largest = Math.max(largest, Math.abs(gradient[name as keyof typeof steepest] * slope));
          }
        }
      }
      assert.ok(largest <= bound, `${largest} exceeds ${bound}`);
      assert.ok(largest > bound / 50, `${bound} is far from ${largest}`);
    }
  });
});
