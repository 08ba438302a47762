import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { completeConfig, type TrainConfig } from "../../../src/engine/config.js";
import { CpuPipeline } from "../../../src/engine/cpu/pipeline.js";
import { psnr } from "../../../src/engine/image/metrics.js";
import { parameterCount } from "../../../src/engine/model/blobs.js";
import { densify, nextDensification } from "../../../src/engine/training/densification.js";
import { inactiveCenter, initialState } from "../../../src/engine/training/initialState.js";
import { testImage } from "../../support/scenes.js";

const image = testImage(40, 30);
const growing = { preset: "quality", blobs: 100, steps: 100, startShare: 0.5, growEvery: 10, growUntil: 0.5 };

function job(overrides: Partial<Record<keyof TrainConfig, unknown>> = {}, step = 10) {
  const config = completeConfig({ ...growing, ...overrides });
  return { config, state: { ...initialState(config, image), step } };
}

const draw = (config: TrainConfig, state: ReturnType<typeof initialState>) =>
  new CpuPipeline(config, image, state).render(image);

const activeBlobs = ({ parameters }: { parameters: Float32Array }) =>
  Array.from({ length: parameters.length / parameterCount }, (_, i) => i).filter(
    (i) => parameters[i] !== inactiveCenter,
  );

describe("nextDensification()", () => {
  /** Returns the steps of density control of a run. */
  function densifications(overrides: Partial<TrainConfig>, horizon: number): number[] {
    const { config } = job(overrides);
    const steps: number[] = [];
    for (
      let step = nextDensification(config, 0, horizon);
      step <= horizon;
      step = nextDensification(config, step + 1, horizon)
    ) {
      steps.push(step);
    }
    return steps;
  }

  it("runs at the interval, up to a fraction of the run, and last at that step", () => {
    assert.deepEqual(densifications({}, 100), [10, 20, 30, 40, 50]);
    assert.deepEqual(densifications({ growUntil: 0.45 }, 100), [10, 20, 30, 40, 45]);
    assert.equal(nextDensification(job({ growEvery: 0, startShare: 1 }).config, 0, 100), Number.POSITIVE_INFINITY);
  });

  it("runs at least four times, so that a short run activates all of its blobs", () => {
    assert.deepEqual(densifications({ growEvery: 250 }, 300), [38, 76, 114, 150]);
    assert.deepEqual(densifications({ growEvery: 250 }, 2), [1]);
  });
});

describe("densify()", () => {
  it("activates blobs evenly, and all of them in the last round", async () => {
    const { config, state } = job();
    const render = await draw(config, state);
    const counts = [10, 20, 30, 40, 50].map(
      (step) => activeBlobs(densify(config, { ...state, step }, render, image)).length,
    );
    assert.equal(activeBlobs(state).length, 50);
    assert.deepEqual(counts, [60, 70, 80, 90, 100]);
  });

  it("places blobs where the error is, and leaves the others unchanged", async () => {
    const { config, state } = job();
    const render = await draw(config, state);
    // All of the error is in the lower right quarter.
    for (let pixel = 0; pixel < image.width * image.height; pixel++) {
      const [x, y] = [pixel % image.width, Math.floor(pixel / image.width)];
      for (let c = 0; c < 3; c++) {
        const wrong = x >= 20 && y >= 15 ? 0.5 : 0;
        render.data[4 * pixel + c] = image.data[4 * pixel + c] / 255 + wrong;
      }
    }
    const densified = densify(config, state, render, image);
    const added = activeBlobs(densified).filter((i) => state.parameters[i] === inactiveCenter);
    assert.equal(added.length, 10);
    for (const i of added) {
      assert.ok(densified.parameters[i] > 18 && densified.parameters[100 + i] > 13, `blob ${i} lies elsewhere`);
    }
    for (const i of activeBlobs(state)) {
      for (let field = 0; field < parameterCount; field++) {
        assert.equal(densified.parameters[100 * field + i], state.parameters[100 * field + i]);
      }
    }
  });

  for (const blend of ["over", "sum"] as const) {
    it(`increases the PSNR at once, blend ${blend}`, async () => {
      const { config, state } = job({ blend });
      const render = await draw(config, state);
      const densified = densify(config, state, render, image);
      const [before, after] = [psnr(render, image), psnr(await draw(config, densified), image)];
      assert.ok(after > before, `${before} dB, then ${after} dB`);
    });
  }

  it("moves weak blobs and those outside the image, and resets only their moments", async () => {
    const { config, state } = job({ startShare: 1 });
    const set = (field: number, i: number, value: number) => {
      state.parameters[100 * field + i] = value;
    };
    set(8, 3, -12);
    set(0, 7, 400);
    state.firstMoments.fill(1);
    state.secondMoments.fill(2);
    const densified = densify(config, state, await draw(config, state), image);
    const moved = activeBlobs(state).filter((i) => densified.parameters[i] !== state.parameters[i]);
    assert.deepEqual(moved, [3, 7]);
    for (let slot = 0; slot < densified.parameters.length; slot++) {
      const isMoved = moved.includes(slot % 100);
      assert.deepEqual([densified.firstMoments[slot], densified.secondMoments[slot]], isMoved ? [0, 0] : [1, 2]);
    }
  });

  for (const [blend, what, fraction] of [
    ["over", "the target's colour", 1],
    ["sum", "half of the missing colour", 0.5],
  ] as const) {
    it(`gives a new blob ${what}, blend ${blend}`, async () => {
      const { config, state } = job({ blend });
      const render = await draw(config, state);
      const densified = densify(config, state, render, image);
      const added = activeBlobs(densified).filter((i) => state.parameters[i] === inactiveCenter);
      assert.equal(added.length, 10);
      for (const i of added) {
        const pixel = Math.round(densified.parameters[100 + i]) * image.width + Math.round(densified.parameters[i]);
        for (let c = 0; c < 3; c++) {
          const drawn = blend === "sum" ? render.data[4 * pixel + c] : 0;
          const expected = fraction * (image.data[4 * pixel + c] / 255 - drawn);
          assert.ok(Math.abs(densified.parameters[100 * (5 + c) + i] - expected) < 1e-6);
        }
      }
    });
  }

  it("is deterministic for a seed and a step, and does not change its arguments", async () => {
    const { config, state } = job();
    const render = await draw(config, state);
    const before = structuredClone(state);
    assert.deepEqual(densify(config, state, render, image), densify(config, state, render, image));
    assert.deepEqual(state, before);
    for (const other of [
      densify({ ...config, seed: 2 }, state, render, image),
      densify(config, { ...state, step: 11 }, render, image),
    ]) {
      assert.notDeepEqual(other.parameters, densify(config, state, render, image).parameters);
    }
  });
});
