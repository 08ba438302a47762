import assert from "node:assert/strict";
import { afterAll, beforeAll, describe, it, vi } from "vitest";
import { Run } from "../../../src/components/training/run.js";
import { cpuBackendWith } from "../../../src/engine/cpu/pipeline.js";
import { CallingThread } from "../../../src/engine/cpu/taskPool.js";
import { scene } from "../../support/scenes.js";

/** Milliseconds of a step and of a render on an idle and on a busy machine. */
const idle = { differentiate: 1, draw: 2 };
const busy = { differentiate: 50, draw: 200 };

describe("a run on a machine that becomes busy", () => {
  let clock = 0;
  beforeAll(() => {
    vi.stubGlobal("document", { hidden: false });
    vi.spyOn(performance, "now").mockImplementation(() => clock);
  });
  afterAll(() => {
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  });

  it("is rendered once per second", async () => {
    const ownThread = new CallingThread();
    const renders: number[] = [];
    let costs = busy;
    let run: Run;
    const backend = cpuBackendWith({
      description: "CPU",
      async run(task, ...given) {
        clock += costs[task];
        if (task === "draw") renders.push(clock);
        // The machine is busy at the first step, then idle, and busy again once batches have many steps.
        costs = run.step > 1 && clock < 20_000 ? idle : busy;
        return ownThread.run(task, ...given);
      },
      release() {},
    });
    const { config, image } = scene({ pipeline: "cpu", blobs: 4, steps: 100_000_000 }, 8, 8);
    run = new Run(config, { image, original: image, name: "small" }, backend);
    const training = run.train();
    while (clock < 60_000) await new Promise((resolve) => setTimeout(resolve));
    run.stop();
    await training;
    const gaps = renders.slice(1).map((time, i) => time - renders[i]);
    assert.ok(Math.max(...gaps) <= 1000, `renders are up to ${Math.max(...gaps)} ms apart`);
    assert.ok(renders.length > 50, `${renders.length} renders in a minute`);
  });
});
