import assert from "node:assert/strict";
import { setTimeout as wait } from "node:timers/promises";
import { describe, it } from "vitest";
import { type FarmJob, type FarmResult, idOf } from "../../../src/cli/farm/farmJob.js";
import { PendingJobs } from "../../../src/cli/farm/pendingJobs.js";
import type { JobQueue } from "../../../src/cli/farm/queue.js";

const jobs = [0, 1, 2].map((place) => ({ place, job: { run: `run ${place}` } as FarmJob }));

/** A queue that does nothing but to remember what is in it. */
class FakeQueue {
  readonly held = new Set<string>();
  end!: (id: string, result: FarmResult) => void;

  follow = async (ended: FakeQueue["end"]) => {
    this.end = ended;
  };
  put = async (put: FarmJob[]) => put.forEach((job) => void this.held.add(idOf(job)));
  takeBack = async (ids: Iterable<string>) => [...ids].forEach((id) => void this.held.delete(id));
  running = async () => ({});

  endAll(): void {
    for (const { job } of jobs) this.end(idOf(job), { host: "a" });
  }
}

describe("PendingJobs", () => {
  it("takes nothing after what could not be taken, and nothing once it was asked what is left", async () => {
    const queue = new FakeQueue();
    const taken: number[] = [];
    const pending = new PendingJobs(queue as unknown as JobQueue, async (place) => {
      taken.push(place);
      if (place === 1) throw new Error("The disk is full.");
    });
    const { signal } = new AbortController();
    const putAll = async () => {
      await pending.put(jobs);
      queue.endAll();
    };
    await assert.rejects(pending.run(putAll, signal), /The disk is full/);
    const left = await pending.left();
    assert.deepEqual(
      [taken, left.map(({ place }) => place)],
      [
        [0, 1],
        [1, 2],
      ],
    );

    const other = new PendingJobs(queue as unknown as JobQueue, async (place) => void taken.push(place));
    await other.run(() => other.put(jobs), AbortSignal.timeout(1));
    await other.left();
    queue.endAll();
    assert.equal((await other.left()).length, jobs.length);
    assert.deepEqual(taken, [0, 1]);
  });

  it("leaves nothing in the queue that is put while it is stopped, or when the first could not be put", async () => {
    const queue = new FakeQueue();
    const stop = new AbortController();
    const stopped: PendingJobs = new PendingJobs(queue as unknown as JobQueue, async () => {
      stop.abort();
      // After what is left was taken back, unless that waits for it.
      await wait(10);
      await stopped.put(jobs.slice(2));
    });
    const putTwo = async () => {
      await stopped.put(jobs.slice(0, 2));
      queue.end(idOf(jobs[0].job), { host: "a" });
    };
    await stopped.run(putTwo, stop.signal);
    await stopped.takeBack();
    const left = await stopped.left();
    assert.deepEqual(
      left.map(({ place }) => place),
      [1, 2],
    );
    assert.deepEqual([...queue.held], [idOf(jobs[0].job)], "which is one that has ended");

    const held = new FakeQueue();
    const failing = new PendingJobs(held as unknown as JobQueue, async () => {});
    const putOne = async () => {
      await failing.put(jobs.slice(0, 1));
      assert.equal(failing.isOver, false);
      throw new Error("The store is full.");
    };
    await assert.rejects(failing.run(putOne, AbortSignal.timeout(1000)), /The store is full/);
    assert.equal(held.held.size, 1);
    await failing.takeBack();
    assert.equal(held.held.size, 0);
  });

  it("hears a stop while the first are put", async () => {
    const queue = new FakeQueue();
    const stop = new AbortController();
    const pending = new PendingJobs(queue as unknown as JobQueue, async () => {});
    await pending.run(async () => {
      stop.abort();
      assert.ok(pending.isOver);
      await pending.put(jobs);
    }, stop.signal);
    assert.deepEqual([queue.held.size, (await pending.left()).length], [0, jobs.length]);
  });
});
