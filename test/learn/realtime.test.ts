import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { it } from "vitest";
import { countEvaluatedPairs } from "../../src/components/learn/realtime/evaluatedPairs.js";
import { programs, type RealtimeResult } from "../../src/components/learn/realtime/programs.js";
import { cpuBackend } from "../../src/engine/cpu/pipeline.js";
import type { Backend } from "../../src/engine/pipeline.js";
import { costsOf, listLengths, randomBlobs, timePrograms, undoSpeedups } from "../../src/learn/realtime.js";
import { shaders } from "../support/gpu.js";
import { scene, testImage } from "../support/scenes.js";

const { jobs }: RealtimeResult = JSON.parse(readFileSync("data/bench/realtime.json", "utf8"));

it("costsOf() has a row for every program, with its speedup over the plain one and the states that it caches", () => {
  const [small, , large] = jobs.map(costsOf);
  assert.deepEqual(
    small.map(({ name }) => name),
    programs.map(({ name }) => name),
  );
  assert.equal(small[0].speedup, 1);
  assert.equal(small[0].pairs, 200 * 512 * 512);
  assert.equal(small[0].bytes, 16 * small[0].pairs);
  assert.deepEqual([small[1].bytes, small[3].bytes, small[4].bytes], [0, 0, 0]);
  assert.equal(Math.round(small[4].speedup!), 53);
  assert.deepEqual(
    large.map(({ milliseconds }) => milliseconds !== undefined),
    [false, false, true, true, true],
  );
  assert.ok(large.every(({ pairs }, k) => k === 0 || pairs <= large[k - 1].pairs));
});

it("undoSpeedups() divides the recorded time with cached states by that with the undo", () => {
  assert.deepEqual(
    undoSpeedups(jobs).map((speedup) => speedup.toFixed(2)),
    ["0.97", "1.20", "1.11"],
  );
});

it("randomBlobs() can be counted: each way to find the blobs of a pixel has fewer pairs than the one before", () => {
  const pairs = countEvaluatedPairs(...randomBlobs(60, 32, [8, 8]));
  assert.equal(pairs.all, 60 * 32 * 32);
  assert.equal(pairs.tiles, 16);
  const { all, listed, met, supported, blended } = pairs;
  assert.ok(all > listed && listed > met && met > supported && supported >= blended && blended > 0);
});

it("listLengths() has a length for every tile, and one tile for the image lists the most", () => {
  const job = { name: "noise", ...scene({ blobs: 60, tile: [8, 4], seed: 3 }, 32, 32) };
  const lengths = listLengths(job, [8, 8]);
  const [whole] = listLengths(job, [32, 32]);
  assert.equal(lengths.length, 16);
  assert.ok(Math.max(...lengths) <= whole && whole <= 60);
});

/** Returns an engine that runs all programs on the CPU, and counts those that are open. */
function watchedEngine() {
  const counts = { opened: 0, open: 0, most: 0 };
  const backend: Backend = {
    ...cpuBackend,
    async open(...job) {
      const pipeline = await cpuBackend.open(...job);
      counts.opened++;
      counts.most = Math.max(counts.most, ++counts.open);
      const free = pipeline.free.bind(pipeline);
      pipeline.free = async () => {
        counts.open--;
        await free();
      };
      return pipeline;
    },
  };
  return { counts, engine: { shaders, backend: () => backend } };
}

const job = { blobs: 8, tile: [8, 4] as [number, number], gaussiansPerBlock: 16, startStep: 3 };
const image = testImage(8, 8);
const options = { note: () => {}, show: () => {}, invalidation: new Promise(() => {}), seconds: 0.02 };

it("timePrograms() times one program after another, shows each, and frees it", async () => {
  const { counts, engine } = watchedEngine();
  const notes: string[] = [];
  let shown: { name: string; milliseconds: number }[] = [];
  const show = (times: typeof shown) => {
    shown = times;
  };
  const times = await timePrograms(engine, job, image, { ...options, note: (text) => notes.push(text), show });
  assert.deepEqual(
    times.map(({ name }) => name),
    programs.map(({ name }) => name),
  );
  assert.ok(times.every(({ milliseconds }) => milliseconds > 0));
  assert.deepEqual(shown, times);
  assert.deepEqual(counts, { opened: 6, open: 0, most: 1 });
  assert.equal(notes.at(-1), "Opening binned");
});

it("timePrograms() leaves out a program that cannot cache so many states", async () => {
  const { engine } = watchedEngine();
  const times = await timePrograms(engine, { ...job, blobs: 513, startStep: 1 }, image, { ...options, seconds: 1e-3 });
  assert.deepEqual(
    times.map(({ name }) => name),
    ["every-undo", "tiles-kept", "tiles-undo", "binned"],
  );
});

it("timePrograms() ends and frees its program when the cell is invalidated", async () => {
  const { counts, engine } = watchedEngine();
  let invalidate = () => {};
  const invalidation = new Promise<void>((resolve) => {
    invalidate = resolve;
  });
  const race = timePrograms(engine, job, image, { ...options, invalidation, show: () => invalidate() });
  await assert.rejects(race, /The race was ended/);
  assert.ok(counts.opened < 6);
  assert.equal(counts.open, 0);
});
