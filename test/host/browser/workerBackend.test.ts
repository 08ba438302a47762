import assert from "node:assert/strict";
import { afterAll, describe, it } from "vitest";
import { completeConfig } from "../../../src/engine/config.js";
import { DeviceLostError } from "../../../src/engine/pipeline.js";
import type { EngineQuestion } from "../../../src/host/browser/engineWorker.js";
import { gpuInWorker } from "../../../src/host/browser/workerBackend.js";
import { answerRequests } from "../../../src/host/workerClient.js";

const facts = { description: "A GPU", isSoftware: false, limits: {} };
const image = { width: 1, height: 1, data: new Uint8ClampedArray(4) };

/** Starts workers with these GPUs, one after the other, and lists those that were ended. */
function playWorkers(gpus: (() => unknown)[]): number[] {
  const ended: number[] = [];
  let started = 0;
  class PlayedWorker extends EventTarget {
    readonly #number = started++;
    readonly #hear = answerRequests(
      (data) => this.dispatchEvent(new MessageEvent("message", { data: structuredClone(data) })),
      (question: EngineQuestion) => {
        if (question.call === "openGpu") return gpus[this.#number]();
        return question.call === "draw" ? question.job : `job of worker ${this.#number}`;
      },
    );
    postMessage = (message: never) => void this.#hear(message);
    terminate = () => ended.push(this.#number);
  }
  Object.assign(globalThis, { Worker: PlayedWorker });
  return ended;
}

function fails(): never {
  // A field that cannot be cloned.
  throw Object.assign(new Error("The device was refused."), { cause: () => {} });
}

// The next test file may run in the same process.
afterAll(() => Reflect.deleteProperty(globalThis, "Worker"));

describe("gpuInWorker()", () => {
  it("tries another worker with each job if the GPU does not open after a restart", async () => {
    const ended = playWorkers([() => facts, fails, () => facts]);
    const gpu = await gpuInWorker(Promise.resolve(new Map()));
    gpu?.restart();
    const open = () => gpu!.backend.open(completeConfig({ pipeline: "binned" }), image);
    await assert.rejects(open(), { message: "The device was refused." });
    assert.equal((await open()).description, "job of worker 2");
    assert.deepEqual(ended, [0, 1]);
  });

  it("rejects pending jobs at a restart with DeviceLostError, and frees their pipelines without a worker", async () => {
    playWorkers([() => facts, () => new Promise(() => {}), () => facts]);
    const gpu = (await gpuInWorker(Promise.resolve(new Map())))!;
    const pipeline = await gpu.backend.open(completeConfig({ pipeline: "binned" }), image);
    gpu.restart();
    const opening = gpu.backend.open(completeConfig({ pipeline: "binned" }), image);
    gpu.restart();
    await assert.rejects(opening, DeviceLostError);
    await pipeline.free();
  });

  it("draws with all fields of a job, including the bound of custom kernels, and sizes instead of images", async () => {
    playWorkers([() => facts]);
    const { backend } = (await gpuInWorker(Promise.resolve(new Map())))!;
    const [parameters, size] = [new Float32Array(9), { width: 1, height: 1 }];
    const job = { config: completeConfig({}), parameters, renderSize: size, shaders: new Map(), maxIterations: 7 };
    assert.deepEqual(await backend.draw({ ...job, size: image }), { ...job, size });
  });
});
