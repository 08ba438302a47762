import assert from "node:assert/strict";
import { setTimeout } from "node:timers/promises";
import { describe, it } from "vitest";
import { CpuPipeline, cpuBackendWith } from "../../src/engine/cpu/pipeline.js";
import { type TaskReply, TaskWorker } from "../../src/engine/cpu/taskPool.js";
import { startWorker } from "../../src/host/node/cpu.js";
import { answerRequests, type WorkerPort } from "../../src/host/workerClient.js";
import { type PoolRequest, WorkerPool } from "../../src/host/workerPool.js";
import { directScene, scene } from "../support/scenes.js";

/** A job with a dozen tasks per step. */
const job = scene({ pipeline: "cpu", blobs: 400, covarianceScale: 0.01 }, 96, 64);
const { config, image, state } = job;

const open = (pool: WorkerPool) => new CpuPipeline(config, image, structuredClone(state), pool);

/** Everything that can be read from a pipeline. */
async function everything(pipeline: CpuPipeline) {
  return {
    state: await pipeline.state(),
    gradients: await pipeline.gradients(),
    statistics: await pipeline.statistics(),
    render: await pipeline.render({ width: 50, height: 70 }),
  };
}

/** A worker in this thread. */
function playedWorker(answered: () => void = () => {}): WorkerPort {
  const worker = new TaskWorker();
  const answer = (question: PoolRequest): TaskReply | undefined => {
    answered();
    return worker.answer(question);
  };
  let send: (message: never) => void;
  const hear = answerRequests((message) => void setTimeout(0).then(() => send(message as never)), answer);
  return {
    post: (message) => void hear(message as never),
    listen: (to) => {
      send = to;
    },
    terminate() {},
  };
}

describe("a worker pool", () => {
  it("gives the same bits as one thread, for any number of workers and any batches of steps", async () => {
    const alone = new CpuPipeline(config, image, structuredClone(state));
    await alone.advance(6);
    const expected = await everything(alone);
    for (const [workers, cuts] of [
      [1, [6]],
      [3, [1, 2, 3]],
    ] as const) {
      const asked = new Map<number, number>();
      const start = () => {
        const number = asked.size;
        asked.set(number, 0);
        const port = startWorker();
        const post: WorkerPort["post"] = (message, transfer) => {
          asked.set(number, asked.get(number)! + 1);
          port.post(message, transfer);
        };
        return { ...port, post };
      };
      const pipeline = open(new WorkerPool(start, workers, 0));
      for (const steps of cuts) assert.equal(await pipeline.advance(steps), steps);
      assert.deepEqual(await everything(pipeline), expected, `${workers} workers`);
      assert.equal(asked.size, workers, "each worker was needed");
      for (const parts of asked.values()) assert.ok(parts >= 6, `a worker was asked for ${parts} parts`);
    }
  });

  it("gives the same bits as one thread for a sum of direct blobs, drawn at another size than the target", async () => {
    const direct = directScene(
      { pipeline: "cpu", blobs: 400, colorRate: 3, schedule: "cosine", finalRate: 0.1 },
      96,
      64,
    );
    const openDirect = (pool?: WorkerPool) =>
      new CpuPipeline(direct.config, direct.image, structuredClone(direct.state), pool);
    const [alone, together] = [openDirect(), openDirect(new WorkerPool(startWorker, 2, 0))];
    for (const pipeline of [alone, together]) await pipeline.advance(2);
    assert.deepEqual(await everything(together), await everything(alone));
    await together.free();
  });

  it("aborts a step between two tasks, and keeps nothing of it", async () => {
    // A step needs more than one request per worker.
    const { config, image, state } = scene({ pipeline: "cpu", blobs: 12000, covarianceScale: 0.001 }, 512, 384);
    const stop = new AbortController();
    let answered = Number.NEGATIVE_INFINITY;
    const pool = new WorkerPool(
      () =>
        playedWorker(() => {
          if (++answered === 4) stop.abort();
        }),
      2,
      0,
    );
    const pipeline = new CpuPipeline(config, image, state, pool);
    assert.equal(await pipeline.advance(1), 1);
    const before = await everything(pipeline);
    answered = 0;
    assert.equal(await pipeline.advance(1_000_000, { signal: stop.signal }), 0);
    assert.ok(answered >= 4 && answered < 8, `${answered} questions of the step were answered`);
    assert.deepEqual(await everything(pipeline), before);
  });

  it("reports a worker that dies, loses nothing, and continues with another", async () => {
    let started = 0;
    const start = () => {
      const port = startWorker();
      if (++started > 1) return port;
      const post: WorkerPort["post"] = (message, transfer) => {
        port.post(message, transfer);
        port.terminate();
      };
      return { ...port, post };
    };
    const pool = new WorkerPool(start, 2, 0);
    const pipeline = open(pool);
    await assert.rejects(pipeline.advance(1), { message: /^The engine stopped: its worker ended with .*\.$/ });
    assert.deepEqual(await pipeline.state(), state);
    assert.equal(await pipeline.advance(1), 1);
    const alone = new CpuPipeline(config, image, structuredClone(state));
    await alone.advance(1);
    assert.deepEqual(await everything(pipeline), await everything(alone));
    assert.equal(started, 3);
  });

  it("keeps nothing in its workers of a pipeline that was freed", async () => {
    const questions: PoolRequest[] = [];
    const start = () => {
      const port = playedWorker();
      const post = (message: unknown, transfer: ArrayBuffer[]) => {
        questions.push((message as { question: PoolRequest }).question);
        port.post(message, transfer);
      };
      return { ...port, post };
    };
    const pipeline = open(new WorkerPool(start, 2, 0));
    await pipeline.advance(1);
    await pipeline.render({ width: 100, height: 70 });
    await pipeline.free();
    const kernels = questions.flatMap((question) => ("kernel" in question ? [question.kernel] : []));
    const forgotten = questions.flatMap((question) => ("release" in question ? [question.release] : []));
    assert.equal(new Set(kernels).size, 2);
    assert.deepEqual(new Set(forgotten), new Set(kernels));
  });

  it("starts no worker for a step with one task", async () => {
    const small = scene({ pipeline: "cpu" });
    const pool = new WorkerPool(() => assert.fail("a worker was started"), 2);
    const pipeline = await cpuBackendWith(pool).open(small.config, small.image, small.state);
    assert.equal(pipeline.description, "CPU, 2 workers");
    assert.equal(await pipeline.advance(3), 3);
  });
});
