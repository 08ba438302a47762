import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { Chunk } from "../../../src/engine/training/chunk.js";

/** Learns chunks of an engine that takes 1/8 ms a step, each told of so many milliseconds late. */
function chunkOf(...lateness: number[]): Chunk {
  const chunk = new Chunk(125);
  let before = 0;
  for (const late of [0, ...lateness]) {
    const done = chunk.steps(Number.POSITIVE_INFINITY);
    chunk.learn(done, done / 8 + late - before);
    before = late;
  }
  return chunk;
}
const none = (count: number) => Array.from({ length: count }, () => 0);

describe("a chunk of steps", () => {
  it("comes to half an interval of them", () => {
    const chunk = chunkOf(...none(8));
    assert.equal(chunk.steps(1e6), 500);
    assert.equal(chunk.steps(300), 300);
  });

  it("tells the engine's speed where a busy thread hears of one chunk late and of the next at once", () => {
    for (const late of [40, 62])
      assert.ok(Math.abs(chunkOf(...none(8), late, 0).stepsPerSecond / 8000 - 1) < 0.2, `${late} ms`);
  });

  it("forgets how long the kernels took to compile", () => {
    const chunk = new Chunk(125);
    chunk.learn(1, 2000);
    for (let i = 0; i < 6; i++) chunk.learn(chunk.steps(1e6), chunk.steps(1e6) / 8);
    assert.ok(chunk.stepsPerSecond > 7900);
    assert.ok(chunk.steps(1e6) > 450);
  });
});
