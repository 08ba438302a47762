import assert from "node:assert/strict";
import { setImmediate } from "node:timers/promises";
import { describe, it, vi } from "vitest";
import { type FarmJob, type FarmResult, idOf } from "../../src/farm/farmJob.js";
import { type JobQueue, PendingJobs } from "../../src/farm/pendingJobs.js";

const jobs = [0, 1, 2].map((index) => ({ index, job: { run: `run ${index}` } as FarmJob }));

/** A queue that only records its jobs. */
class FakeQueue {
  readonly held = new Set<string>();
  end!: (id: string, result: FarmResult) => void;

  follow = async (ended: FakeQueue["end"]) => {
    this.end = ended;
  };
  put = async (put: FarmJob[]) => put.forEach((job) => void this.held.add(idOf(job)));
  withdraw = async (ids: Iterable<string>) => [...ids].forEach((id) => void this.held.delete(id));
  status = async () => ({ running: {} });

  endAll(): void {
    for (const { job } of jobs) this.end(idOf(job), { host: "a" });
  }
}

describe("PendingJobs", () => {
  it("takes no results after an error, and none after `remaining`", async () => {
    const queue = new FakeQueue();
    const taken: number[] = [];
    const pending = new PendingJobs(queue as unknown as JobQueue, async (index) => {
      taken.push(index);
      if (index === 1) throw new Error("The disk is full.");
      return true;
    });
    const { signal } = new AbortController();
    const putAll = async () => {
      await pending.put(jobs);
      queue.endAll();
    };
    await assert.rejects(pending.run(putAll, signal), /The disk is full/);
    const left = await pending.remaining();
    assert.deepEqual(
      [taken, left.map(({ index }) => index)],
      [
        [0, 1],
        [1, 2],
      ],
    );

    const other = new PendingJobs(queue as unknown as JobQueue, async (index) => taken.push(index) > 0);
    await other.run(() => other.put(jobs), AbortSignal.timeout(1));
    await other.remaining();
    queue.endAll();
    assert.equal((await other.remaining()).length, jobs.length);
    assert.deepEqual(taken, [0, 1]);
  });

  it("leaves no jobs in the queue that were added during a stop, or after the first could not be added", async () => {
    const queue = new FakeQueue();
    const stop = new AbortController();
    const stopped: PendingJobs = new PendingJobs(queue as unknown as JobQueue, async () => {
      stop.abort();
      // This comes after the withdrawal, unless that waits for it.
      await setImmediate();
      await stopped.put(jobs.slice(2));
      return true;
    });
    const putTwo = async () => {
      await stopped.put(jobs.slice(0, 2));
      queue.end(idOf(jobs[0].job), { host: "a" });
    };
    await stopped.run(putTwo, stop.signal);
    await stopped.withdraw();
    const left = await stopped.remaining();
    assert.deepEqual(
      left.map(({ index }) => index),
      [1, 2],
    );
    assert.deepEqual([...queue.held], [idOf(jobs[0].job)], "which has ended");

    const held = new FakeQueue();
    const failing = new PendingJobs(held as unknown as JobQueue, async () => true);
    const putOne = async () => {
      await failing.put(jobs.slice(0, 1));
      assert.equal(failing.isOver, false);
      throw new Error("The store is full.");
    };
    await assert.rejects(failing.run(putOne, new AbortController().signal), /The store is full/);
    assert.equal(held.held.size, 1);
    await failing.withdraw();
    assert.equal(held.held.size, 0);
  });

  it("waits for a result until it is visible, at most a minute, and stops immediately", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "setInterval", "performance"] });
    try {
      const queue = new FakeQueue();
      const visibleAt = [5000, Number.POSITIVE_INFINITY, 0];
      const seen: [index: number, value: string | undefined, second: number][] = [];
      const pending: PendingJobs = new PendingJobs(queue as unknown as JobQueue, async (index) => {
        const value = await pending.untilVisible(async () =>
          performance.now() - start >= visibleAt[index] ? "run" : undefined,
        );
        seen.push([index, value, Math.floor((performance.now() - start) / 1000)]);
        return true;
      });
      const start = performance.now();
      const over = pending.run(async () => {
        await pending.put(jobs);
        queue.endAll();
      }, new AbortController().signal);
      await vi.advanceTimersByTimeAsync(70_000);
      await over;
      assert.deepEqual(seen, [
        [0, "run", 5],
        [1, undefined, 65],
        [2, "run", 65],
      ]);

      const stop = new AbortController();
      const stopped: PendingJobs = new PendingJobs(
        queue as unknown as JobQueue,
        async () => (await stopped.untilVisible(async () => undefined)) !== undefined,
      );
      const running = stopped.run(async () => {
        await stopped.put(jobs);
        queue.endAll();
      }, stop.signal);
      await vi.advanceTimersByTimeAsync(1000);
      stop.abort();
      await running;
      await vi.advanceTimersByTimeAsync(1000);
      assert.equal((await stopped.remaining()).length, jobs.length);
    } finally {
      vi.useRealTimers();
    }
  });
});
