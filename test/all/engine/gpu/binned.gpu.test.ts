import assert from "node:assert/strict";
import { describe } from "vitest";
import { CpuPipeline } from "../../../../src/engine/cpu/pipeline.js";
import { binnedKernels } from "../../../../src/engine/gpu/binned/kernels.js";
import type { KernelVariant } from "../../../../src/engine/gpu/binned/layout.js";
import { BinnedPipeline } from "../../../../src/engine/gpu/binned/pipeline.js";
import { checkOnGpu } from "../../../../src/engine/gpu/checkOnGpu.js";
import type { Gpu } from "../../../../src/engine/gpu/device.js";
import { bindingsOf } from "../../../../src/engine/gpu/reachability.js";
import { dispatchUniform, jobUniform } from "../../../../src/engine/gpu/uniforms.js";
import { runKernel } from "../../../../src/engine/gpu/workbench.js";
import {
  assertGradientsAgree,
  assertImagesAgree,
  assertPassAgrees,
  assertTrainingAgrees,
} from "../../../support/agreement.js";
import { it, openGpu, shaders } from "../../../support/gpu.js";
import { testDifferentiated } from "../../../support/gradientTests.js";
import { limitsOf } from "../../../support/limits.js";
import { Reference } from "../../../support/reference.js";
import { directScene, growingScene, type Scene, scene, setParameter } from "../../../support/scenes.js";

const open = (gpu: Gpu, { config, image, state }: Scene, variant?: KernelVariant) =>
  BinnedPipeline.open(gpu, { config, image, state }, { variant });

/** Opens the pipeline on an adapter with buffers of at most so many bytes. */
const openWithin = (bytes: number, gpu: Gpu, { config, image, state }: Scene, variant: KernelVariant) =>
  BinnedPipeline.open(gpu, { config, image, state }, { variant, limits: limitsOf(bytes) });

const given = { pipeline: "binned", learningRate: 0.01 } as const;

/** Returns the bits of a run's state; -0 differs from 0. */
async function bitsOf(pipeline: BinnedPipeline): Promise<Uint32Array[]> {
  const { parameters, firstMoments, secondMoments } = await pipeline.state();
  return [parameters, firstMoments, secondMoments].map(({ buffer }) => new Uint32Array(buffer));
}

/** Asserts equal bits. By hand, since assert takes minutes to describe the difference of thousands of numbers. */
function assertSameBits(actual: Uint32Array[], expected: Uint32Array[]): void {
  const differing = actual.map((bits, k) => bits.findIndex((word, slot) => word !== expected[k][slot]));
  assert.deepEqual(
    differing,
    expected.map(() => -1),
  );
  assert.ok(actual[0].some((word) => word !== 0));
}

/** Pixels become opaque within segments. Some lists are longer than LONG_LIST of shaders/binned/allocation.wgsl. */
function opaqueScene(gaussiansPerBlock: number): Scene {
  const job = scene({ ...given, gaussiansPerBlock, background: "white", blobs: 288, covarianceScale: 0.15 });
  setParameter(job, 8, 0.35);
  return job;
}

/** Faint direct blobs in lists of several segments. */
function faintScene(): Scene {
  const job = directScene({ ...given, blobs: 200, seed: 18 });
  setParameter(job, 8, -3);
  return job;
}

/** So many blobs that each has 32 threads, for 16 tiles each; the first three overlap more. */
function largeScene(): Scene {
  const job = scene({ ...given, blobs: 513, covarianceScale: 0.2 }, 400, 184);
  for (const field of [2, 3]) setParameter(job, field, 0.002);
  for (let blob = 0; blob < 3; blob++) {
    setParameter(job, 0, 0.4 + 0.1 * blob, blob);
    setParameter(job, 1, 0.5, blob);
    for (const field of [2, 3]) setParameter(job, field, blob === 1 ? 0.02 : 0.8, blob);
  }
  return job;
}

// test/gpu compares the Workgroup variant.
testDifferentiated("binned, Subgroup variant,", (gpu, scene) => open(gpu, scene, "Subgroup"), false);

for (const variant of ["Subgroup", "Workgroup"] satisfies KernelVariant[]) {
  describe(`the binned pipeline, ${variant} variant,`, () => {
    it("agrees with the float64 reference if lists have several segments, within which pixels become opaque", async ({
      gpu,
    }) => {
      for (const job of [faintScene(), opaqueScene(variant === "Workgroup" ? 256 : 64)]) {
        const pipeline = await open(gpu, job, variant);
        const { tileLists } = await assertPassAgrees(pipeline, job);
        assert.ok(tileLists.longest > 2 * 64, String(tileLists.longest));
        await pipeline.free();
      }
    });
  });
}

describe("the binned pipeline in bands of rows of tiles", () => {
  it("agrees with the float64 reference, and trains as it does", async ({ gpu }) => {
    const job = scene({ ...given, blobs: 200 });
    // The initial intersections of four tiles do not fit, nor those of a render.
    const pipeline = await openWithin(2112 * 28, gpu, job, "Workgroup");
    assert.equal((await pipeline.allocated()).pixels, 16 * 16 * 8 * 2);
    await assertPassAgrees(pipeline, job);
    await assertTrainingAgrees(pipeline, job, 1);
    await pipeline.free();
  });

  it("starts during a run when lists no longer fit", async ({ gpu }) => {
    // 320 intersections fit with the 40 tiles.
    const pipeline = await openWithin(2112 * 50, gpu, growingScene(), "Workgroup");
    const countIntersections = async () => (await pipeline.tiles()).lengths.reduce((sum, length) => sum + length, 0);
    await pipeline.computeGradients();
    assert.ok((await countIntersections()) < 320);
    await assertTrainingAgrees(pipeline, growingScene(), 1, 2, 3);
    assert.ok((await countIntersections()) > 320);
    await pipeline.free();
  });

  it("rejects too many intersections in a single row, with a number of blobs that would fit", async ({ gpu }) => {
    const job = scene({ ...given, blobs: 40, covarianceScale: 0.2 }, 80, 64);
    const pipeline = await openWithin(2112 * 8, gpu, job, "Workgroup");
    const refused =
      /^Error: One row of tiles has \d+ tile–blob intersections, but at most 96 fit this adapter: use about \d+ blobs/;
    await assert.rejects(pipeline.advance(1), refused);
    await pipeline.free();
  });
});

describe("the binned pipeline", () => {
  // test/gpu/trainer.test.ts has the Workgroup variant.
  it("grows its lists during a run without losing a step, with the same bits however it is split, Subgroup variant", async ({
    gpu,
  }) => {
    const { liveBuffers } = gpu;
    const runs = [];
    for (const cut of [[6], [1, 2, 3]]) {
      const pipeline = await open(gpu, growingScene(), "Subgroup");
      await pipeline.computeGradients();
      const { slots } = await pipeline.allocated();
      await assertTrainingAgrees(pipeline, growingScene(), ...cut);
      assert.ok((await pipeline.allocated()).slots > 2 * slots);
      runs.push(await bitsOf(pipeline));
      await pipeline.free();
    }
    assertSameBits(runs[1], runs[0]);
    assert.equal(gpu.liveBuffers, liveBuffers);
  });

  it("sums the gradients of blobs that overlap more tiles than their own threads process", async ({ gpu }) => {
    const job = largeScene();
    const pipeline = await open(gpu, job, "Workgroup");
    const gradients = await pipeline.computeGradients();
    await pipeline.free();
    const expected = new Reference(job.config, job.image, job.state).evaluate().gradients;
    assertGradientsAgree(gradients, expected, 1e-3, job.config.seed);
  });

  it("has tiles with several rows of subtiles, some partly outside", async ({ gpu }) => {
    const job = scene({ ...given, tile: "20x9", blobs: 20 }, 37, 19);
    const pipeline = await open(gpu, job, "Workgroup");
    await assertPassAgrees(pipeline, job);
    await assertTrainingAgrees(pipeline, job, 1, 2);
    await pipeline.free();
  });

  it("agrees with the float64 reference on WebGPU's default limits and without features", async () => {
    const plain = await openGpu({ isPlain: true });
    const features = [...plain.device.features];
    assert.deepEqual(
      features.filter((feature) => /subgroups|timestamp/.test(feature)),
      [],
    );
    assert.equal(plain.device.limits.maxStorageBuffersPerShaderStage, 8);
    // The minimal workgroup memory suffices for a tile of any shape.
    const job = scene({ ...given, tile: "1x256", blobs: 60 }, 40, 30);
    const pipeline = await open(plain, job, "Workgroup");
    await assertPassAgrees(pipeline, job);
    await pipeline.free();
    plain.close();
  });

  it("gives the same bits from gathered and from sorted lists", async ({ gpu }) => {
    // A tile has more words of bits than a workgroup has threads.
    const job = scene({ ...given, blobs: 4200, covarianceScale: 3e-4 }, 24, 12);
    const runs: Uint32Array[][] = [];
    for (const gathers of [true, false]) {
      const pipeline = await BinnedPipeline.open(gpu, job, { variant: "Workgroup", gathers });
      await pipeline.advance(2);
      assert.equal("keys" in (await pipeline.allocated()), !gathers);
      runs.push(await bitsOf(pipeline));
      await pipeline.free();
    }
    assertSameBits(runs[0], runs[1]);
  });

  it("trains blobs with moments that together exceed a binding, to the bits of wider limits, also if read back and loaded", async ({
    gpu,
  }) => {
    const job = scene({ ...given, blobs: 4000 }, 16, 8);
    const narrow = 68 * 4000;
    assert.ok(job.state.firstMoments.byteLength + job.state.secondMoments.byteLength > narrow);
    checkOnGpu(job.config, job.image, limitsOf(narrow));
    const runs: Uint32Array[][] = [];
    for (const bytes of [narrow, 2 ** 27]) {
      const pipeline = await openWithin(bytes, gpu, job, "Workgroup");
      await pipeline.advance(2);
      if (bytes === narrow) await pipeline.load(await pipeline.state());
      await pipeline.advance(1);
      for (const [name, length] of Object.entries(await pipeline.allocated()))
        assert.ok(length <= bytes, `${name}: ${length} bytes`);
      runs.push(await bitsOf(pipeline));
      await pipeline.free();
    }
    assertSameBits(runs[0], runs[1]);
  });

  it("lists the tile that the tip of a long, thin, tilted blob just reaches", async ({ gpu }) => {
    const job = directScene({ ...given, blobs: 40 }, 48, 16);
    const tip = [32.005, 8];
    for (let blob = 0; blob < 40; blob++) {
      const deviation = 100 + 10 * blob;
      // tanh(20) is 1 in float32, which gives the highest correlation.
      const log = Math.log(deviation);
      const values = [tip[0] - 4 * deviation, tip[1] - 0.999 * 4 * deviation, log, log, 20];
      for (const [field, value] of values.entries()) setParameter(job, field, value, blob);
    }
    const pipeline = await open(gpu, job, "Workgroup");
    await pipeline.computeGradients();
    const { size, lengths } = await pipeline.tiles();
    assert.deepEqual([size, lengths[5]], [[16, 8], 40]);
    await pipeline.free();
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

  it("counts intersections up to the maximum of 32 bits, where the count saturates", async ({ gpu }) => {
    const { config, image, state } = scene({ ...given, blobs: 40 }, 80, 64);
    const { file, constants } = binnedKernels(config, image, gpu, { variant: "Workgroup" }).project;
    const range = { size: image, first: 0, end: 20, step: 1 };
    const known = {
      job: jobUniform(config, image),
      dispatch: dispatchUniform([range], config),
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
    assert.equal(await countFrom(highest - own), highest);
    for (const beyond of [1, own]) assert.equal(await countFrom(highest - own + beyond), highest);
  });

  it("returns the records of all steps once, also of steps that are repeated after an overflow", async ({ gpu }) => {
    const single = await open(gpu, growingScene());
    const expected: [number, number][] = [];
    for (let step = 1; step <= 7; step++) {
      await single.advance(1);
      expected.push([step, (await single.statistics()).loss]);
    }
    assert.deepEqual(await single.measured(), []);
    const bits = await bitsOf(single);
    await single.free();
    for (const cut of [[7], [3, 1, 3]]) {
      const ahead = await open(gpu, growingScene());
      const asked = cut.map((steps) => [ahead.advance(steps, { recordEvery: 1 }), ahead.measured()] as const);
      assert.deepEqual(await Promise.all(asked.map(([advanced]) => advanced)), cut);
      const rows = (await Promise.all(asked.map(([, measured]) => measured))).flat();
      assert.deepEqual(
        rows.map(({ step, loss }) => [step, loss]),
        expected,
      );
      assertSameBits(await bitsOf(ahead), bits);
      await ahead.free();
    }
  });
});
