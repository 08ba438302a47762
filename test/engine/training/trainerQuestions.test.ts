import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { cpuBackend } from "../../../src/engine/cpu/pipeline.js";
import { type Backend, DeviceLostError, type Pipeline } from "../../../src/engine/pipeline.js";
import type { Snapshot } from "../../../src/engine/training/snapshot.js";
import { Trainer } from "../../../src/engine/training/trainer.js";
import { scene } from "../../support/scenes.js";
import { beforeSteps } from "../../support/steps.js";

async function collect(run: AsyncGenerator<Snapshot>): Promise<Snapshot[]> {
  const snapshots: Snapshot[] = [];
  for await (const snapshot of run) snapshots.push(snapshot);
  return snapshots;
}

/** Returns the CPU engine with changed pipelines. */
function backendWith(change: (pipeline: Pipeline) => void | Promise<void>): Backend {
  return {
    ...cpuBackend,
    open: async (...job) => {
      const pipeline = await cpuBackend.open(...job);
      await change(pipeline);
      return pipeline;
    },
  };
}

const { config, image } = scene({ pipeline: "cpu", blobs: 8, steps: 6, learningRate: 0.02 }, 16, 16);

describe("Trainer.inspectAll()", () => {
  it("does not change the measurements of steps", async () => {
    const uninterrupted = await collect(new Trainer(config, image, cpuBackend).run({ recordEvery: 1 }));
    const inspections: ReturnType<Trainer["inspectAll"]>[] = [];
    const backend = backendWith((pipeline) => {
      const advance = pipeline.advance.bind(pipeline);
      pipeline.advance = (...given) => {
        const advanced = advance(...given);
        // While the step is running, before its statistics are requested.
        inspections.push(trainer.inspectAll());
        return advanced;
      };
    });
    const trainer = new Trainer(config, image, backend);
    const inspected = await collect(trainer.run({ recordEvery: 1, interval: 0 }));
    const events = (snapshots: Snapshot[]) =>
      snapshots.map(({ step, loss, gradientNorms }) => [step, loss, gradientNorms]);
    assert.deepEqual(events(inspected), events(uninterrupted));
    assert.equal(inspections.length, config.steps);
    await Promise.all(inspections);
  });

  it("returns state, gradients, tile lists and render of the same step during a run", async () => {
    const trainer = new Trainer(config, image, cpuBackend);
    const run = trainer.run({ recordEvery: 1 });
    await run.next();
    const [inspected] = await Promise.all([trainer.inspectAll(), run.next()]);
    const still = new Trainer(config, image, cpuBackend, structuredClone(inspected.state));
    assert.deepEqual(inspected, await still.inspectAll());
    await run.return();
  });
});

describe("Trainer.retain()", () => {
  it("answers questions before, during and after a run with one pipeline, and frees it at the end", async () => {
    const lives: string[] = [];
    const backend = backendWith((pipeline) => {
      lives.push("opened");
      const free = pipeline.free.bind(pipeline);
      pipeline.free = () => {
        lives.push("freed");
        return free();
      };
    });
    const trainer = new Trainer(config, image, backend);
    const ask = async () => {
      await Promise.all([trainer.render(), trainer.inspect()]);
      await collect(trainer.run({ until: trainer.step + 3 }));
      return trainer.inspectAll();
    };
    await ask();
    // Otherwise each group of questions opens a pipeline.
    assert.deepEqual(lives, ["opened", "freed", "opened", "freed", "opened", "freed"]);
    lives.length = 0;
    const release = trainer.retain();
    const inspected = await ask();
    assert.deepEqual([lives, trainer.step], [["opened"], 6]);
    await release();
    assert.deepEqual(lives, ["opened", "freed"]);
    const uninterrupted = new Trainer(config, image, cpuBackend);
    await collect(uninterrupted.run());
    assert.deepEqual(inspected, await uninterrupted.inspectAll());
  });
});

describe("Trainer.run()", () => {
  it("ends and frees the pipeline if it is stopped while it opens, paused", async () => {
    const stop = new AbortController();
    let freed = 0;
    const backend = backendWith((pipeline) => {
      const free = pipeline.free.bind(pipeline);
      pipeline.free = () => {
        freed++;
        return free();
      };
      stop.abort();
    });
    const trainer = new Trainer(config, image, backend);
    trainer.pause();
    assert.deepEqual(await collect(trainer.run({ signal: stop.signal })), []);
    assert.deepEqual([freed, trainer.step], [1, 0]);
  });

  const long = { ...config, steps: 40 };

  /** Returns the calls of a run to its pipeline, and the snapshots of its consumer, in order. */
  async function order(): Promise<string[]> {
    const events: string[] = [];
    const backend = backendWith((pipeline) => {
      const advance = pipeline.advance.bind(pipeline);
      pipeline.advance = async (...given) => {
        events.push("submitted");
        const done = await advance(...given);
        events.push("done");
        return done;
      };
    });
    const trainer = new Trainer(long, image, backend);
    for await (const { step } of trainer.run({ interval: 0, inspectAt: [20] })) {
      events.push(step === 20 ? "inspected" : "snapshot");
      // The pipeline may continue while the consumer is busy.
      await new Promise(setImmediate);
    }
    return events;
  }

  it("submits the next steps while others are running, and none after a requested step", async () => {
    const events = await order();
    const asked = (events: string[]) => events.map((_, at) => events.slice(0, at + 1)).map(underWay);
    const underWay = (events: string[]) =>
      events.reduce((n, word) => n + Number(word === "submitted") - Number(word === "done"), 0);
    assert.equal(Math.max(...asked(events)), 2);
    assert.equal(asked(events)[events.indexOf("inspected")], 0);
  });

  it("trains to the same bits ahead, with a pause, and reports each step's measurements", async () => {
    const uninterrupted = new Trainer(long, image, cpuBackend);
    const expected = new Map(
      (await collect(uninterrupted.run({ recordEvery: 1 }))).map((snapshot) => [snapshot.step, snapshot]),
    );
    const trainer = new Trainer(long, image, cpuBackend);
    const inspections: ReturnType<Trainer["inspectAll"]>[] = [];
    let pauses = 0;
    for await (const { step, loss, gradientNorms } of trainer.run({ interval: 0 })) {
      assert.deepEqual([loss, gradientNorms], [expected.get(step)!.loss, expected.get(step)!.gradientNorms]);
      inspections.push(trainer.inspectAll());
      if (trainer.paused || ++pauses !== 3) continue;
      trainer.pause();
      setImmediate(() => trainer.resume());
    }
    assert.deepEqual(trainer.state, uninterrupted.state);
    assert.ok(pauses > 3);
    for (const inspected of await Promise.all(inspections)) {
      assert.equal(inspected.render.step, inspected.state.step);
      const still = new Trainer(long, image, cpuBackend, structuredClone(inspected.state));
      assert.deepEqual(inspected, await still.inspectAll());
    }
  });

  it("reports every recorded step of a batch, with a share of its seconds", async () => {
    const expected = await collect(new Trainer(long, image, cpuBackend).run({ recordEvery: 1, interval: 0 }));
    const advances: number[] = [];
    const backend = backendWith((pipeline) => {
      const advance = pipeline.advance.bind(pipeline);
      pipeline.advance = (steps, ...given) => {
        advances.push(steps);
        return advance(steps, ...given);
      };
    });
    const bulk = await collect(
      new Trainer(long, image, backend).run({ recordEvery: 1, interval: Number.POSITIVE_INFINITY }),
    );
    assert.ok(advances.length < long.steps, `${advances}`);
    const events = ({ step, loss, gradientNorms, recorded }: Snapshot) => [step, loss, gradientNorms, recorded];
    assert.deepEqual(bulk.map(events), expected.map(events));
    assert.ok(bulk.every(({ seconds }, at) => seconds > (bulk[at - 1]?.seconds ?? 0)));
  });

  it("takes a single step after a pause, even if many were submitted before", async () => {
    let asked = 0;
    const slow = backendWith((pipeline) => {
      beforeSteps(pipeline, async () => {
        asked++;
        await new Promise(setImmediate);
      });
    });
    const trainer = new Trainer({ ...config, steps: 1000 }, image, slow);
    const run = trainer.run({ interval: 0 });
    while (asked < 6) await run.next();
    // The latest steps are still running.
    trainer.pause();
    const pausedAt = trainer.step;
    trainer.advance(1);
    let last = 0;
    while (last < pausedAt + 1) last = (await run.next()).value!.step;
    // No step follows.
    const more = run.next();
    await trainer.inspect();
    assert.deepEqual([last, trainer.step, trainer.paused], [pausedAt + 1, pausedAt + 1, true]);
    trainer.resume();
    await more;
    await run.return();
  });

  it("continues after a lost device with steps running, to the same bits", async () => {
    const uninterrupted = new Trainer(long, image, cpuBackend);
    await collect(uninterrupted.run());
    let lives = 0;
    const backend = backendWith((pipeline) => {
      lives++;
      beforeSteps(pipeline, () => {
        if (lives === 1 && pipeline.step > 10) throw new DeviceLostError("The GPU was lost.");
      });
    });
    const trainer = new Trainer(long, image, backend);
    const last = (await collect(trainer.run({ interval: 0 }))).at(-1);
    assert.deepEqual([last?.step, last?.recoveries, lives], [40, 1, 2]);
    assert.deepEqual(trainer.state, uninterrupted.state);
  });

  it("continues after a question has replaced a lost device during a pause, to the same bits", async () => {
    const uninterrupted = new Trainer(long, image, cpuBackend);
    await collect(uninterrupted.run());
    let lives = 0;
    const backend = backendWith((pipeline) => {
      if (++lives === 1) pipeline.render = () => Promise.reject(new DeviceLostError("The GPU was lost."));
    });
    const trainer = new Trainer(long, image, backend);
    const run = trainer.run({ inspectAt: [20], interval: Number.POSITIVE_INFINITY });
    await run.next();
    trainer.pause();
    const rest = collect(run);
    await trainer.inspect();
    assert.deepEqual([(await trainer.render()).step, lives], [20, 2]);
    trainer.resume();
    await rest;
    assert.deepEqual([trainer.state, lives], [uninterrupted.state, 2]);
  });
});
