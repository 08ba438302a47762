import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parameterCount } from "../../src/engine/blobs.js";
import { completeConfig, type TrainConfig } from "../../src/engine/config.js";
import { CpuPipeline } from "../../src/engine/cpu/pipeline.js";
import { grow, growsAfter } from "../../src/engine/growth.js";
import { initialState, waitingCenter } from "../../src/engine/initialState.js";
import { psnr } from "../../src/engine/metrics.js";
import { testImage } from "../support/scenes.js";

const image = testImage(40, 30);
const growing = { preset: "quality", blobs: 100, steps: 100, startShare: 0.5, growEvery: 10, growUntil: 0.5 };

function job(given: Partial<Record<keyof TrainConfig, unknown>> = {}, step = 10) {
  const config = completeConfig({ ...growing, ...given });
  return { config, state: { ...initialState(config, image), step } };
}

const draw = (config: TrainConfig, state: ReturnType<typeof initialState>) =>
  new CpuPipeline(config, image, state).render(image);

const present = ({ parameters }: { parameters: Float32Array }) =>
  Array.from({ length: parameters.length / parameterCount }, (_, i) => i).filter(
    (i) => parameters[i] !== waitingCenter,
  );

describe("growsAfter()", () => {
  it("says so every so many steps, up to a share of the run", () => {
    const { config } = job();
    const steps = Array.from({ length: 101 }, (_, step) => step).filter((t) => t > 0 && growsAfter(config, t, 100));
    assert.deepEqual(steps, [10, 20, 30, 40]);
    assert.deepEqual(
      steps.filter((t) => growsAfter({ ...config, growEvery: 0 }, t, 100)),
      [],
    );
  });
});

describe("grow()", () => {
  it("adds blobs evenly, so that all are there after the last growth", async () => {
    const { config, state } = job();
    const picture = await draw(config, state);
    const counts = [10, 20, 30, 40].map((step) => present(grow(config, { ...state, step }, picture, image)).length);
    assert.equal(present(state).length, 50);
    assert.deepEqual(counts, [63, 75, 88, 100]);
  });

  it("adds no more where the schedule's end is further away than the config says", async () => {
    const { config, state } = job();
    const picture = await draw(config, state);
    assert.equal(present(grow(config, state, picture, image, 200)).length, 56);
  });

  it("places them where the error is, and leaves the others as they are", async () => {
    const { config, state } = job();
    const picture = await draw(config, state);
    // All of the error in the right lower quarter.
    for (let pixel = 0; pixel < image.width * image.height; pixel++) {
      const [x, y] = [pixel % image.width, Math.floor(pixel / image.width)];
      for (let c = 0; c < 3; c++) {
        const wrong = x >= 20 && y >= 15 ? 0.5 : 0;
        picture.data[4 * pixel + c] = image.data[4 * pixel + c] / 255 + wrong;
      }
    }
    const grown = grow(config, state, picture, image);
    const added = present(grown).filter((i) => state.parameters[i] === waitingCenter);
    assert.equal(added.length, 13);
    for (const i of added) {
      assert.ok(grown.parameters[i] > 18 && grown.parameters[100 + i] > 13, `blob ${i} lies elsewhere`);
    }
    for (const i of present(state)) {
      for (let field = 0; field < parameterCount; field++) {
        assert.equal(grown.parameters[100 * field + i], state.parameters[100 * field + i]);
      }
    }
  });

  for (const blend of ["over", "sum"] as const) {
    it(`brings the picture nearer to its target at once, blend ${blend}`, async () => {
      const { config, state } = job({ blend });
      const picture = await draw(config, state);
      const grown = grow(config, state, picture, image);
      const [before, after] = [psnr(picture, image), psnr(await draw(config, grown), image)];
      assert.ok(after > before, `${before} dB, then ${after} dB`);
    });
  }

  it("moves blobs that hardly show, and those outside the picture, and forgets their moments alone", async () => {
    const { config, state } = job({ startShare: 1 });
    const set = (field: number, i: number, value: number) => {
      state.parameters[100 * field + i] = value;
    };
    set(8, 3, -12);
    set(0, 7, 400);
    state.firstMoments.fill(1);
    state.secondMoments.fill(2);
    const grown = grow(config, state, await draw(config, state), image);
    const moved = present(state).filter((i) => grown.parameters[i] !== state.parameters[i]);
    assert.deepEqual(moved, [3, 7]);
    for (let slot = 0; slot < grown.parameters.length; slot++) {
      const isMoved = moved.includes(slot % 100);
      assert.deepEqual([grown.firstMoments[slot], grown.secondMoments[slot]], isMoved ? [0, 0] : [1, 2]);
    }
  });

  it("comes to the same for a seed and a step, and leaves the state that it is given alone", async () => {
    const { config, state } = job();
    const picture = await draw(config, state);
    const before = structuredClone(state);
    assert.deepEqual(grow(config, state, picture, image), grow(config, state, picture, image));
    assert.deepEqual(state, before);
    const other = grow({ ...config, seed: 2 }, state, picture, image);
    assert.notDeepEqual(other, grow(config, state, picture, image));
  });
});
