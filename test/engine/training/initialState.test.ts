import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { completeConfig, type TrainConfig } from "../../../src/engine/config.js";
import { CpuPipeline } from "../../../src/engine/cpu/pipeline.js";
import type { Image } from "../../../src/engine/image/image.js";
import { psnr } from "../../../src/engine/image/metrics.js";
import { parameterCount, type TrainingState } from "../../../src/engine/model/blobs.js";
import { uniformGenerator } from "../../../src/engine/random.js";
import { inactiveCenter, initialState } from "../../../src/engine/training/initialState.js";
import { testImage } from "../../support/scenes.js";

type Given = Partial<Record<keyof TrainConfig, unknown>>;

const small = testImage(12, 10);
const direct = { parameterization: "direct", blend: "sum", background: "black" };
const byGradient = { ...direct, initializer: "gradient" };

const start = (overrides: Given, image = small) => initialState(completeConfig(overrides), image);

/** Returns the centres of the blobs, in pixels. */
function centers({ parameters }: TrainingState): { x: number; y: number }[] {
  const blobs = parameters.length / parameterCount;
  return Array.from({ length: blobs }, (_, i) => ({ x: parameters[i], y: parameters[blobs + i] }));
}

const isIn = ({ width, height }: Image, { x, y }: { x: number; y: number }) =>
  x >= -0.5 && x < width - 0.5 && y >= -0.5 && y < height - 0.5;

function paint(width: number, height: number, color: (x: number, y: number) => number[]): Image {
  const data = new Uint8ClampedArray(4 * width * height);
  for (let pixel = 0; pixel < width * height; pixel++) {
    data.set([...color(pixel % width, Math.floor(pixel / width)), 255], 4 * pixel);
  }
  return { width, height, data };
}

/** Slow waves of colour, without noise. */
const smooth = paint(48, 32, (x, y) => [128 + 90 * Math.sin(x / 12), 128 + 90 * Math.cos(y / 9), 60 + 2 * (x + y)]);

/** Flat on the left, noise on the right. */
function halfNoisy(): Image {
  const random = uniformGenerator(5);
  return paint(60, 30, (x) => (x < 30 ? [90, 120, 60] : [255 * random(), 255 * random(), 255 * random()]));
}

describe("initialState(), uniform, of smoothstep blobs", () => {
  it("is the same for a random seed on every host", () => {
    const { parameters } = start({ blobs: 2, seed: 1 });
    // mulberry32(1) begins with 0.6270739405881613, 0.002735721180215478: centre x and y of the first blob.
    const [first, second] = [0.6270739405881613, 0.002735721180215478].map(
      (value) => Math.floor(value * 2 ** 24) / 2 ** 24,
    );
    assert.deepEqual([parameters[0], parameters[2]], [first, second]);
  });

  it("differs between seeds, and not between images", () => {
    assert.notDeepEqual(start({ blobs: 5, seed: 1 }), start({ blobs: 5, seed: 2 }));
    assert.deepEqual(start({ blobs: 5, seed: 1 }), start({ blobs: 5, seed: 1 }, smooth));
  });
});

describe("initialState() of direct blobs", () => {
  for (const initializer of ["uniform", "gradient"]) {
    it(`places every blob in the image, with finite parameters, depending only on the seed, ${initializer}`, () => {
      for (const blend of ["over", "sum"]) {
        const overrides = { ...direct, initializer, blend, blobs: 300 };
        for (const image of [smooth, halfNoisy(), paint(1, 1, () => [9, 9, 9])]) {
          const state = start(overrides, image);
          assert.ok(state.parameters.every(Number.isFinite));
          assert.ok(centers(state).every((center) => isIn(image, center)));
          assert.equal(state.step, 0);
          assert.ok([...state.firstMoments, ...state.secondMoments].every((moment) => moment === 0));
        }
        assert.deepEqual(start(overrides, smooth), start(overrides, smooth));
        assert.notDeepEqual(start({ ...overrides, seed: 2 }, smooth), start(overrides, smooth));
      }
    });
  }
});

describe("initialState(), by gradient", () => {
  it("places more and smaller blobs where the image has detail, and some everywhere", () => {
    const state = start({ ...byGradient, blobs: 200 }, halfNoisy());
    const found = centers(state);
    const isLeft = found.map(({ x }) => x < 29.5);
    const left = isLeft.filter(Boolean).length;
    assert.ok(left > 4 && left < 67, `${left} of 200 on the flat half`);
    const mean = (onLeft: boolean) => {
      const logs = [...state.parameters.subarray(400, 600)].filter((_, i) => isLeft[i] === onLeft);
      return logs.reduce((sum, log) => sum + log) / logs.length;
    };
    assert.ok(mean(true) > mean(false) + 0.3, `log deviations ${mean(true)} and ${mean(false)}`);
    for (const [low, high] of [
      [0, 15],
      [15, 30],
    ]) {
      const here = found.filter(({ y }, i) => isLeft[i] && y >= low - 0.5 && y < high - 0.5);
      assert.ok(here.length > 0, `rows ${low} to ${high} of the flat half`);
    }
  });

  it("gives each blob the colour of its pixel, in a sum divided by the coverage", () => {
    const image = halfNoisy();
    for (const blend of ["over", "sum"]) {
      const blobs = 500;
      const state = start({ ...byGradient, blend, blobs }, image);
      const colors = centers(state).flatMap(({ x, y }, i) => {
        const pixel = Math.round(y) * image.width + Math.round(x);
        return [0, 1, 2].map((channel) => {
          const expected = image.data[4 * pixel + channel] / 255;
          return { expected, actual: state.parameters[(5 + channel) * blobs + i] };
        });
      });
      const factor = blend === "over" ? 1 : colors[0].actual / colors[0].expected;
      assert.ok(blend === "over" || (factor > 0.05 && factor < 1), `${factor} of the colour`);
      for (const { expected, actual } of colors) assert.ok(Math.abs(actual - factor * expected) < 1e-4);
    }
  });

  it("puts neighbours in the image next to each other in memory", () => {
    const found = centers(
      start(
        { ...byGradient, blobs: 400 },
        paint(40, 40, () => [200, 100, 50]),
      ),
    );
    const steps = found.slice(1).map(({ x, y }, i) => Math.hypot(x - found[i].x, y - found[i].y));
    const mean = steps.reduce((sum, step) => sum + step) / steps.length;
    // Blobs are 2 pixels apart.
    assert.ok(mean < 4, `${mean} pixels from blob to blob`);
  });
});

describe("inactive blobs", () => {
  for (const initializer of ["uniform", "gradient"]) {
    for (const blend of ["over", "sum"]) {
      it(`are the configured fraction, and have no effect on the render, ${initializer}, blend ${blend}`, async () => {
        const config = completeConfig({ ...direct, initializer, blend, growEvery: 10, startShare: 0.4, blobs: 80 });
        const state = initialState(config, smooth);
        const found = centers(state);
        const isActive = found.map((center) => isIn(smooth, center));
        assert.equal(isActive.filter(Boolean).length, 32);
        assert.ok(found.every(({ x, y }, i) => isActive[i] || (x === inactiveCenter && y === inactiveCenter)));
        const parameters = state.parameters.filter((_, slot) => isActive[slot % 80]);
        const alone = { ...initialState({ ...config, blobs: 32 }, smooth), parameters };
        const renders = [
          await new CpuPipeline(config, smooth, state).render(smooth),
          await new CpuPipeline({ ...config, blobs: 32 }, smooth, alone).render(smooth),
        ];
        assert.deepEqual(renders[0], renders[1]);
        assert.ok(psnr(renders[0], smooth) > 3, "the others are in the image");
      });
    }
  }
});
