import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { cpuBackend } from "../../src/engine/cpu/pipeline.js";
import type { Backend, Pipeline } from "../../src/engine/pipeline.js";
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
});
