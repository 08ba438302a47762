import assert from "node:assert/strict";
import { it, vi } from "vitest";
import { cpuBackendWith } from "../../../src/engine/cpu/pipeline.js";
import { CallingThread } from "../../../src/engine/cpu/taskPool.js";
import { trainingSpeed } from "../../../src/engine/training/speed.js";
import { scene } from "../../support/scenes.js";

it("trainingSpeed() counts each pixel with each blob of its tile's list, and excludes the warm-up", async () => {
  const { config, image } = scene({ pipeline: "cpu", blobs: 8, learningRate: 1e-9 }, 32, 16);
  const ownThread = new CallingThread();
  let clock = 0;
  let freed = 0;
  let steps = 0;
  const backend = cpuBackendWith({
    description: "CPU",
    async run(...given) {
      // Workers start in the first step.
      clock += steps++ === 0 ? 40 : 10;
      return ownThread.run(...given);
    },
    release: () => freed++,
  });
  const pipeline = await cpuBackendWith(ownThread).open(config, image);
  await pipeline.advance(1);
  const { mean } = (await pipeline.statistics()).tileLists;
  const now = vi.spyOn(performance, "now").mockImplementation(() => clock);
  try {
    const speed = await trainingSpeed(backend, config, image, 200);
    const evaluations = mean * 32 * 16;
    assert.ok(evaluations > 0);
    assert.ok(Math.abs(speed / (evaluations / 0.01) - 1) < 1e-6, `${speed}`);
    assert.ok(clock >= 200 && clock <= 210, `${clock} ms`);
    assert.equal(freed, 1);
  } finally {
    now.mockRestore();
  }
});
