import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { measure, splitSteps } from "../../../src/engine/bench/measure.js";
import { cpuBackend } from "../../../src/engine/cpu/pipeline.js";
import type { Pipeline } from "../../../src/engine/pipeline.js";
import { scene } from "../../support/scenes.js";

describe("measure()", () => {
  it("counts pairs on the pipeline's tiles, which may be larger than the configured ones", async () => {
    const { config, image } = scene({ pipeline: "cpu", blobs: 9, tile: "8x4" }, 20, 8);
    const joined = { size: [16, 8], across: 2, down: 1, lengths: Uint32Array.of(5, 3), passes: Uint32Array.of(1, 1) };
    const backend = {
      ...cpuBackend,
      open: async (...job: Parameters<typeof cpuBackend.open>) =>
        Object.assign(await cpuBackend.open(...job), { tiles: async () => joined }) as Pipeline,
    };
    const plan = { steps: 1, seconds: 1 };
    const [{ pairs, listTile }] = await measure(
      [config],
      image,
      () => backend,
      plan,
      () => {},
    );
    assert.deepEqual([pairs.listed, pairs.entries, listTile], [5 * 16 * 8 + 3 * 4 * 8, 8, [16, 8]]);
  });
});

describe("splitSteps()", () => {
  it("distributes all steps as evenly as possible", () => {
    assert.deepEqual(splitSteps(15, 5), [3, 3, 3, 3, 3]);
    assert.deepEqual(splitSteps(13, 5), [3, 3, 3, 2, 2]);
    assert.deepEqual(splitSteps(2, 2), [1, 1]);
  });
});
