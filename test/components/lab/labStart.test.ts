import assert from "node:assert/strict";
import { afterAll, afterEach, beforeAll, beforeEach, describe, it, vi } from "vitest";
import { describeEngine, jobForSpeed, labStart } from "../../../src/components/lab/labStart.js";
import { readLink } from "../../../src/components/training/link.js";
import { cpuBackendWith } from "../../../src/engine/cpu/pipeline.js";
import { CallingThread } from "../../../src/engine/cpu/taskPool.js";
import type { BrowserEngine } from "../../../src/host/browser/engine.js";

describe("jobForSpeed()", () => {
  it("is larger on a faster machine, and as large as on a GPU where that is fast enough", () => {
    const sizes = [1e6, 1e7, 1.2e7, 2e7, 4e7, 1e8, 1e9].map((speed) => jobForSpeed(speed).longest);
    assert.deepEqual(sizes, [96, 96, 192, 256, 384, 512, 512]);
    assert.deepEqual(jobForSpeed(1e9).config, { preset: "quality", blobs: 8192 });
  });
});

describe("labStart()", () => {
  let clock = 0;
  let tried: string[] = [];
  let restarts = 0;
  beforeAll(() => {
    vi.spyOn(performance, "now").mockImplementation(() => clock);
  });
  beforeEach(() => {
    [tried, restarts] = [[], 0];
  });
  afterEach(() => {
    vi.unstubAllGlobals();
  });
  afterAll(() => {
    vi.restoreAllMocks();
  });

  /** Returns an engine with the given milliseconds per step of each pipeline. */
  const engineOf = (kind: BrowserEngine["kind"], stepsOf: { cpu: number; binned: number }) => {
    const ownThread = new CallingThread();
    return {
      kind,
      description: "SwiftShader",
      fallbackReason: "WebGPU is not available.",
      backend(pipeline: "cpu" | "binned") {
        tried.push(pipeline);
        return cpuBackendWith({
          description: pipeline,
          async run(task, ...given) {
            if (stepsOf[pipeline] === Number.POSITIVE_INFINITY) return new Promise<boolean>(() => {});
            clock += stepsOf[pipeline];
            return ownThread.run(task, ...given);
          },
          release() {},
        });
      },
      restart: () => restarts++,
    } as unknown as BrowserEngine;
  };
  const start = (kind: BrowserEngine["kind"], stepsOf: { cpu: number; binned: number }, query = "") => {
    const engine = engineOf(kind, stepsOf);
    return labStart(engine, readLink(query)).then((start) => ({ ...start, words: describeEngine(engine, start) }));
  };

  it("chooses a larger job on a faster machine, and describes it", async () => {
    const before = clock;
    const fast = await start("cpu", { cpu: 30, binned: 30 });
    assert.ok(clock - before <= 500, `measured for ${clock - before} ms`);
    const slow = await start("cpu", { cpu: 500, binned: 10 });
    assert.ok(fast.chosen!.longest > slow.chosen!.longest, `${fast.chosen!.longest}, ${slow.chosen!.longest}`);
    assert.match(
      fast.words,
      /WebGPU is not available\. The blobs train on the CPU\. .* page chose 8,192 blobs and an image of 512 pixels\.$/,
    );
    assert.deepEqual(tried, ["cpu", "cpu"]);
  });

  it("starts with the best preset on a GPU, without a measurement", async () => {
    const { chosen } = await start("gpu", { cpu: 30, binned: 30 });
    assert.deepEqual(chosen, { config: { preset: "quality", blobs: 8192 }, longest: 512 });
    assert.deepEqual(tried, []);
  });

  it("leaves the job to a link with settings, an image size or a run to resume", async () => {
    for (const query of ["?blobs=60", "?preset=quality", "?size=96", "?resume=1", "?pipeline=cpu"]) {
      const { chosen, config, longest } = await start("cpu", { cpu: 30, binned: 30 }, query);
      assert.deepEqual([chosen, config.blobs, longest], [undefined, 400, 96]);
    }
    assert.deepEqual(tried, []);
    assert.ok((await start("cpu", { cpu: 30, binned: 30 }, "?picture=coffee&engine=cpu")).chosen);
  });

  it("trains on whichever of software adapter and CPU engine is faster, and says so", async () => {
    // The test controls the clock, so real timeouts must not fire first.
    const { setTimeout } = globalThis;
    const later = (call: () => void, milliseconds = 0) => setTimeout(call, milliseconds && 60_000).unref();
    vi.stubGlobal("setTimeout", later);
    const onCpu = await start("software", { cpu: 40, binned: 90 });
    assert.equal(onCpu.config.pipeline, "cpu");
    assert.match(
      onCpu.words,
      /software adapter \(SwiftShader\)\. The blobs train on the CPU engine, which is faster\./,
    );
    const onAdapter = await start("software", { cpu: 90, binned: 40 }, "?blobs=60");
    assert.deepEqual([onAdapter.config.pipeline, onAdapter.chosen], ["binned", undefined]);
    assert.match(onAdapter.words, /The blobs train on it, which is faster than the CPU engine\.$/);
    assert.equal(restarts, 0);
  });

  it("gives up a software adapter that takes no step in half a second", async () => {
    const { config } = await start("software", { cpu: 90, binned: Number.POSITIVE_INFINITY });
    assert.deepEqual([config.pipeline, restarts], ["cpu", 1]);
  });
});
