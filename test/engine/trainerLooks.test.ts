import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { cpuBackend } from "../../src/engine/cpu/pipeline.js";
import { type Backend, DeviceLostError, type Pipeline } from "../../src/engine/pipeline.js";
import { type Snapshot, Trainer } from "../../src/engine/trainer.js";
import { scene } from "../support/scenes.js";

async function collect(run: AsyncGenerator<Snapshot>): Promise<Snapshot[]> {
  const snapshots: Snapshot[] = [];
  for await (const snapshot of run) snapshots.push(snapshot);
  return snapshots;
}

/** The CPU engine, with each pipeline changed before it is used. */
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

describe("Trainer.look()", () => {
  it("comes before a step or after its statistics, and changes nothing of them", async () => {
    const whole = await collect(new Trainer(config, image, cpuBackend).run({ recordEvery: 1 }));
    const looks: ReturnType<Trainer["look"]>[] = [];
    const backend = backendWith((pipeline) => {
      const advance = pipeline.advance.bind(pipeline);
      pipeline.advance = (...given) => {
        const advanced = advance(...given);
        // While the step is under way, before its statistics are asked for.
        if (trainer.step < config.steps - 1) looks.push(trainer.look());
        return advanced;
      };
    });
    const trainer = new Trainer(config, image, backend);
    const looked = await collect(trainer.run({ recordEvery: 1 }));
    const told = (snapshots: Snapshot[]) =>
      snapshots.map(({ step, loss, gradientNorms }) => [step, loss, gradientNorms]);
    assert.deepEqual(told(looked), told(whole));
    assert.equal(looks.length, config.steps - 1);
    await Promise.all(looks);
  });

  it("shows state, gradients, short-lists and picture of one and the same step, whatever the run does", async () => {
    const trainer = new Trainer(config, image, cpuBackend);
    const run = trainer.run({ recordEvery: 1 });
    await run.next();
    const [looked] = await Promise.all([trainer.look(), run.next()]);
    const still = new Trainer(config, image, cpuBackend, structuredClone(looked.state));
    assert.deepEqual(looked, await still.look());
    await run.return();
  });
});

describe("Trainer.run()", () => {
  it("ends and frees where it is stopped while it opens, paused", async () => {
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

  /** What a run asks of its pipeline, and when its consumer had a snapshot. */
  async function order(options: object): Promise<string[]> {
    const told: string[] = [];
    const backend = backendWith((pipeline) => {
      const advance = pipeline.advance.bind(pipeline);
      pipeline.advance = async (steps, signal, horizon) => {
        told.push("asked");
        const done = await advance(steps, signal, horizon);
        told.push("done");
        return done;
      };
    });
    const trainer = new Trainer(long, image, backend);
    for await (const { step } of trainer.run({ interval: 0, lookAt: [20], ...options })) {
      told.push(step === 20 ? "looked" : "snapshot");
      // The pipeline may go on while the consumer is busy.
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    return told;
  }

  it("asks for the next steps before those under way are done, if it is to, and for none behind a step asked for", async () => {
    const [ahead, plain] = [await order({ ahead: true }), await order({})];
    const asked = (told: string[]) => told.map((_, at) => told.slice(0, at + 1)).map(underWay);
    const underWay = (told: string[]) =>
      told.reduce((n, word) => n + Number(word === "asked") - Number(word === "done"), 0);
    assert.equal(Math.max(...asked(plain)), 1);
    assert.equal(Math.max(...asked(ahead)), 2);
    assert.equal(asked(ahead)[ahead.indexOf("looked")], 0);
  });

  it("trains to the same bits ahead, paused in between, and tells each step's own numbers", async () => {
    const whole = new Trainer(long, image, cpuBackend);
    const expected = new Map(
      (await collect(whole.run({ recordEvery: 1 }))).map((snapshot) => [snapshot.step, snapshot]),
    );
    const trainer = new Trainer(long, image, cpuBackend);
    const looks: ReturnType<Trainer["look"]>[] = [];
    let pauses = 0;
    for await (const { step, loss, gradientNorms } of trainer.run({ interval: 0, ahead: true })) {
      assert.deepEqual([loss, gradientNorms], [expected.get(step)!.loss, expected.get(step)!.gradientNorms]);
      looks.push(trainer.look());
      if (trainer.paused || ++pauses !== 3) continue;
      trainer.pause();
      setTimeout(() => trainer.resume(), 20);
    }
    assert.deepEqual(trainer.state, whole.state);
    assert.ok(pauses > 3);
    for (const looked of await Promise.all(looks)) {
      assert.equal(looked.picture.step, looked.state.step);
      const still = new Trainer(long, image, cpuBackend, structuredClone(looked.state));
      assert.deepEqual(looked, await still.look());
    }
  });

  it("takes a single step after a pause, however many were asked for ahead of it", async () => {
    let asked = 0;
    const slow = backendWith((pipeline) => {
      const advance = pipeline.advance.bind(pipeline);
      pipeline.advance = async (...steps) => {
        asked++;
        await new Promise((resolve) => setTimeout(resolve, 20));
        return advance(...steps);
      };
    });
    const trainer = new Trainer({ ...config, steps: 1000 }, image, slow);
    const run = trainer.run({ interval: 0, ahead: true });
    while (asked < 6) await run.next();
    // The steps that were asked for last are still under way.
    trainer.pause();
    const held = trainer.step;
    trainer.advance(1);
    let last = 0;
    const timeout = () => new Promise<undefined>((resolve) => setTimeout(resolve, 200, undefined));
    for (;;) {
      const told = await Promise.race([run.next(), timeout()]);
      if (!told) break;
      last = told.value!.step;
    }
    assert.deepEqual([last, trainer.step, trainer.paused], [held + 1, held + 1, true]);
    trainer.resume();
    await run.return();
  });

  it("goes on ahead where the device is lost with steps under way, to the same bits", async () => {
    const whole = new Trainer(long, image, cpuBackend);
    await collect(whole.run());
    let lives = 0;
    const backend = backendWith((pipeline) => {
      lives++;
      const advance = pipeline.advance.bind(pipeline);
      pipeline.advance = async (...steps) => {
        if (lives === 1 && pipeline.step > 10) throw new DeviceLostError("The GPU was lost.");
        return advance(...steps);
      };
    });
    const trainer = new Trainer(long, image, backend);
    const last = (await collect(trainer.run({ interval: 0, ahead: true }))).at(-1);
    assert.deepEqual([last?.step, last?.recoveries, lives], [40, 1, 2]);
    assert.deepEqual(trainer.state, whole.state);
  });
});
