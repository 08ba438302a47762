import assert from "node:assert/strict";
import { describe, it, vi } from "vitest";
import { ConfigError } from "../../src/engine/config.js";
import { DeviceLostError } from "../../src/engine/pipeline.js";
import { ShaderError } from "../../src/engine/shaders.js";
import { answerRequests, WorkerClient, type WorkerPort } from "../../src/host/workerClient.js";

/** A worker in this thread that records calls. Without `answer` it ignores messages. */
function playedWorker(answer?: Parameters<typeof answerRequests<string, unknown>>[1]) {
  const calls: string[] = [];
  let hear: (message: never) => void = () => {};
  let end: (reason: string) => void = () => {};
  const heard = answer && answerRequests((message) => hear(structuredClone(message) as never), answer);
  const port: WorkerPort = {
    // As between threads, the class of an error is lost.
    post: (message) => void heard?.(structuredClone(message) as never),
    listen(toHear, toEnd) {
      hear = toHear;
      end = toEnd;
    },
    terminate: () => calls.push("terminate"),
    keepAlive: (awaited) => calls.push(awaited ? "awaited" : "idle"),
  };
  return { worker: new WorkerClient<string, unknown>(port), calls, end: (reason: string) => end(reason) };
}

describe("WorkerClient", () => {
  it("resolves each question with its answer, or rejects with its error", async () => {
    const { worker } = playedWorker(async (question) => {
      if (question === "bad") throw new Error("This is bad.");
      return `${question}!`;
    });
    const answers = await Promise.allSettled(["a", "bad", "b"].map((question) => worker.ask(question)));
    assert.deepEqual(
      answers.map((answer) => (answer.status === "fulfilled" ? answer.value : answer.reason.message)),
      ["a!", "This is bad.", "b!"],
    );
  });

  it("ends a worker that takes too long for the size of a file, and none that answers", async () => {
    vi.useFakeTimers();
    try {
      const { worker, calls } = playedWorker();
      const answer = worker.askWithTimeout(2e6, "a file").catch(({ message }: Error) => message);
      await vi.advanceTimersByTimeAsync(31_999);
      assert.ok(!worker.ended);
      await vi.advanceTimersByTimeAsync(1);
      assert.equal(await answer, "The engine was stopped: it did not answer within 32 seconds.");
      assert.ok(calls.includes("terminate") && worker.ended);
      const quick = playedWorker(async (question) => question).worker;
      assert.equal(await quick.askWithTimeout(0, "a file"), "a file");
      await vi.advanceTimersByTimeAsync(60_000);
      assert.ok(!quick.ended);
    } finally {
      vi.useRealTimers();
    }
  });

  it("rejects with an error of the same class and fields", async () => {
    const message = { file: "a.wgsl", line: 3, column: 1, type: "error", text: "no such thing" } as const;
    const errors: Record<string, Error> = {
      config: new ConfigError("tile", "0x0", "at least 1x1"),
      shader: new ShaderError([message]),
      lost: new DeviceLostError("The GPU was lost."),
    };
    const { worker } = playedWorker((question) => {
      throw errors[question];
    });
    for (const [question, error] of Object.entries(errors)) {
      const rejection = await worker.ask(question).catch((rejection: Error) => rejection);
      assert.deepEqual(rejection, error);
      assert.equal((rejection as Error).constructor, error.constructor);
    }
  });

  it("forwards a signal, whether it aborts before or after the question", async () => {
    const { worker } = playedWorker((_, signal) => {
      if (signal.aborted) return "aborted";
      return new Promise((resolve) => signal.addEventListener("abort", () => resolve("aborted")));
    });
    const controller = new AbortController();
    const answer = worker.ask("a", [], controller.signal);
    controller.abort();
    assert.equal(await answer, "aborted");
    assert.equal(await worker.ask("b", [], controller.signal), "aborted");
  });

  it("rejects pending and later questions when the worker ends", async () => {
    const { worker, end } = playedWorker();
    const waiting = [worker.ask("a"), worker.ask("b")];
    end("it was killed");
    const message = "The engine stopped: it was killed.";
    for (const answer of waiting) await assert.rejects(answer, { message });
    await assert.rejects(worker.ask("c"), { message });
    assert.ok(worker.ended);
  });
});
