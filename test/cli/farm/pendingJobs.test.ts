import assert from "node:assert/strict";
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
    await pending.begin(() => pending.put(jobs));
    queue.endAll();
    await assert.rejects(pending.ended(new AbortController().signal), /The disk is full/);
    const left = await pending.left();
    assert.deepEqual(
      [taken, left.map(({ place }) => place)],
      [
        [0, 1],
        [1, 2],
      ],
    );

    const other = new PendingJobs(queue as unknown as JobQueue, async (place) => void taken.push(place));
    await other.begin(() => other.put(jobs));
    await other.left();
    queue.endAll();
    assert.equal((await other.left()).length, jobs.length);
    assert.deepEqual(taken, [0, 1]);
  });
});
