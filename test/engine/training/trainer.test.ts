import assert from "node:assert/strict";
import { describe, it, vi } from "vitest";
import { cpuBackend, cpuBackendWith } from "../../../src/engine/cpu/pipeline.js";
import { CallingThread } from "../../../src/engine/cpu/taskPool.js";
import { psnr } from "../../../src/engine/image/metrics.js";
import { oracle } from "../../../src/engine/model/oracle.js";
import { type Backend, DeviceLostError, type Pipeline } from "../../../src/engine/pipeline.js";
import { inactiveCenter } from "../../../src/engine/training/initialState.js";
import type { Snapshot } from "../../../src/engine/training/snapshot.js";
import { Trainer } from "../../../src/engine/training/trainer.js";
import { diverging } from "../../support/diverging.js";
import { gradientScales, scene } from "../../support/scenes.js";
import { beforeSteps } from "../../support/steps.js";

/** Returns the largest difference of gradients, as a fraction of the largest of the same parameter. */
function largestDifference(actual: Float32Array, expected: Float64Array): number {
  const scales = gradientScales(expected);
  return Math.max(
    ...expected.map((value, i) => Math.abs(actual[i] - value) / scales[Math.floor((9 * i) / actual.length)]),
  );
}

async function collect(run: AsyncGenerator<Snapshot>): Promise<Snapshot[]> {
  const snapshots: Snapshot[] = [];
  for await (const snapshot of run) snapshots.push(snapshot);
  return snapshots;
}

const noInterval = Number.POSITIVE_INFINITY;

function cpuTrainer(overrides: object = {}, start?: ConstructorParameters<typeof Trainer>[3]) {
  const { config, image } = scene({ pipeline: "cpu", steps: 20, ...overrides });
  return new Trainer(config, image, cpuBackend, start);
}

/** Calls `work` with a CPU engine on a mocked clock, in which only steps take time, and with its batches. */
async function withClock(
  work: (backend: Backend, ends: { step: number; horizon: number }[]) => Promise<void>,
  milliseconds = 10,
): Promise<void> {
  let clock = performance.now();
  // A separate thread object, which keeps the time of its last pause.
  const backend = cpuBackendWith(new CallingThread());
  const ends: { step: number; horizon: number }[] = [];
  const now = vi.spyOn(performance, "now").mockImplementation(() => clock);
  try {
    const slow: Backend = {
      ...backend,
      open: async (...job) => {
        const pipeline = await backend.open(...job);
        const advance = pipeline.advance.bind(pipeline);
        let before: Promise<unknown> = Promise.resolve();
        // Steps that are submitted ahead start when the previous ones are done.
        pipeline.advance = (steps, options) => {
          const { horizon = 0 } = options!;
          const advanced = Promise.all([advance(steps, options), before]).then(([done]) => {
            clock += milliseconds * done;
            ends.push({ step: pipeline.step, horizon });
            return done;
          });
          before = advanced;
          return advanced;
        };
        return pipeline;
      },
    };
    await work(slow, ends);
  } finally {
    now.mockRestore();
  }
}

describe("Trainer.run()", () => {
  it("yields a snapshot at each recorded step and at the last", async () => {
    const snapshots = await collect(cpuTrainer().run({ recordEvery: 6, interval: noInterval }));
    assert.deepEqual(
      snapshots.map(({ step }) => step),
      [6, 12, 18, 20],
    );
    assert.ok(snapshots.every(({ recorded }) => recorded));
    for (const { loss, psnr, seconds } of snapshots) {
      assert.ok(Math.abs(psnr + 10 * Math.log10(loss / 3)) < 1e-9);
      assert.ok(seconds > 0);
    }
  });

  it("yields the gradients of step k at the parameters after k − 1 steps, only at the requested steps", async () => {
    const run = cpuTrainer().run({ recordEvery: 3, recordGradientsEvery: 6, interval: noInterval });
    const snapshots = (await collect(run)).filter((snapshot) => snapshot.gradients);
    assert.deepEqual(
      snapshots.map(({ step }) => step),
      [6, 12, 18],
    );
    const distanceAfter = async (steps: number) => {
      const trainer = cpuTrainer();
      await collect(trainer.run({ until: steps }));
      const { config, image, state } = trainer;
      return largestDifference(snapshots[0].gradients!, oracle(config, image, state.parameters).gradients);
    };
    assert.ok((await distanceAfter(5)) < 1e-3, "those of the parameters after 5 steps");
    for (const steps of [4, 6]) assert.ok((await distanceAfter(steps)) > 1e-2, `not those after ${steps}`);
  });

  it("yields snapshots at their steps after a batch that the CPU engine ended early", async () => {
    await withClock(async (backend) => {
      let pipeline: Pipeline | undefined;
      const early: Backend = {
        ...backend,
        open: async (...job) => {
          pipeline = await backend.open(...job);
          const advance = pipeline.advance.bind(pipeline);
          let calls = 0;
          pipeline.advance = (steps, options) => advance(++calls === 4 ? steps - 1 : steps, options);
          return pipeline;
        },
      };
      const { config, image } = scene({ pipeline: "cpu", steps: 200 });
      const snapshots = await collect(new Trainer(config, image, early).run({ recordGradientsEvery: 90 }));
      const steps = snapshots.map(({ step }) => step);
      // Every 125 ms of the clock, in batches of about 6 steps.
      for (const [i, step] of steps.entries()) assert.ok(step - (steps[i - 1] ?? 0) < 25, `${steps}`);
      assert.deepEqual(
        snapshots.filter(({ gradients }) => gradients).map(({ step }) => step),
        [90, 180],
      );
      assert.deepEqual([steps.at(-1), pipeline!.step], [200, 200]);
    });
  });

  it("inspects the gradients of the next step, at the current parameters", async () => {
    const trainer = cpuTrainer();
    await collect(trainer.run({ until: 5 }));
    const { state, gradients } = await trainer.inspect();
    const expected = oracle(trainer.config, trainer.image, state.parameters).gradients;
    assert.ok(largestDifference(gradients, expected) < 1e-3);
  });

  const growing = { preset: "quality", steps: 60, blobs: 40, startShare: 0.4, growEvery: 10 };
  const scheduled = { finalRate: 0.01, colorRate: 3, biasCorrection: "exact", learningRate: 0.01 };
  const resumed: Record<string, object> = {
    "the baseline preset": {},
    "an exponential schedule": { ...scheduled, schedule: "exponential" },
    "a cosine schedule": { ...scheduled, schedule: "cosine" },
    "density control": growing,
  };
  for (const [what, overrides] of Object.entries(resumed)) {
    it(`resumes from a state to the bits of an uninterrupted run, with ${what}`, async () => {
      const uninterrupted = cpuTrainer(overrides);
      await collect(uninterrupted.run());
      // Between two rounds of density control and right after one.
      for (const until of overrides === growing ? [17, 20] : [7]) {
        const first = cpuTrainer(overrides);
        await collect(first.run({ until }));
        assert.equal(first.state.step, until);
        const second = cpuTrainer(overrides, structuredClone(first.state));
        await collect(second.run({ recordEvery: 3 }));
        assert.deepEqual(second.state, uninterrupted.state);
      }
    });
  }

  it("activates all blobs by the end, and gains PSNR by them", async () => {
    const trainer = cpuTrainer(growing);
    const inactive = () => trainer.state.parameters.subarray(0, 40).filter((x) => x === inactiveCenter).length;
    assert.equal(inactive(), 24);
    await collect(trainer.run());
    assert.equal(inactive(), 0);
    const without = cpuTrainer({ ...growing, blobs: 16, startShare: 1, growEvery: 0 });
    await collect(without.run());
    const [more, fewer] = await Promise.all([trainer.render(), without.render()]);
    assert.ok(psnr(more, trainer.image) > psnr(fewer, trainer.image) + 1);
  });

  it("ends after the requested seconds, at the end of the schedule", async () => {
    const { config, image } = scene({ pipeline: "cpu", preset: "quality", blobs: 5, growEvery: 0, startShare: 1 });
    await withClock(async (backend, ends) => {
      const trainer = new Trainer(config, image, backend);
      const snapshots = await collect(trainer.run({ seconds: 2, recordEvery: 1000 }));
      assert.ok(Math.abs(trainer.seconds - 2) <= 0.05, `${trainer.seconds} s`);
      assert.ok(Math.abs(trainer.step - 200) <= 5, `${trainer.step} steps`);
      assert.deepEqual([snapshots.at(-1)?.step, snapshots.at(-1)?.recorded], [trainer.step, true]);
      const { step, horizon } = ends.at(-1)!;
      assert.ok(Math.abs(step - horizon) <= 2, `the schedule ends at ${horizon}, the run at ${step}`);
      const predicted = ends.filter(({ step }) => step > 20);
      assert.ok(predicted.length > 3 && predicted.every(({ horizon }) => Math.abs(horizon - trainer.step) <= 5));
    });
  });

  it("stops early only if configured and the PSNR no longer rises", async () => {
    const job = { schedule: "cosine", finalRate: 0.01, steps: 200, learningRate: 0.02, blobs: 4 };
    const steps = async (overrides: object) => {
      const trainer = cpuTrainer({ ...job, ...overrides });
      await collect(trainer.run());
      return trainer.step;
    };
    assert.equal(await steps({}), 200);
    assert.equal(await steps({ plateau: 1e-9, learningRate: 1e-3 }), 200);
    const early = await steps({ plateau: 5 });
    assert.equal(early, 30);
  });

  it("ends the schedule with early stopping, which waits for density control", async () => {
    const horizons = new Map<number, number>();
    const watched: Backend = {
      ...cpuBackend,
      open: async (...job) => {
        const pipeline = await cpuBackend.open(...job);
        const advance = pipeline.advance.bind(pipeline);
        pipeline.advance = (steps, options) => {
          horizons.set(pipeline.step, options!.horizon!);
          return advance(steps, options);
        };
        return pipeline;
      },
    };
    const { config, image } = scene({ ...growing, pipeline: "cpu", steps: 200, growUntil: 0.3, plateau: 50 });
    const trainer = new Trainer(config, image, watched);
    await collect(trainer.run());
    // Density control ends at step 60; the PSNR is compared every 10 steps.
    assert.equal(trainer.step, 80);
    assert.equal(horizons.get(60), 200);
    assert.equal(horizons.get(70), 80);
  });

  it("activates all blobs in a run shorter than growEvery, by steps or by seconds", async () => {
    const inactive = ({ state }: Trainer) =>
      state.parameters.subarray(0, 40).filter((x) => x === inactiveCenter).length;
    const short = cpuTrainer({ ...growing, steps: 12, growEvery: 250 });
    await collect(short.run());
    assert.equal(inactive(short), 0);
    const { config, image } = scene({ ...growing, pipeline: "cpu", steps: 100_000, growEvery: 250 });
    await withClock(async (backend) => {
      const hurried = new Trainer(config, image, backend);
      await collect(hurried.run({ seconds: 0.5 }));
      assert.ok(hurried.step < 60);
      assert.equal(inactive(hurried), 0);
    });
  });

  it("pauses, takes single steps, and resumes", async () => {
    const trainer = cpuTrainer({ steps: 10 });
    const run = trainer.run({ inspectAt: [2, 4, 6, 8], interval: noInterval });
    assert.equal((await run.next()).value?.step, 2);
    trainer.pause();
    assert.ok(trainer.paused);
    const waiting = run.next();
    assert.equal(await Promise.race([waiting, trainer.inspect().then(() => "nothing")]), "nothing");
    assert.equal(trainer.step, 2);
    trainer.advance(1);
    assert.equal((await waiting).value?.step, 3);
    assert.ok(trainer.paused);
    const rest = collect(run);
    trainer.resume();
    assert.deepEqual(
      (await rest).map(({ step }) => step),
      [4, 6, 8, 10],
    );
  });

  it("is paused when the running steps are done, and takes none after them", async () => {
    const { config, image } = scene({ pipeline: "cpu", steps: 1_000_000 });
    let batches = 0;
    let hasBegun: () => void;
    const begun = new Promise<void>((resolve) => {
      hasBegun = resolve;
    });
    const open: Backend["open"] = async (...job) => {
      const pipeline = await cpuBackend.open(...job);
      const advance = pipeline.advance.bind(pipeline);
      // An engine that cannot interrupt its steps.
      pipeline.advance = async (steps, options) => {
        batches++;
        hasBegun();
        await new Promise(setImmediate);
        return advance(steps, { ...options, signal: undefined });
      };
      return pipeline;
    };
    const trainer = new Trainer(config, image, { ...cpuBackend, open });
    const stop = new AbortController();
    const rest = collect(trainer.run({ signal: stop.signal, interval: noInterval }));
    await begun;
    await trainer.pause();
    const paused = [trainer.step, batches];
    assert.ok(paused[0] > 0);
    for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
    assert.deepEqual([trainer.step, batches], paused);
    stop.abort();
    await rest;
  });

  it("ends by its signal, even while paused, and keeps the state", async () => {
    const trainer = cpuTrainer({ steps: 1_000_000 });
    const stop = new AbortController();
    let last = 0;
    for await (const { step } of trainer.run({ inspectAt: [2, 4, 6], signal: stop.signal, interval: noInterval })) {
      last = step;
      if (step === 6) {
        trainer.pause();
        setImmediate(() => stop.abort());
      }
    }
    assert.equal(last, 6);
    assert.equal(trainer.state.step, 6);
    assert.ok(trainer.state.firstMoments.some((moment) => moment !== 0));
  });

  it("ends by its signal during a long step on the CPU, and discards that step", async () => {
    const { config, image } = scene({ pipeline: "cpu", blobs: 3000, covarianceScale: 0.5 }, 160, 120);
    const trainer = new Trainer(config, image, cpuBackend);
    const before = structuredClone(trainer.state);
    const stop = new AbortController();
    setImmediate(() => stop.abort());
    assert.deepEqual(await collect(trainer.run({ signal: stop.signal })), []);
    assert.deepEqual(trainer.state, before);
  });

  it("continues if the device is lost while it opens, and fails if it never comes back", async () => {
    for (const losses of [2, Number.POSITIVE_INFINITY]) {
      let opened = 0;
      const open: Backend["open"] = async (...job) => {
        if (opened++ < losses) throw new DeviceLostError("The GPU was lost.");
        return cpuBackend.open(...job);
      };
      const { config, image } = scene({ pipeline: "cpu" });
      const run = collect(new Trainer(config, image, { ...cpuBackend, open }).run({ until: 2 }));
      if (losses === 2) {
        const last = (await run).at(-1);
        assert.deepEqual([last?.step, last?.recoveries], [2, 2]);
      } else await assert.rejects(run, { name: "DeviceLostError", message: "The GPU was lost." });
    }
  });

  it("repeats the steps since the last checkpoint after each lost device, and ends with the same bits", async () => {
    const { config, image } = scene({ pipeline: "cpu", steps: 12, learningRate: 0.02 });
    const uninterrupted = new Trainer(config, image, cpuBackend);
    await collect(uninterrupted.run());
    await withClock(async (backend) => {
      const losses = [3, 6, 7, 9, 10];
      const openedAt: number[] = [];
      const open: Backend["open"] = async (...job) => {
        const pipeline = await backend.open(...job);
        openedAt.push(pipeline.step);
        beforeSteps(pipeline, () => {
          if (losses[0] !== pipeline.step) return;
          losses.shift();
          throw new DeviceLostError("The GPU was lost.");
        });
        return pipeline;
      };
      const trainer = new Trainer(config, image, { ...backend, open });
      const last = (await collect(trainer.run())).at(-1);
      // On this clock four steps exceed the three seconds between checkpoints; after a loss the state is read back at once.
      // Each time, the next step has been submitted before.
      assert.deepEqual(openedAt, [0, 0, 6, 6, 8, 10]);
      assert.deepEqual([last?.step, last?.recoveries], [12, 5]);
      assert.deepEqual(trainer.state, uninterrupted.state);
    }, 800);
  });

  it.each([
    ["loss", "the loss"],
    ["parameters", "opacity of blob 11"],
    ["firstMoments", "the first moment of opacity of blob 11"],
    ["secondMoments", "the second moment of opacity of blob 11"],
  ] as const)("ends at a NaN in %s, and returns to the last state that was finite", async (part, what) => {
    const { config, image } = scene({ pipeline: "cpu", blobs: 12, steps: 200 });
    const first = 100;
    await withClock(async (backend) => {
      const open: Backend["open"] = async (...job) => diverging(await backend.open(...job), part, first);
      const trainer = new Trainer(config, image, { ...backend, open });
      const release = trainer.retain();
      let last = 0;
      const train = async () => {
        for await (const { step } of trainer.run({ recordEvery: 1, interval: 500 })) last = step;
      };
      await assert.rejects(train(), { message: new RegExp(`^Diverged: ${what} is NaN at step 1\\d\\d\\.$`) });
      assert.ok(part === "loss" ? last === first - 1 : last > first, `the last recorded step is ${last}`);
      await trainer.revert();
      const { state } = await trainer.inspect();
      assert.ok(state.step > 0 && state.step < first, `the last finite state is that of step ${state.step}`);
      const uninterrupted = new Trainer(config, image, cpuBackend);
      await collect(uninterrupted.run({ until: state.step }));
      assert.deepEqual(state, uninterrupted.state);
      assert.ok(trainer.seconds < 0.05 * (state.step + 1), `after ${trainer.seconds} s`);
      await release();
    }, 50);
  });

  it("loads another state into the open pipeline, or into a new one if the device was lost", async () => {
    const { config, image } = scene({ pipeline: "cpu", steps: 6 });
    const uninterrupted = new Trainer(config, image, cpuBackend);
    await collect(uninterrupted.run());
    for (const isLost of [false, true]) {
      let opened = 0;
      const open: Backend["open"] = async (...job) => {
        opened++;
        const pipeline = await cpuBackend.open(...job);
        if (isLost) pipeline.load = () => Promise.reject(new DeviceLostError("The GPU was lost."));
        return pipeline;
      };
      const other = new Trainer(config, image, cpuBackend);
      await collect(other.run({ until: 3 }));
      const { state } = other;
      const trainer = new Trainer({ ...config, seed: 9 }, image, { ...cpuBackend, open });
      const release = trainer.retain();
      await collect(trainer.run({ until: 3 }));
      assert.notDeepEqual(trainer.state, state);
      await trainer.load(state);
      await collect(trainer.run());
      await release();
      assert.deepEqual(trainer.state, uninterrupted.state);
      assert.equal(opened, isLost ? 2 : 1);
    }
  });

  it("answers questions during a run and after it", async () => {
    const trainer = cpuTrainer({ steps: 4 });
    const run = trainer.run({ recordEvery: 1 });
    await run.next();
    const during = await trainer.inspect();
    assert.equal(during.state.step, trainer.step);
    await collect(run);
    const after = await trainer.inspect();
    assert.equal(after.state.step, 4);
    assert.notDeepEqual(after.gradients, during.gradients);
    const { tiles } = await trainer.inspectAll();
    assert.equal(tiles.lengths.length, tiles.across * tiles.down);
    assert.ok(tiles.lengths.some((length) => length > 0));
  });
});
