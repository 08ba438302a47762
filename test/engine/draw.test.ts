import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { cpuBackend } from "../../src/engine/cpu/pipeline.js";
import { drawBlobs } from "../../src/engine/draw.js";
import { type Backend, DeviceLostError } from "../../src/engine/pipeline.js";
import { scene } from "../support/scenes.js";

const { config, image, state } = scene({ pipeline: "cpu", blobs: 20 });
const job = { config, size: image, parameters: state.parameters, renderSize: { width: 30, height: 12 } };

/** The CPU engine, which loses its device the first few times. */
function losing(times: number): Backend {
  let remaining = times;
  return {
    ...cpuBackend,
    draw: async (job) => {
      if (remaining-- > 0) throw new DeviceLostError("The GPU was lost.");
      return cpuBackend.draw(job);
    },
  };
}

describe("drawBlobs()", () => {
  it("renders the bits of the CPU pipeline", async () => {
    const pipeline = await cpuBackend.open(config, image, state);
    const { data } = await pipeline.render(job.renderSize);
    assert.ok(data.some((value) => value > 0));
    assert.deepEqual((await drawBlobs(cpuBackend, job)).data, data);
  });

  it("draws again after a lost device, and fails after several losses in a row", async () => {
    assert.deepEqual(await drawBlobs(losing(3), job), await drawBlobs(cpuBackend, job));
    await assert.rejects(drawBlobs(losing(4), job), DeviceLostError);
  });

  it("refuses more blobs than the engine holds", async () => {
    await assert.rejects(
      drawBlobs(cpuBackend, { ...job, config: { ...config, blobs: 3_000_000 } }),
      /at most 2,000,000/,
    );
  });
});
