import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { completeConfig } from "../../src/engine/config.js";
import { adviseQuickRun, costAt, describeJob, secondsPerStep, totalCost } from "../../src/runs/forecast.js";
import type { Job } from "../../src/runs/job.js";

const at = (step: number, seconds: number) => ({ step, seconds });
const image = { width: 600, height: 400, data: new Uint8ClampedArray() };

describe("The forecast of a training", () => {
  it("measures the steps after the first second, once they have taken a second", () => {
    const taken = [at(1, 5), at(2, 5.6), at(4, 6), at(9, 6.5), at(14, 7), at(24, 8)];
    const measured = taken.map((_, i) => secondsPerStep(taken.slice(0, i + 1)));
    // 10 steps from 6 s to 7 s, and 20 from 6 s to 8 s.
    assert.deepEqual(measured, [undefined, undefined, undefined, undefined, 0.1, 0.1]);
    assert.equal(secondsPerStep([]), undefined);
  });

  it("expects later steps to take longer while density control adds blobs", () => {
    const config = completeConfig({ preset: "quality", steps: 1000, growEvery: 50, growUntil: 0.5, startShare: 0.6 });
    let sum = 0;
    for (let step = 0; step < 1000; step++) sum += (costAt(config, step) + costAt(config, step + 1)) / 2;
    assert.ok(Math.abs(totalCost(config) - sum) < 1e-9);
    assert.ok(costAt(config, 0) < costAt(config, 250) && costAt(config, 250) < costAt(config, 500));
    const fixed = completeConfig({ steps: 1000 });
    assert.deepEqual([costAt(config, 500), costAt(fixed, 0), totalCost(fixed)], [1, 1, 1000]);
  });
});

describe("The estimate of a run", () => {
  const first = [at(1, 0.5), at(3, 1.5), at(5, 2.5)];
  const job = (steps: number, more: Partial<Job> = {}) => {
    return { config: completeConfig({ blobs: 40_000, steps }), image, choosesBlobs: true, ...more } as Job;
  };

  it("suggests a quick run if the first steps show that it takes more than five minutes", () => {
    assert.equal(adviseQuickRun(job(2400), first.slice(0, 2)), undefined);
    assert.equal(adviseQuickRun(job(600), first), "");
    const suggested = "Estimated time: about 20 min. For a quick run, use --seconds 60 or --longest 128.";
    assert.equal(adviseQuickRun(job(2400), first), suggested);
  });

  it("suggests fewer blobs with fewer pixels if the image does not decide on them", () => {
    const words = adviseQuickRun(job(14_400, { choosesBlobs: false, goal: { kind: "psnr", value: 38 } }), first);
    assert.equal(words, "Estimated time: about 2 h. For a quick run, use --longest 32 --blobs 114.");
  });
});

describe("The outline of a run", () => {
  const job = { config: completeConfig({ blobs: 2500, steps: 4000 }), image } as Job;
  const outlines: [job: Partial<Job>, words: string][] = [
    [{}, "2,500 blobs, 4,000 steps"],
    [{ resumedFrom: { state: { step: 999 } } as Job["resumedFrom"] }, "2,500 blobs, steps 1,000 to 4,000"],
    [{ goal: { kind: "seconds", value: 60 }, choosesBlobs: true }, "up to 2,500 blobs, 60 s"],
    [{ goal: { kind: "psnr", value: 38 } }, "2,500 blobs, 4,000 steps or 38 dB"],
  ];
  it("has the blobs, and the steps or what ends it", () => {
    for (const [more, words] of outlines) assert.equal(describeJob({ ...job, ...more }), `600×400 pixels, ${words}`);
  });
});
