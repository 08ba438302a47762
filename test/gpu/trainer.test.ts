import assert from "node:assert/strict";
import { describe, onTestFinished, vi } from "vitest";
import { cpuBackend } from "../../src/engine/cpu/pipeline.js";
import { gpuBackend } from "../../src/engine/gpu/backend.js";
import { BinnedPipeline } from "../../src/engine/gpu/binned/pipeline.js";
import { psnr } from "../../src/engine/image/metrics.js";
import type { TrainingState } from "../../src/engine/model/blobs.js";
import { Trainer } from "../../src/engine/training/trainer.js";
import { backendOn, it, openGpu } from "../support/gpu.js";
import { growingScene, scene } from "../support/scenes.js";

/** Returns the largest difference of two buffers. */
const largestDifference = (actual: Float32Array, expected: Float32Array) =>
  actual.reduce((most, value, slot) => Math.max(most, Math.abs(value - expected[slot])), 0);

/** Returns the bits of a state; −0 differs from 0. */
const bitsOf = ({ parameters, firstMoments, secondMoments }: TrainingState) =>
  [parameters, firstMoments, secondMoments].map(({ buffer }) => new Uint32Array(buffer));

async function finish(trainer: Trainer): Promise<TrainingState> {
  for await (const _ of trainer.run());
  return trainer.state;
}

const job = { pipeline: "binned", steps: 8, blobs: 20, learningRate: 0.02 };

describe("on a GPU", () => {
  it("binned gives the same bits however its steps are split, read back, rendered and loaded, while its lists grow", async ({
    gpu,
  }) => {
    const job = growingScene();
    const whole = await BinnedPipeline.open(gpu, job);
    await whole.computeGradients();
    const { slots } = await whole.allocated();
    await whole.advance(7);
    assert.ok((await whole.allocated()).slots > 2 * slots);
    const expected = bitsOf(await whole.state());
    assert.notDeepEqual(expected[0], new Uint32Array(job.state.parameters.buffer));
    await whole.free();
    const split = await BinnedPipeline.open(gpu, job);
    await split.advance(1);
    await split.advance(2);
    const middle = await split.state();
    await Promise.all([split.render({ width: 9, height: 7 }), split.computeGradients(), split.advance(4)]);
    assert.deepEqual(bitsOf(await split.state()), expected);
    await split.load(middle);
    await split.advance(4);
    assert.deepEqual([split.step, bitsOf(await split.state())], [7, expected]);
    await split.free();
  });

  it("a lost device costs the steps since the last checkpoint, and the run continues to the same bits", async ({
    gpu,
  }) => {
    const { config, image } = scene(job);
    const uninterrupted = new Trainer(config, image, backendOn(gpu));
    const before = psnr(await uninterrupted.render(), image);
    await finish(uninterrupted);
    const reached = psnr(await uninterrupted.render(), image);
    assert.ok(reached > before, `${before} dB, then ${reached} dB`);
    const own = await openGpu();
    const backend = gpuBackend(own, async () => gpu);
    const trainer = new Trainer(config, image, backend);
    const steps: number[] = [];
    let recoveries = 0;
    // No checkpoint is due, even on a slow machine.
    vi.useFakeTimers({ toFake: ["performance"] });
    onTestFinished(() => void vi.useRealTimers());
    for await (const snapshot of trainer.run({ inspectAt: [2, 4, 6], interval: Number.POSITIVE_INFINITY })) {
      steps.push(snapshot.step);
      recoveries = snapshot.recoveries;
      if (steps.length === 2) own.device.destroy();
    }
    assert.equal(recoveries, 1);
    assert.deepEqual(steps, [2, 4, 2, 4, 6, 8]);
    assert.deepEqual(bitsOf(trainer.state), bitsOf(uninterrupted.state));
  });

  for (const pipeline of ["simple", "binned"] as const) {
    const { config, image, state } = scene({ ...job, pipeline });

    it(`${pipeline} answers questions at the step at which they were asked, while later steps run, and releases their buffers`, async ({
      gpu,
    }) => {
      const [busy, still] = [await backendOn(gpu).open(config, image), await backendOn(gpu).open(config, image)];
      const [, { loss }, asked, gradients, tiles, render] = await Promise.all([
        busy.advance(3),
        busy.statistics(),
        busy.state(),
        busy.computeGradients(),
        busy.tiles(),
        busy.render(image),
        busy.advance(4),
      ]);
      assert.deepEqual([asked.step, render.step, busy.step], [3, 3, 7]);
      await still.advance(3);
      const { loss: expectedLoss } = await still.statistics();
      assert.ok(Math.abs(loss - expectedLoss) < 1e-5 * expectedLoss);
      assert.ok(largestDifference(asked.parameters, (await still.state()).parameters) < 1e-5);
      const expected = await still.computeGradients();
      assert.ok(largestDifference(gradients, expected) < 1e-4 * Math.max(...expected.map(Math.abs)));
      assert.deepEqual(tiles, await still.tiles());
      assert.ok(largestDifference(render.data, (await still.render(image)).data) < 1e-5);
      const { liveBuffers } = gpu;
      await Promise.all([busy.state(), busy.statistics(), busy.computeGradients(), busy.render(image)]);
      assert.equal(gpu.liveBuffers, liveBuffers);
      await Promise.all([busy.free(), still.free()]);
    });

    it(`${pipeline} continues from a loaded state and follows the schedule to a horizon, as the CPU reference does`, async ({
      gpu,
    }) => {
      const scheduled = { ...config, schedule: "cosine", finalRate: 0.01, steps: 1000 } as const;
      const other = { ...scene({ ...job, seed: 5 }).state, step: 40 };
      const results: TrainingState[] = [];
      for (const backend of [cpuBackend, backendOn(gpu)]) {
        const opened = await backend.open(scheduled, image, state);
        await opened.advance(2);
        await opened.load(other);
        await opened.advance(3, { horizon: 44 });
        results.push(await opened.state());
        await opened.free();
      }
      const steady = await cpuBackend.open(scheduled, image, other);
      await steady.advance(3);
      results.push(await steady.state());
      const [expected, actual, unscheduled] = results;
      assert.equal(actual.step, 43);
      assert.ok(largestDifference(actual.parameters, expected.parameters) < 2e-5);
      assert.ok(largestDifference(unscheduled.parameters, expected.parameters) > 5e-3);
    });
  }

  it("abandoned runs leave no buffer", async ({ gpu }) => {
    const { config, image } = scene(job);
    let most = 0;
    for (let i = 0; i < 8; i++) {
      const trainer = new Trainer({ ...config, pipeline: i < 4 ? "simple" : "binned" }, image, backendOn(gpu));
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
});
