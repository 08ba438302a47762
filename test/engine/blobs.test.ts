import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { initialState, uniformGenerator } from "../../src/engine/blobs.js";

describe("initialState()", () => {
  it("is the same for a seed on every host", () => {
    const { parameters } = initialState({ blobs: 2, seed: 1 });
    // mulberry32(1) begins with 0.6270739405881613, 0.002735721180215478: centre x and y of the first blob.
    const [first, second] = [0.6270739405881613, 0.002735721180215478].map(
      (value) => Math.floor(value * 2 ** 24) / 2 ** 24,
    );
    assert.deepEqual([parameters[0], parameters[2]], [first, second]);
  });

  it("differs between seeds", () => {
    assert.notDeepEqual(initialState({ blobs: 5, seed: 1 }).parameters, initialState({ blobs: 5, seed: 2 }).parameters);
  });

  it("gives the first blobs the same parameters whatever their number", () => {
    const few = initialState({ blobs: 3, seed: 9 }).parameters;
    const many = initialState({ blobs: 7, seed: 9 }).parameters;
    for (let field = 0; field < 9; field++)
      assert.deepEqual(many.slice(7 * field, 7 * field + 3), few.slice(3 * field, 3 * field + 3));
  });
});

describe("uniformGenerator()", () => {
  it("gives numbers that float32 holds exactly, spread evenly over 0 to 1", () => {
    const random = uniformGenerator(-7);
    const bins = new Array(10).fill(0);
    for (let i = 0; i < 100_000; i++) {
      const value = random();
      assert.equal(Math.fround(value), value);
      bins[Math.floor(10 * value)]++;
    }
    for (const count of bins) assert.ok(Math.abs(count - 10_000) < 500, String(bins));
  });
});
