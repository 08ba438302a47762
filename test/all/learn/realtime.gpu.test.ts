import assert from "node:assert/strict";
import { programs } from "../../../src/components/learn/realtime/programs.js";
import { gpuBackend } from "../../../src/engine/gpu/backend.js";
import { timePrograms } from "../../../src/learn/realtime.js";
import { it } from "../../support/gpu.js";
import { testImage } from "../../support/scenes.js";

it("the programs of the chapter are timed on a GPU", async ({ gpu }) => {
  const job = { blobs: 8, tile: [8, 4] as [number, number], gaussiansPerBlock: 16, startStep: 2 };
  const engine = { shaders: gpu.shaders, backend: () => gpuBackend(gpu, async () => undefined) };
  const invalidation = new Promise(() => {});
  const options = { note: () => {}, show: () => {}, invalidation, seconds: 0.05 };
  const times = await timePrograms(engine, job, testImage(8, 8), options);
  assert.deepEqual(
    times.map(({ name }) => name),
    programs.map(({ name }) => name),
  );
  assert.ok(times.every(({ milliseconds }) => milliseconds > 0));
});
