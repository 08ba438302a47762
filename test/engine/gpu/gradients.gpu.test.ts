import assert from "node:assert/strict";
import { describe } from "vitest";
import type { PipelineName } from "../../../src/engine/config.js";
import { CpuPipeline } from "../../../src/engine/cpu/pipeline.js";
import { BinnedPipeline } from "../../../src/engine/gpu/binned.js";
import type { Gpu } from "../../../src/engine/gpu/device.js";
import { waitingCenter } from "../../../src/engine/initialState.js";
import type { Pipeline } from "../../../src/engine/pipeline.js";
import { assertGradientsAgree, assertPicturesAgree } from "../../support/agreement.js";
import { backendOn, it, openGpu } from "../../support/gpu.js";
import { directScene, modelName, models, type Scene, scene, sceneOf, setParameter } from "../../support/scenes.js";

const openByName = (gpu: Gpu, { config, image, state }: Scene): Promise<Pipeline> =>
  backendOn(gpu).open(config, image, state);

/** So small that a single pixel's gradients reach the clamp. */
function clampedScene(pipeline: PipelineName, given: object = {}): Scene {
  const job = scene({ pipeline, blobs: 4, covarianceScale: 1e-10, seed: 7, ...given }, 1, 1);
  for (let blob = 0; blob < 4; blob++) {
    for (const field of [0, 1]) setParameter(job, field, 0.0008 + 0.0002 * blob, blob);
  }
  return job;
}

/** Compares one backward pass and renders at three shapes with the float64 twin; returns the GPU's statistics. */
async function compare(gpu: Gpu, job: Scene, open = openByName) {
  const { config, image, state } = job;
  const pipeline = await open(gpu, job);
  const oracle = new CpuPipeline(config, image, state, Float64Array);
  assertGradientsAgree(await pipeline.computeGradients(), oracle.evaluate().gradients, 1e-3, config.seed);
  for (const { width, height } of [image, { width: 23, height: 9 }, { width: 7, height: 17 }]) {
    assertPicturesAgree(await pipeline.render({ width, height }), await oracle.render({ width, height }), config.seed);
  }
  const statistics = await pipeline.statistics();
  const expected = await oracle.statistics();
  assert.ok(Math.abs(statistics.loss - expected.loss) <= 1e-5 * expected.loss, "loss");
  for (const [group, norm] of Object.entries(expected.gradientNorms)) {
    const actual = statistics.gradientNorms[group as keyof typeof expected.gradientNorms];
    assert.ok(Math.abs(actual - norm) <= 1e-3 * norm, `${group}: norm ${actual} is not ${norm}`);
  }
  await pipeline.free();
  return statistics;
}

for (const pipeline of ["simple", "tiled", "binned"] as const) {
  describe(`the ${pipeline} pipeline agrees with the float64 twin`, () => {
    for (const composite of ["seed", "white"] as const) {
      it(`at a random start, ${composite} composite`, async ({ gpu }) => {
        await compare(gpu, scene({ pipeline, composite }));
      });

      it(`where all blobs overlap, ${composite} composite`, async ({ gpu }) => {
        const job = scene({ pipeline, composite, blobs: 30, seed: 3 });
        for (let blob = 0; blob < 30; blob++) {
          setParameter(job, 0, 0.5 + 0.002 * blob, blob);
          setParameter(job, 1, 0.5 - 0.001 * blob, blob);
        }
        await compare(gpu, job);
      });

      it(`where blobs are nearly opaque and pixels reach the 1/255 stop, ${composite} composite`, async ({ gpu }) => {
        const job = scene({ pipeline, composite, blobs: 30, seed: 4 });
        setParameter(job, 8, 0.93);
        await compare(gpu, job);
      });

      it(`where blobs sit on the image's edge and corners, ${composite} composite`, async ({ gpu }) => {
        const job = scene({ pipeline, composite, blobs: 16, seed: 5 });
        for (let blob = 0; blob < 16; blob++) {
          setParameter(job, 0, blob % 2 ? 0.02 : 0.98, blob);
          setParameter(job, 1, blob % 4 < 2 ? 0.03 : 0.5, blob);
        }
        await compare(gpu, job);
      });
    }

    it("where each pixel's gradients are clamped", async ({ gpu }) => {
      await compare(gpu, clampedScene(pipeline));
    });

    for (const model of models) {
      it(`at a random start, ${modelName(model)}`, async ({ gpu }) => {
        await compare(gpu, sceneOf(model, { pipeline, seed: 11 }));
      });
    }

    for (const model of models.filter(({ composite }) => composite === "black")) {
      const isDirect = model.parameterization === "direct";
      const size = isDirect ? [20, 14] : [1, 1];

      it(`where all blobs overlap and are nearly opaque, ${modelName(model)}`, async ({ gpu }) => {
        const job = sceneOf(model, { pipeline, blobs: 30, seed: 13 });
        for (let blob = 0; blob < 30; blob++) {
          setParameter(job, 0, size[0] * (0.5 + 0.002 * blob), blob);
          setParameter(job, 1, size[1] * (0.5 - 0.001 * blob), blob);
        }
        setParameter(job, 8, isDirect ? 5 : 0.93);
        await compare(gpu, job);
      });
    }

    it("where direct blobs are thinner than a pixel and strongly tilted", async ({ gpu }) => {
      const job = directScene({ pipeline, blobs: 16, seed: 16 });
      for (let blob = 0; blob < 16; blob++) {
        setParameter(job, 2 + (blob % 2), Math.log(0.1), blob);
        setParameter(job, 4, blob % 4 < 2 ? 2.5 : -2.5, blob);
      }
      await compare(gpu, job);
    });

    for (const blend of ["over", "sum"] as const) {
      it(`where some blobs wait outside the picture, which have no effect and no gradient, blend ${blend}`, async ({
        gpu,
      }) => {
        const job = directScene({ pipeline, blend, blobs: 20, seed: 17 });
        for (let blob = 10; blob < 20; blob++)
          for (const field of [0, 1]) setParameter(job, field, waitingCenter, blob);
        await compare(gpu, job);
        const opened = await openByName(gpu, job);
        const gradients = await opened.computeGradients();
        const { data } = await opened.render(job.image);
        await opened.free();
        for (let field = 0; field < 9; field++) {
          const waiting = gradients.slice(20 * field + 10, 20 * field + 20);
          assert.ok(waiting.every((gradient) => gradient === 0));
        }
        const few = directScene({ pipeline, blend, blobs: 10, seed: 17 });
        for (let field = 0; field < 9; field++) {
          few.state.parameters.set(job.state.parameters.subarray(20 * field, 20 * field + 10), 10 * field);
        }
        const alone = await openByName(gpu, few);
        assert.deepEqual((await alone.render(job.image)).data, data);
        await alone.free();
      });
    }

    it("where each pixel's gradients are clamped, blend sum", async ({ gpu }) => {
      await compare(gpu, clampedScene(pipeline, { blend: "sum", composite: "white" }));
    });

    it("where a pixel's gradients are large and not clamped, of direct blobs", async ({ gpu }) => {
      const job = directScene({ pipeline, blobs: 2 }, 1, 1);
      for (const [field, value] of [0.3, -0.2, 0, 0, 0.5, 900, -500, 200, 0].entries()) setParameter(job, field, value);
      const { gradientNorms } = await compare(gpu, job);
      assert.ok(gradientNorms.center > 1000, JSON.stringify(gradientNorms));
    });

    for (const tile of ["1x1", "5x3", "16x8", "16x16"]) {
      it(`with tiles of ${tile}, which need not divide the image`, async ({ gpu }) => {
        const size = tile === "1x1" ? 6 : 19;
        await compare(gpu, scene({ pipeline, tile, blobs: 20, seed: 6 }, size, size));
      });
    }
  });
}

for (const division of ["Subgroup", "Workgroup", "Thread"] as const) {
  describe(`the binned pipeline, a segment a ${division.toLowerCase()}, agrees with the float64 twin`, () => {
    const open = (gpu: Gpu, { config, image, state }: Scene) =>
      BinnedPipeline.open(gpu, { config, image, state }, division);

    // As many blobs on as many tiles wherever it can be, so that the kernels are the same, and compiled once.
    for (const composite of ["seed", "white"] as const) {
      it(`at a random start, ${composite} composite`, async ({ gpu }) => {
        await compare(gpu, scene({ pipeline: "binned", composite, blobs: 200 }), open);
      });
    }

    it("where lists have several segments", async ({ gpu }) => {
      const long = scene({ pipeline: "binned", blobs: 200, covarianceScale: 0.03 }, 20, 14);
      setParameter(long, 8, 0);
      const { shortLists } = await compare(gpu, long, open);
      assert.ok(shortLists.longest > 2 * 64, String(shortLists.longest));
    });

    for (const blend of ["over", "sum"] as const) {
      it(`at a random start, direct blobs, blend ${blend}`, async ({ gpu }) => {
        await compare(gpu, directScene({ pipeline: "binned", blend, blobs: 200, seed: 11 }), open);
      });
    }

    for (const model of models.filter(({ composite }) => composite === "black")) {
      it(`where lists have several segments, ${modelName(model)}`, async ({ gpu }) => {
        const long = sceneOf(model, { pipeline: "binned", blobs: 200, covarianceScale: 0.03, seed: 18 });
        setParameter(long, 8, model.parameterization === "direct" ? -3 : 0);
        const { shortLists } = await compare(gpu, long, open);
        assert.ok(shortLists.longest > 2 * 64, String(shortLists.longest));
      });
    }

    it("where direct blobs are thinner than a pixel and strongly tilted", async ({ gpu }) => {
      const job = directScene({ pipeline: "binned", blobs: 200, seed: 16 });
      for (let blob = 0; blob < 200; blob++) {
        setParameter(job, 2 + (blob % 2), Math.log(0.1), blob);
        setParameter(job, 4, blob % 4 < 2 ? 2.5 : -2.5, blob);
      }
      await compare(gpu, job, open);
    });

    it("where blobs are nearly opaque, and where each pixel's gradients are clamped", async ({ gpu }) => {
      const opaque = scene({ pipeline: "binned", blobs: 200, seed: 4 });
      setParameter(opaque, 8, 0.93);
      await compare(gpu, opaque, open);
      await compare(gpu, clampedScene("binned"), open);
      await compare(gpu, clampedScene("binned", { blend: "sum", composite: "black" }), open);
    });

    it("where blobs meet more tiles than their own threads take", async ({ gpu }) => {
      const large = directScene({ pipeline: "binned", blobs: 3, blend: "over" }, 520, 168);
      for (let blob = 0; blob < 3; blob++) {
        setParameter(large, 0, 200 + 60 * blob, blob);
        setParameter(large, 1, 80, blob);
        for (const field of [2, 3]) setParameter(large, field, Math.log(blob === 1 ? 4 : 90), blob);
      }
      await compare(gpu, large, open);
    });

    it("where tiles have more than one row of subtiles, some of them partly outside", async ({ gpu }) => {
      await compare(gpu, scene({ pipeline: "binned", tile: "20x9", blobs: 20, seed: 6 }, 37, 19), open);
    });
  });
}

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
      const open = (gpu: Gpu, { config, image, state }: Scene) =>
        BinnedPipeline.open(gpu, { config, image, state }, division);
      await compare(plain, scene({ pipeline: "binned", blobs: 60 }, 40, 30), open);
    }
    plain.close();
  });
});

describe("a list longer than GAUSSIANS_PER_BLOCK", () => {
  for (const composite of ["seed", "white"] as const) {
    it(`takes several passes, forward and backward, with the twin's result, ${composite} composite`, async ({
      gpu,
    }) => {
      const job = scene(
        { pipeline: "tiled", gaussiansPerBlock: 32, blobs: 300, composite, covarianceScale: 0.02 },
        16,
        12,
      );
      // Faint, so that the pixels see blobs of every pass.
      setParameter(job, 8, -0.05);
      const { shortLists } = await compare(gpu, job);
      assert.ok(shortLists.passes > 5 && shortLists.longest > 5 * 32, JSON.stringify(shortLists));
    });
  }

  for (const model of models.filter(({ composite }) => composite !== "seed")) {
    it(`takes several passes with the twin's result, ${modelName(model)}`, async ({ gpu }) => {
      const given = { pipeline: "tiled", gaussiansPerBlock: 32, blobs: 300, covarianceScale: 0.02, seed: 19 };
      const job = sceneOf(model, given, 16, 12);
      setParameter(job, 8, model.parameterization === "direct" ? -3 : -0.05);
      const { shortLists } = await compare(gpu, job);
      assert.ok(shortLists.passes > 5 && shortLists.longest > 5 * 32, JSON.stringify(shortLists));
    });
  }

  it("trains to the same parameters as one that fits, but for the order of float additions", async ({ gpu }) => {
    const train = async (gaussiansPerBlock: number) => {
      const { config, image, state } = scene({ gaussiansPerBlock, blobs: 60, pipeline: "tiled" }, 16, 12);
      const pipeline = await backendOn(gpu).open(config, image, state);
      await pipeline.advance(3);
      const { shortLists } = await pipeline.statistics();
      const { parameters } = await pipeline.state();
      await pipeline.free();
      return { parameters, shortLists };
    };
    const one = await train(64);
    const several = await train(4);
    assert.equal(one.shortLists.passes, 1);
    assert.ok(several.shortLists.passes > 3);
    for (let slot = 0; slot < one.parameters.length; slot++) {
      assert.ok(Math.abs(one.parameters[slot] - several.parameters[slot]) < 1e-3, `slot ${slot}`);
    }
  });
});
