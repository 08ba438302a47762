import assert from "node:assert/strict";
import { describe, it, vi } from "vitest";
import { metricsFile, optimizerFile } from "../../../src/engine/files/arrow.js";
import { readTableInThread } from "../../../src/engine/files/tables.js";
import { nodePort } from "../../../src/host/node/port.js";
import { tableReader } from "../../../src/host/node/tables.js";
import type { WorkerPort } from "../../../src/host/workerClient.js";
import { scene } from "../../support/scenes.js";

const { config, state } = scene({ blobs: 3 });
const optimizer = optimizerFile(config, state);

describe("tableReader()", () => {
  it("reads tables like this thread, in one thread for all, and transfers their bytes", async () => {
    let threads = 0;
    const read = tableReader(() => {
      threads++;
      return nodePort("host/node/tableThread");
    });
    const metrics = metricsFile(config, []);
    const given = optimizer.slice();
    assert.deepEqual(await read("optimizer", given), await readTableInThread("optimizer", optimizer));
    assert.equal(given.length, 0, "the bytes are copied");
    assert.deepEqual(await read("metrics", metrics.slice()), { config, rows: [] });
    await assert.rejects(read("optimizer", metrics), {
      message: "optimizer.arrow does not contain the number of its step.",
    });
    assert.equal(threads, 1);
  });

  it("ends a thread that takes too long, and reads the next table in another", async () => {
    vi.useFakeTimers();
    try {
      let [threads, ended] = [0, 0];
      const read = tableReader((): WorkerPort => {
        threads++;
        return { post() {}, listen() {}, terminate: () => ended++ };
      });
      const sentence = "The thread that reads tables was stopped: it did not answer within 31 seconds.";
      for (const given of [1, 2]) {
        const answer = assert.rejects(read("optimizer", optimizer), { message: sentence });
        await vi.advanceTimersByTimeAsync(31_000);
        await answer;
        assert.deepEqual([threads, ended], [given, given]);
      }
    } finally {
      vi.useRealTimers();
    }
  });
});
