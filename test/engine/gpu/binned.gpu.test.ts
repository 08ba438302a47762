import assert from "node:assert/strict";
import { describe } from "vitest";
import { completeConfig, defaults } from "../../../src/engine/config.js";
import { CpuPipeline } from "../../../src/engine/cpu/pipeline.js";
import { checkOnGpu } from "../../../src/engine/gpu/backend.js";
import { binnedKernels } from "../../../src/engine/gpu/binned/kernels.js";
import { joinedTile, type KernelVariant, layoutOf } from "../../../src/engine/gpu/binned/layout.js";
import { checkListsFit, maxGatheringTiles, rowsAtOnce } from "../../../src/engine/gpu/binned/limits.js";
import { overflowMessage } from "../../../src/engine/gpu/binned/lists.js";
import { BinnedPipeline } from "../../../src/engine/gpu/binned/pipeline.js";
import type { Gpu } from "../../../src/engine/gpu/device.js";
import { bindingsOf } from "../../../src/engine/gpu/reachability.js";
import { structOf } from "../../../src/engine/gpu/structs.js";
import { dispatchUniform, jobUniform } from "../../../src/engine/gpu/uniforms.js";
import { runKernel } from "../../../src/engine/gpu/workbench.js";
import { mayClamp } from "../../../src/engine/model/accumulate.js";
import { decodeAll, evalBackward, evalFalloff, modelOf } from "../../../src/engine/model/blob.js";
import { uniformGenerator } from "../../../src/engine/random.js";
import type { ShaderLibrary } from "../../../src/engine/shaders.js";
import { assertPassAgrees, assertPicturesAgree, assertTrainingAgrees } from "../../support/agreement.js";
import { it, openGpu, shaders } from "../../support/gpu.js";
import { limits } from "../../support/limits.js";
import {
  clampedScene,
  directScene,
  modelName,
  models,
  type Scene,
  scene,
  sceneOf,
  setParameter,
} from "../../support/scenes.js";

const divisions: KernelVariant[] = ["Subgroup", "Workgroup", "Thread"];

const open = (gpu: Gpu, { config, image, state }: Scene, division?: KernelVariant, shaders?: ShaderLibrary) =>
  BinnedPipeline.open(gpu, { config, image, state, shaders }, division);

/** The limits of an adapter whose buffers are no longer than so many bytes. */
const limitsOf = (bytes: number) => ({ ...limits, maxBufferSize: bytes, maxStorageBufferBindingSize: bytes });

/** The same on an adapter whose buffers are no longer than so many bytes. */
const openWithin = (bytes: number, gpu: Gpu, { config, image, state }: Scene, division: KernelVariant) =>
  BinnedPipeline.open(gpu, { config, image, state }, division, limitsOf(bytes));

const given = { pipeline: "binned", learningRate: 0.01 } as const;

/** Small blobs that grow, at the first steps, to cover most of the 40 tiles. */
function growingScene(): Scene {
  const job = scene({ ...given, blobs: 20, learningRate: 0.1, covarianceScale: 0.2 }, 80, 64);
  for (const field of [2, 3]) setParameter(job, field, 0.02);
  // Away from the edges, where the gradient of a centre vanishes and Adam makes much of its rounding.
  const { parameters } = job.state;
  for (let slot = 0; slot < 2 * job.config.blobs; slot++) parameters[slot] = 0.2 + 0.6 * parameters[slot];
  return job;
}

/** Bytes of the buffer that grows with the lists. */
const roomForPairs = async (pipeline: BinnedPipeline) => (await pipeline.allocated()).slots;

/** Pairs of a tile and a blob that meet, at the latest step. */
const pairsOf = async (pipeline: BinnedPipeline) =>
  (await pipeline.tiles()).lengths.reduce((sum, length) => sum + length, 0);

/** What a run leaves, as bits: -0 is not 0. */
async function bitsOf(pipeline: BinnedPipeline): Promise<Uint32Array[]> {
  const { parameters, firstMoments, secondMoments } = await pipeline.state();
  return [parameters, firstMoments, secondMoments].map(({ buffer }) => new Uint32Array(buffer));
}

for (const division of divisions) {
  describe(`the binned pipeline, a segment a ${division.toLowerCase()}`, () => {
    it("gives the same bits however its steps are cut into submits, paused and read back", async ({ gpu }) => {
      const job = growingScene();
      const runs = [];
      for (const cut of [[7], [1, 2, 4]]) {
        const pipeline = await open(gpu, job, division);
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

    it("makes room for more pairs in mid-run without losing a step", async ({ gpu }) => {
      const { liveBuffers: buffersAlive } = gpu;
      const pipeline = await open(gpu, growingScene(), division);
      await pipeline.computeGradients();
      const room = await roomForPairs(pipeline);
      await assertTrainingAgrees(pipeline, growingScene(), 6);
      assert.ok((await roomForPairs(pipeline)) > 2 * room);
      await pipeline.free();
      assert.equal(gpu.liveBuffers, buffersAlive);
    });
  });

  describe(`the binned pipeline, a segment a ${division.toLowerCase()}, agrees with the float64 twin, and trains as it does,`, () => {
    // A backward pass at the start, and training from there if told how it is cut.
    const compare = async (gpu: Gpu, job: Scene, ...cut: number[]) => {
      const pipeline = await open(gpu, job, division);
      const statistics = await assertPassAgrees(pipeline, job);
      await assertTrainingAgrees(pipeline, job, ...cut);
      await pipeline.free();
      return statistics;
    };

    // As many blobs on as many tiles wherever it can be, so that the kernels are the same, and compiled once.
    it("at a random start, seed background", async ({ gpu }) => {
      await compare(gpu, scene({ ...given, blobs: 200 }), 1, 2);
    });

    it("where most lists have several segments, white background", async ({ gpu }) => {
      const long = scene({ ...given, background: "white", blobs: 288, covarianceScale: 0.15 });
      setParameter(long, 8, 0);
      const { tileLists } = await compare(gpu, long, 1, 2);
      assert.ok(tileLists.mean > 2 * 64, String(tileLists.mean));
      // Some are longer than LONG_LIST of shaders/binned/allocation.wgsl, so that their tiles come first.
      assert.ok(tileLists.longest > 256, String(tileLists.longest));
    });

    for (const gaussiansPerBlock of [64, 256]) {
      it(`where pixels are opaque within segments of ${gaussiansPerBlock} entries`, async ({ gpu }) => {
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
      it(`where lists have several segments, ${modelName(model)}`, async ({ gpu }) => {
        const long = sceneOf(model, { ...given, blobs: 200, covarianceScale: 0.03, seed: 18 });
        setParameter(long, 8, model.parameterization === "direct" ? -3 : 0);
        const { tileLists } = await compare(gpu, long);
        assert.ok(tileLists.longest > 2 * 64, String(tileLists.longest));
      });
    }

    it("where direct blobs are thinner than a pixel and strongly tilted", async ({ gpu }) => {
      const job = directScene({ ...given, blobs: 200, seed: 16 });
      for (let blob = 0; blob < 200; blob++) {
        setParameter(job, 2 + (blob % 2), Math.log(0.1), blob);
        setParameter(job, 4, blob % 4 < 2 ? 2.5 : -2.5, blob);
      }
      await compare(gpu, job);
    });

    it("where blobs are nearly opaque, and where each pixel's gradients are clamped", async ({ gpu }) => {
      const opaque = scene({ ...given, blobs: 200, seed: 4 });
      setParameter(opaque, 8, 0.93);
      await compare(gpu, opaque);
      await compare(gpu, clampedScene("binned"), 1, 2);
      await compare(gpu, clampedScene("binned", { blend: "sum", background: "black" }));
    });

    it("where blobs meet more tiles than their own threads take", async ({ gpu }) => {
      // So many that 32 threads take one, 16 tiles each; the first three are large.
      const large = scene({ ...given, blobs: 513, covarianceScale: 0.2 }, 400, 184);
      for (const field of [2, 3]) setParameter(large, field, 0.002);
      for (let blob = 0; blob < 3; blob++) {
        setParameter(large, 0, 0.4 + 0.1 * blob, blob);
        setParameter(large, 1, 0.5, blob);
        for (const field of [2, 3]) setParameter(large, field, blob === 1 ? 0.02 : 0.8, blob);
      }
      await compare(gpu, large, 1, 1);
    });

    it("where tiles have more than one row of subtiles, some of them partly outside", async ({ gpu }) => {
      await compare(gpu, scene({ ...given, tile: "20x9", blobs: 20, seed: 6 }, 37, 19), 1, 2);
    });
  });
}

describe("the binned pipeline in bands of rows of tiles", () => {
  // Between a subgroup and a workgroup differs a stage that knows of no bands.
  for (const division of ["Subgroup", "Thread"] as const) {
    it(`agrees with the float64 twin, and trains as it does, a segment a ${division.toLowerCase()}`, async ({
      gpu,
    }) => {
      const job = scene({ ...given, blobs: 200 });
      // There is no room for the pairs that there may be with the four tiles, nor for those of a picture.
      const pipeline = await openWithin(2112 * 28, gpu, job, division);
      assert.equal((await pipeline.allocated()).pixels, 16 * 16 * 8 * 2);
      // Barriers are slow on the software adapter.
      if (division === "Thread") await assertPassAgrees(pipeline, job);
      await assertTrainingAgrees(pipeline, job, 1);
      await pipeline.free();
    });
  }

  it("begins in mid-run where there is no more room, with the same bits however the run is cut and read back", async ({
    gpu,
  }) => {
    const runs = [];
    for (const cut of [[7], [1, 2, 4]]) {
      // There is room for 320 pairs with the 40 tiles.
      const pipeline = await openWithin(2112 * 50, gpu, growingScene(), "Thread");
      await pipeline.computeGradients();
      assert.ok((await pairsOf(pipeline)) < 320);
      for (const steps of cut) {
        await pipeline.advance(steps);
        if (cut.length > 1) await Promise.all([pipeline.render({ width: 9, height: 7 }), pipeline.computeGradients()]);
      }
      assert.ok((await pairsOf(pipeline)) > 320);
      runs.push(await bitsOf(pipeline));
      await pipeline.free();
    }
    assert.deepEqual(runs[1], runs[0]);
    const pipeline = await openWithin(2112 * 50, gpu, growingScene(), "Thread");
    await assertTrainingAgrees(pipeline, growingScene(), 6);
    await pipeline.free();
  });

  it("gives the bits of all tiles at once where no blob reaches over the edge of a band", async ({ gpu }) => {
    const job = scene({ ...given, blobs: 200, covarianceScale: 3e-4 }, 80, 64);
    // In the middles of the upper and the lower half.
    for (let blob = 0; blob < 200; blob++) {
      setParameter(job, 1, (blob % 2 === 0 ? 0.27 : 0.7) + 0.06 * job.state.parameters[200 + blob], blob);
    }
    const left = [];
    // Between the limits, what there may be of pairs fits with half of the tiles.
    for (const bytes of [2 ** 27, 2112 * 60]) {
      const pipeline = await openWithin(bytes, gpu, job, "Thread");
      left.push((await pipeline.allocated()).pixels);
      await pipeline.advance(3);
      left.push([...(await bitsOf(pipeline)), (await pipeline.tiles()).lengths]);
      await pipeline.free();
    }
    const [pixels, bits, pixelsOfHalf, bitsOfBands] = left;
    assert.equal(pixelsOfHalf, (pixels as number) / 2);
    assert.deepEqual(bitsOfBands, bits);
  });

  it("refuses blobs of whose pairs a single row has too many, and names a number that would fit", async ({ gpu }) => {
    const job = scene({ ...given, blobs: 40, covarianceScale: 0.2 }, 80, 64);
    const pipeline = await openWithin(2112 * 8, gpu, job, "Thread");
    const refused =
      /^Error: The blobs meet one row of tiles \d+ times, and this adapter has room for 96: about \d+ blobs/;
    await assert.rejects(pipeline.advance(1), refused);
    await pipeline.free();
  });
});

describe("layoutOf()", () => {
  const segmentLengthOf = (width: number, blobs: number, gaussiansPerBlock: number | "auto" = "auto") =>
    layoutOf(completeConfig({ blobs, gaussiansPerBlock }), { width, height: width }).segmentLength;

  it("cuts lists into longer segments for many blobs and pixels, unless GAUSSIANS_PER_BLOCK says how long", () => {
    assert.deepEqual([segmentLengthOf(512, 40960), segmentLengthOf(512, 2 ** 17)], [32, 32]);
    assert.deepEqual([segmentLengthOf(512, 2 ** 17 + 1), segmentLengthOf(1025, 200)], [64, 64]);
    assert.deepEqual([segmentLengthOf(4096, 200), segmentLengthOf(4097, 200)], [64, 256]);
    for (const length of [32, 128, 4096]) assert.equal(segmentLengthOf(4097, 200, length), length);
  });

  it("takes no segment shorter than a subtile has pixels", () => {
    const refused =
      "gaussiansPerBlock is 16, but must be auto, or a power of two of at least 32 in the binned pipeline.";
    assert.throws(() => segmentLengthOf(512, 200, 16), { name: "ConfigError", message: refused });
  });
});

describe("the binned pipeline on WebGPU's default limits and without any feature", () => {
  it("agrees with the float64 twin", async () => {
    const plain = await openGpu({ features: [], limits: [] });
    assert.deepEqual(
      [...plain.device.features].filter((feature) => /subgroups|timestamp/.test(feature)),
      [],
    );
    assert.equal(plain.device.limits.maxStorageBuffersPerShaderStage, 8);
    assert.equal(plain.device.limits.maxComputeWorkgroupStorageSize, 16384);
    for (const division of ["Workgroup", "Thread"] as const) {
      // The least workgroup memory that there may be suffices for a tile of any shape.
      for (const tile of ["8x4", "1x256"]) {
        const job = scene({ ...given, tile, blobs: 60 }, 40, 30);
        const pipeline = await open(plain, job, division);
        await assertPassAgrees(pipeline, job);
        await pipeline.free();
      }
    }
    plain.close();
  });
});

describe("the binned pipeline", () => {
  it("gives the same bits where tiles gather their lists and where pairs are counted and sorted", async ({ gpu }) => {
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
      // Told apart by hand, since telling how thousands of numbers differ takes minutes.
      const apart = runs[0].map((bits, k) => bits.findIndex((word, slot) => word !== runs[1][k][slot]));
      assert.deepEqual(apart, [-1, -1, -1, -1], `${job.config.blobs} blobs`);
      assert.notDeepEqual(runs[0][0], new Uint32Array(job.state.parameters.buffer));
    }
  });

  it("draws a view in bands whose tiles have room for their bits, and the same picture as from sorted lists", async ({
    gpu,
  }) => {
    // So many blobs that a tile's bits take more than its pixels, and so small that their pairs take less.
    const job = scene({ ...given, blobs: 17000, covarianceScale: 1e-6 }, 16, 8);
    const bytes = 2048 * 800;
    const pictures = [];
    for (const gathers of [true, false]) {
      const pipeline = await BinnedPipeline.open(gpu, job, "Workgroup", limitsOf(bytes), gathers);
      pictures.push(await pipeline.render({ width: 640, height: 160 }));
      const { status } = await pipeline.allocated();
      assert.ok(status < bytes, `${status} bytes`);
      if (gathers) assert.ok(status > bytes - 2 * 40 * 4 * Math.ceil(17000 / 32), `${status} bytes`);
      await pipeline.free();
    }
    assertPicturesAgree(pictures[0], pictures[1], 1);
  });

  it("trains blobs whose moments together outgrow a binding, in buffers that do not, to the bits of wider limits, also read back and loaded", async ({
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
    const firstApart = runs[0].map((bits, k) => bits.findIndex((word, slot) => word !== runs[1][k][slot]));
    assert.deepEqual(firstApart, [-1, -1, -1]);
    for (const bits of runs[0]) assert.ok(bits.some((word) => word !== 0));
  });

  it("sorts a list that workgroup memory does not hold", async ({ gpu }) => {
    const job = scene({ pipeline: "binned", blobs: 1100, covarianceScale: 2 }, 8, 8);
    // So faint that the pixels see some hundreds of blobs, the last of them as well as the first.
    setParameter(job, 8, -0.06);
    const pipeline = await open(gpu, job);
    const picture = await pipeline.render(job.image);
    const { lengths } = await pipeline.computeGradients().then(() => pipeline.tiles());
    assert.ok(lengths[0] > 1000, String(lengths[0]));
    assertPicturesAgree(picture, await new CpuPipeline(job.config, job.image, job.state).render(job.image), 1);
    await pipeline.free();
  });

  it("joins tiles until they are worth a list", () => {
    assert.deepEqual(joinedTile([8, 4]), [16, 8]);
    assert.deepEqual(joinedTile([16, 16]), [16, 16]);
    assert.deepEqual(joinedTile([1, 1]), [16, 8]);
  });
});

describe("BinnedPipeline.measured()", () => {
  it("tells in bulk what each step measured, also of steps that are taken again for want of room", async ({ gpu }) => {
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
    const room = await roomForPairs(bulk);
    const measured = async (steps: number, recordEvery: number) => {
      await bulk.advance(steps, { recordEvery });
      return (await bulk.measured()).map(({ stageTimes: _, ...row }) => row);
    };
    assert.deepEqual(await measured(5, 1), expected.slice(0, 5));
    assert.ok((await roomForPairs(bulk)) > room);
    // The last step is told of in any case.
    assert.deepEqual(await measured(2, 6), expected.slice(5));
    await bulk.free();
  });

  it("tells of steps that were asked for ahead of others for which there was no room, each once", async ({ gpu }) => {
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

describe("the count of pairs", () => {
  for (const division of ["Thread", "Workgroup"] as const) {
    it(`stays at 32 bits' highest number where it would go round, counted by a ${division.toLowerCase()}`, async ({
      gpu,
    }) => {
      const { config, image, state } = scene({ ...given, blobs: 40 }, 80, 64);
      const { file, constants } = binnedKernels(config, image, gpu, division).project;
      const share = { size: image, first: 0, end: 20, step: 1 };
      const known = {
        job: jobUniform(shaders, config, image),
        dispatch: dispatchUniform(shaders, [share], config),
        parameters: state.parameters,
      };
      const others = bindingsOf(shaders, file).filter(({ name }) => !(name in known));
      /** Pairs after all blobs, where so many were counted before; there is room for none. */
      const countFrom = async (pairs: number) => {
        const room = Object.fromEntries(others.map(({ name }) => [name, 2 ** 16]));
        const status = new Uint32Array(64).fill(pairs, 0, 1);
        const left = await runKernel(gpu, { file, constants, workgroups: 40, buffers: { ...room, ...known, status } });
        return new Uint32Array(left.status)[0];
      };
      const own = await countFrom(0);
      assert.ok(own > 200, `${own} pairs`);
      const highest = 2 ** 32 - 1;
      assert.equal(await countFrom(1000), 1000 + own);
      assert.equal(await countFrom(highest - own), highest);
      for (const beyond of [1, 3, Math.floor(own / 2), own])
        assert.equal(await countFrom(highest - own + beyond), highest);
    });
  }

  it("is refused in words that name a number of blobs that would fit", () => {
    assert.equal(
      overflowMessage(3_000_000, 1_000_000, 600),
      "The blobs meet one row of tiles 3000000 times, and this adapter has room for 1000000: about 200 blobs would fit.",
    );
    assert.match(
      overflowMessage(2 ** 32 - 1, 2 ** 20, 2 ** 22),
      /4294967295 or more times, .*: less than 1024 blobs would fit\.$/,
    );
  });
});

describe("checkListsFit()", () => {
  const check = (blobs: number, width: number, height = width) =>
    checkListsFit(completeConfig({ blobs, pipeline: "binned" }), { width, height }, limits, shaders);

  it("lets jobs run on WebGPU's default limits whose lists fit band by band", () => {
    check(40960, 512);
    check(2_796_202, 512);
    check(1000, 4096);
    // Whatever their number, blobs have one pair each with the only tile.
    check(2_796_202, 1);
  });

  it("holds 40 million blobs on 16384x16384 where a buffer has four bytes less than 2 GiB, and names the most there", () => {
    const size = { width: 16384, height: 16384 };
    const checkAll = (blobs: number) =>
      checkOnGpu(completeConfig({ blobs, pipeline: "binned" }), size, limitsOf(2 ** 31 - 4), shaders);
    checkAll(40_000_000);
    checkAll(44_739_242);
    const message = "blobs is 44739243, but must be at most 44739242 in the binned pipeline on this adapter.";
    assert.throws(() => checkAll(44_739_243), { name: "ConfigError", message });
  });

  // The slots of a row's pairs decide at first, and the states of all segments where it has many tiles.
  for (const [width, height, most] of [
    [512, 8, 349525],
    [512, 16, 699050],
    [500_000, 8, 258400],
  ]) {
    it(`names the number of blobs that would fit, of which each row of ${width}x${height} has its share`, () => {
      const refused = new RegExp(`^ConfigError: blobs is ${most + 1}, but must be at most ${most} in the binned`);
      assert.throws(() => check(most + 1, width, height), refused);
      check(most, width, height);
    });
  }

  it("refuses a picture of which no row leaves room for blobs, and names a width that does", () => {
    const refused = /^ConfigError: image is "1100000x8", but must be at most 508400 pixels wide/;
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

  it("halves 1,024 rows of tiles until 40 million blobs have room on an adapter of 4 or 2 GiB a buffer", () => {
    assert.equal(rowsOf(40_000_000, 16384), 256);
    assert.equal(rowsOf(40_000_000, 16384, 2 ** 31 - 4), 128);
    assert.equal(rowsOf(1000, 16384), 512, "the pixels of all rows are four bytes too many");
    assert.equal(rowsOf(4_000_000, 8192), 512, "all rows");
  });
});

describe("mostGathering()", () => {
  it("is as many tiles as the status has room for beside what else it holds, and no more on a larger adapter", () => {
    const { bytes } = structOf(shaders, "Status");
    for (const blobs of [1, 9000, 32768, 65536]) {
      const ofTile = 4 * Math.ceil(blobs / 32);
      for (const room of [2 ** 20, 2 ** 27]) {
        const most = maxGatheringTiles(blobs, limitsOf(room), shaders);
        assert.ok(bytes + ofTile * most <= room, `${blobs} blobs, ${most} tiles in ${room} bytes`);
        assert.ok(bytes + ofTile * (most + 1) > room, `${blobs} blobs, one tile more than ${most} in ${room} bytes`);
      }
      assert.equal(maxGatheringTiles(blobs, limitsOf(2 ** 32 - 4), shaders), maxGatheringTiles(blobs, limits, shaders));
    }
  });
});

describe("mayClamp()", () => {
  it("says no for the original jobs, and yes for a single pixel", () => {
    assert.equal(mayClamp(defaults, { width: 512, height: 512 }), false);
    assert.equal(mayClamp(completeConfig({ blobs: 200 }), { width: 128, height: 128 }), false);
    assert.equal(mayClamp(defaults, { width: 1, height: 1 }), true);
  });

  it("says no for direct blobs, which nothing clamps, and yes for any sum of smoothstep blobs, whose error has no bound", () => {
    const large = { width: 2048, height: 2048 };
    const direct = { parameterization: "direct", background: "black" };
    for (const blend of ["over", "sum"]) {
      assert.equal(mayClamp(completeConfig({ ...direct, blend }), { width: 1, height: 1 }), false);
    }
    assert.equal(mayClamp(completeConfig({ blend: "over", background: "black" }), large), false);
    assert.equal(mayClamp(completeConfig({ blend: "sum", background: "black" }), large), true);
  });

  it("goes by a bound that no pixel of any blob exceeds", () => {
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
          // The steepest slope of each decoding, since any raw value may have the decoded one's extremes beside it.
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
