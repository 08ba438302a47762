import assert from "node:assert/strict";
import { describe, onTestFinished, vi } from "vitest";
import { cpuBackend } from "../../src/engine/cpu/pipeline.js";
import { gpuBackend } from "../../src/engine/gpu/backend.js";
import { psnr } from "../../src/engine/image/metrics.js";
import type { TrainingState } from "../../src/engine/model/blobs.js";
import { Trainer } from "../../src/engine/training/trainer.js";
import { backendOn, it, openGpu } from "../support/gpu.js";
import { gradientScales, scene, testImage } from "../support/scenes.js";

/** Returns the largest difference of two buffers, as a fraction of the largest value of the same parameter. */
function largestDifference(actual: Float32Array, expected: Float32Array): number {
  const scales = gradientScales(expected);
  const blobs = expected.length / scales.length;
  return expected.reduce(
    (most, value, slot) => Math.max(most, Math.abs(actual[slot] - value) / scales[Math.floor(slot / blobs)]),
    0,
  );
}

async function finish(trainer: Trainer): Promise<TrainingState> {
  for await (const _ of trainer.run());
  return trainer.state;
}

const noInterval = Number.POSITIVE_INFINITY;

describe("on a GPU", () => {
  const job = { pipeline: "tiled", steps: 6, blobs: 20 };

  it("a run reaches the CPU's PSNR with the CPU's moments", async ({ gpu }) => {
    const { config, image } = scene({ ...job, steps: 8, learningRate: 0.15 });
    const cpu = new Trainer({ ...config, pipeline: "cpu" }, image, cpuBackend);
    const before = psnr(await cpu.render(), image);
    const { parameters, firstMoments, secondMoments } = await finish(cpu);
    const expected = psnr(await cpu.render(), image);
    assert.ok(expected > before + 8, `${before} dB, then ${expected} dB`);
    for (const pipeline of ["simple", "tiled", "binned"] as const) {
      const trainer = new Trainer({ ...config, pipeline }, image, backendOn(gpu));
      const own = await finish(trainer);
      const reached = psnr(await trainer.render(), image);
      assert.ok(Math.abs(reached - expected) < 1e-3, `${pipeline}: ${reached} dB, CPU: ${expected} dB`);
      // Adam's steps hardly depend on the size of the gradients; its moments do.
      assert.ok(largestDifference(own.parameters, parameters) < 1e-3, `${pipeline}: parameters`);
      assert.ok(largestDifference(own.firstMoments, firstMoments) < 1e-3, `${pipeline}: first moments`);
      assert.ok(largestDifference(own.secondMoments, secondMoments) < 1e-3, `${pipeline}: second moments`);
    }
  });

  it("answers questions at the step at which they were asked, while later steps run", async ({ gpu }) => {
    const { config, image } = scene({ ...job, blobs: 12 });
    for (const name of ["tiled", "binned"] as const) {
      const [busy, still] = await Promise.all(
        [0, 1].map(() => backendOn(gpu).open({ ...config, pipeline: name }, image)),
      );
      const size = { width: image.width, height: image.height };
      const [, { loss }, state, gradients, tiles, render] = await Promise.all([
        busy.advance(3),
        busy.statistics(),
        busy.state(),
        busy.computeGradients(),
        busy.tiles(),
        busy.render(size),
        busy.advance(4),
      ]);
      assert.deepEqual([state.step, render.step, busy.step], [3, 3, 7]);
      await still.advance(3);
      const { loss: expectedLoss } = await still.statistics();
      assert.ok(Math.abs(loss - expectedLoss) < 1e-5 * expectedLoss);
      assert.ok(largestDifference(state.parameters, (await still.state()).parameters) < 1e-5, name);
      assert.ok(largestDifference(gradients, await still.computeGradients()) < 1e-4, name);
      assert.deepEqual(tiles, await still.tiles());
      const { data } = await still.render(size);
      assert.ok(render.data.every((value, at) => Math.abs(value - data[at]) < 1e-5));
      await Promise.all([busy.free(), still.free()]);
    }
  });

  it("continues from a loaded state like a pipeline that was opened with it", async ({ gpu }) => {
    const { config, image, state } = scene({ ...job, blobs: 12 });
    const other = { ...scene({ ...job, blobs: 12, seed: 5 }).state, step: 40 };
    for (const pipeline of ["tiled", "binned"] as const) {
      const backend = backendOn(gpu);
      const open = (from: TrainingState) => backend.open({ ...config, pipeline }, image, from);
      const [opened, loaded] = await Promise.all([open(other), open(state)]);
      await loaded.advance(2);
      // Its slots then have the number of the step after the loaded one.
      await loaded.load({ ...other, parameters: state.parameters });
      await loaded.computeGradients();
      await loaded.load(other);
      await Promise.all([opened.advance(3), loaded.advance(3)]);
      const [expected, actual] = await Promise.all([opened.state(), loaded.state()]);
      assert.equal(actual.step, 43);
      for (let slot = 0; slot < expected.parameters.length; slot++) {
        const difference = Math.abs(actual.parameters[slot] - expected.parameters[slot]);
        assert.ok(difference < (pipeline === "binned" ? 1e-12 : 1e-4), `${pipeline}, slot ${slot}: ${difference}`);
      }
      await Promise.all([opened.free(), loaded.free()]);
    }
  });

  it("follows the schedule to a given horizon, like the CPU reference", async ({ gpu }) => {
    const overrides = { ...job, schedule: "cosine", finalRate: 0.01, steps: 1000, learningRate: 0.02 };
    const { config, image, state } = scene(overrides);
    const reference = await cpuBackend.open(config, image, state);
    await reference.advance(4, { horizon: 5 });
    const { parameters } = await reference.state();
    for (const pipeline of ["tiled", "binned"] as const) {
      const opened = await backendOn(gpu).open({ ...config, pipeline }, image, state);
      await opened.advance(4, { horizon: 5 });
      const own = (await opened.state()).parameters;
      const largest = own.reduce((most, value, slot) => Math.max(most, Math.abs(value - parameters[slot])), 0);
      assert.ok(largest < 2e-5, `${pipeline}: ${largest}`);
      await opened.free();
    }
    const steady = await cpuBackend.open(config, image, state);
    await steady.advance(4);
    const other = (await steady.state()).parameters;
    assert.ok(other.some((value, slot) => Math.abs(value - parameters[slot]) > 5e-3));
  });

  it("forty abandoned runs leave no buffer", async ({ gpu }) => {
    const { config: first, image } = scene({ ...job, blobs: 4 }, 8, 8);
    const backend = backendOn(gpu);
    let most = 0;
    for (let i = 0; i < 40; i++) {
      const pipeline = i % 8 < 4 ? "tiled" : "binned";
      const trainer = new Trainer({ ...first, pipeline }, image, backend);
      const stop = new AbortController();
      const run = trainer.run({ recordEvery: 1, signal: stop.signal });
      // Abandoned before it starts, at a snapshot, by its signal, and during a question.
      if (i % 4 === 0) await run.return();
      else if (i % 4 === 1) for await (const _ of run) break;
      else if (i % 4 === 2) for await (const _ of run) stop.abort();
      else {
        await run.next();
        most = Math.max(most, gpu.liveBuffers);
        const render = trainer.render();
        await run.return();
        await render;
      }
    }
    assert.ok(most > 5, "active runs hold buffers");
    assert.equal(gpu.liveBuffers, 0);
  });

  it("a lost device costs the steps since the last checkpoint, and the run continues to the same result", async ({
    gpu,
  }) => {
    const { config, image } = scene({ ...job, pipeline: "binned", steps: 8, learningRate: 0.02 });
    const uninterrupted = await finish(new Trainer(config, image, backendOn(gpu)));
    let own = await openGpu();
    const backend = gpuBackend(own, async () => {
      own = await openGpu();
      return own;
    });
    const trainer = new Trainer(config, image, backend);
    const steps: number[] = [];
    let recoveries = 0;
    // No checkpoint is due, even on a slow machine.
    vi.useFakeTimers({ toFake: ["performance"] });
    onTestFinished(() => void vi.useRealTimers());
    for await (const snapshot of trainer.run({ inspectAt: [2, 4, 6], interval: noInterval })) {
      steps.push(snapshot.step);
      recoveries = snapshot.recoveries;
      if (steps.length === 2) own.device.destroy();
    }
    own.close();
    assert.equal(recoveries, 1);
    assert.deepEqual(steps, [2, 4, 2, 4, 6, 8]);
    assert.deepEqual(trainer.state, uninterrupted);
  });

  it("a device lost during a pause costs no step that was read back", async () => {
    const { config, image } = scene({ ...job, pipeline: "simple" });
    let gpu = await openGpu();
    const backend = gpuBackend(gpu, async () => {
      gpu = await openGpu();
      return gpu;
    });
    const trainer = new Trainer(config, image, backend);
    const run = trainer.run({ inspectAt: [1, 2, 3, 4], interval: noInterval });
    for (let step = 1; step <= 3; step++) await run.next();
    trainer.pause();
    await trainer.inspect();
    gpu.device.destroy();
    trainer.advance();
    const { value } = await run.next();
    assert.deepEqual([value?.step, value?.recoveries], [4, 1]);
    await run.return();
    gpu.close();
  });

  it("an image too large for the adapter is refused before anything is allocated", async ({ gpu }) => {
    const { config } = scene(job);
    const image = { ...testImage(4, 4), width: 1 << 20, height: 1 << 20 };
    assert.throws(
      () => new Trainer(config, image, backendOn(gpu)),
      /^ConfigError: image must be at most .* \(got "1048576x1048576"\)\.$/,
    );
    assert.equal(gpu.liveBuffers, 0);
  });
});
