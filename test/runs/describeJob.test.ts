import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { completeConfig } from "../../src/engine/config.js";
import type { Job } from "../../src/runs/job.js";
import { describeJob } from "../../src/runs/job.js";

const image = { width: 600, height: 400, data: new Uint8ClampedArray() };

describe("The outline of a run", () => {
  const job = { config: completeConfig({ blobs: 2500, steps: 4000 }), image } as Job;
  const outlines: [job: Partial<Job>, words: string][] = [
    [{}, "2,500 blobs, 4,000 steps"],
    [{ resumedFrom: { state: { step: 999 } } as Job["resumedFrom"] }, "2,500 blobs, steps 1,000 to 4,000"],
    [{ goal: { kind: "seconds", value: 60 } }, "2,500 blobs, 60 s"],
    [{ goal: { kind: "psnr", value: 38 } }, "2,500 blobs, 4,000 steps or 38 dB"],
  ];
  it("has the blobs, and the steps or what ends it", () => {
    for (const [more, words] of outlines) assert.equal(describeJob({ ...job, ...more }), `600×400 pixels, ${words}`);
  });
});
