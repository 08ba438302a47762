import assert from "node:assert/strict";
import { describe } from "vitest";
import { uniformGenerator } from "../../../src/engine/blobs.js";
import { type AdapterLimits, completeConfig, defaults } from "../../../src/engine/config.js";
import { decodeAll, evalBackward, evalFalloff, modelOf } from "../../../src/engine/cpu/blob.js";
import { CpuPipeline } from "../../../src/engine/cpu/pipeline.js";
import { checkListsFit, joinedTile, mayClamp } from "../../../src/engine/gpu/binned.js";
import type { Gpu } from "../../../src/engine/gpu/device.js";
import { assertPicturesAgree } from "../../support/agreement.js";
import { backendOn, it } from "../../support/gpu.js";
import { type Scene, scene, setParameter } from "../../support/scenes.js";

const open = (gpu: Gpu, { config, image, state }: Scene) => backendOn(gpu).open(config, image, state);

describe("the binned pipeline", () => {
  it("gives the same bits however its steps are cut into submits, paused and read back", async ({ gpu }) => {
    const job = scene({ pipeline: "binned", blobs: 80, learningRate: 0.01 }, 40, 24);
    const runs = [];
    for (const chunks of [[12], [1, 2, 3, 6], [5, 7]]) {
      const pipeline = await open(gpu, job);
      for (const chunk of chunks) {
        await pipeline.advance(chunk);
        if (chunks.length > 2)
          await Promise.all([pipeline.render({ width: 9, height: 7 }), pipeline.computeGradients()]);
      }
      assert.equal(pipeline.step, 12);
      runs.push(await pipeline.state());
      await pipeline.free();
    }
    assert.notDeepEqual(runs[0].parameters, job.state.parameters);
    // Compared as bits: -0 is not 0.
    const bits = runs.map(({ parameters }) => new Uint32Array(parameters.buffer));
    assert.deepEqual(bits[1], bits[0]);
    assert.deepEqual(bits[2], bits[0]);
    assert.deepEqual(runs[1], runs[0]);
  });

  it("makes room for more pairs in mid-run without losing a step", async ({ gpu }) => {
    const job = scene({ pipeline: "binned", blobs: 20, learningRate: 0.6, tile: "16x8" }, 128, 128);
    // All start at the smallest size, and grow at the first steps to cover most of the 128 tiles.
    for (const field of [2, 3]) setParameter(job, field, 0.02);
    job.config.covarianceScale = 0.2;
    const pipeline = await open(gpu, job);
    await pipeline.computeGradients();
    const before = await pipeline.statistics();
    await pipeline.advance(6);
    const after = await pipeline.statistics();
    assert.ok(
      after.shortLists.mean > (12 * 20) / 128 && after.shortLists.mean > 2 * before.shortLists.mean,
      JSON.stringify([before, after]),
    );
    assert.equal(pipeline.step, 6);
    const twin = new CpuPipeline(job.config, job.image, job.state);
    await twin.advance(6);
    const [actual, expected] = await Promise.all([pipeline.state(), twin.state()]);
    const worst = Math.max(...actual.parameters.map((value, slot) => Math.abs(value - expected.parameters[slot])));
    assert.ok(worst < 0.02, `parameters differ by ${worst}`);
    await pipeline.free();
    assert.equal(gpu.buffersAlive, 0);
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

  it("trains as its twin where most lists have several segments", async ({ gpu }) => {
    const job = scene(
      { pipeline: "binned", blobs: 300, covarianceScale: 0.03, learningRate: 0.01, composite: "white" },
      40,
      24,
    );
    setParameter(job, 8, 0.1);
    const pipeline = await open(gpu, job);
    const twin = new CpuPipeline(job.config, job.image, job.state);
    await pipeline.advance(1);
    await pipeline.advance(4);
    await twin.advance(5);
    const { shortLists } = await pipeline.statistics();
    assert.ok(shortLists.mean > 2 * 64, String(shortLists.mean));
    const [actual, expected] = await Promise.all([pipeline.state(), twin.state()]);
    const worst = Math.max(...actual.parameters.map((value, slot) => Math.abs(value - expected.parameters[slot])));
    assert.ok(worst < 1e-3, `parameters differ by ${worst}`);
    await pipeline.free();
  });

  it("joins tiles until they are worth a list", () => {
    assert.deepEqual(joinedTile([8, 4]), [16, 8]);
    assert.deepEqual(joinedTile([16, 16]), [16, 16]);
    assert.deepEqual(joinedTile([1, 1]), [16, 8]);
  });
});

describe("checkListsFit()", () => {
  // WebGPU's default limits.
  const limits = { ...({} as AdapterLimits), maxStorageBufferBindingSize: 2 ** 27, maxBufferSize: 2 ** 28 };
  const check = (blobs: number, side: number) =>
    checkListsFit(completeConfig({ blobs, pipeline: "binned" }), { width: side, height: side }, limits);

  it("lets the seeds' job run on WebGPU's default limits", () => check(40960, 512));

  // The slots of all pairs decide at first, and the states of all segments where there are many tiles.
  for (const [side, most] of [
    [512, 349525],
    [2048, 258072],
  ]) {
    it(`names the number of blobs that would fit at ${side} pixels a side`, () => {
      const refused = new RegExp(`^ConfigError: blobs is ${most + 1}, but must be at most ${most} in the binned`);
      assert.throws(() => check(most + 1, side), refused);
      assert.throws(() => check(400_000, side), new RegExp(`at most ${most} in the binned`));
      check(most, side);
    });
  }

  it("refuses a picture that leaves no room for blobs, and names a size that does", () => {
    const refused = /^ConfigError: image is "4096x4096", but must be at most 2040x2040, or as many pixels/;
    assert.throws(() => check(1000, 4096), refused);
    check(1000, 2040);
  });
});

describe("mayClamp()", () => {
  it("says no for the seeds' jobs, and yes for a single pixel", () => {
    assert.equal(mayClamp(defaults, { width: 512, height: 512 }), false);
    assert.equal(mayClamp(completeConfig({ blobs: 200 }), { width: 128, height: 128 }), false);
    assert.equal(mayClamp(defaults, { width: 1, height: 1 }), true);
  });

  it("says no for direct blobs, which nothing clamps, and yes for any sum of the seeds', whose error has no bound", () => {
    const large = { width: 2048, height: 2048 };
    const direct = { parameterization: "direct", composite: "black" };
    for (const blend of ["over", "sum"]) {
      assert.equal(mayClamp(completeConfig({ ...direct, blend }), { width: 1, height: 1 }), false);
    }
    assert.equal(mayClamp(completeConfig({ blend: "over", composite: "black" }), large), false);
    assert.equal(mayClamp(completeConfig({ blend: "sum", composite: "black" }), large), true);
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
