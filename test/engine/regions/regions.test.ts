import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { completeConfig, type TrainConfig } from "../../../src/engine/config.js";
import { cpuBackend } from "../../../src/engine/cpu/pipeline.js";
import type { FloatImage, Image } from "../../../src/engine/image/image.js";
import { lossOf } from "../../../src/engine/image/metrics.js";
import { parameterCount, stateOf } from "../../../src/engine/model/blobs.js";
import type { Backend } from "../../../src/engine/pipeline.js";
import { uniformGenerator } from "../../../src/engine/random.js";
import {
  BlobIndex,
  centersIn,
  confineBlobs,
  isWithin,
  joinBlobs,
  ownedBounds,
  supports,
} from "../../../src/engine/regions/blobs.js";
import { drawCrop } from "../../../src/engine/regions/draw.js";
import { fitTask, regionConfig, windowConfig } from "../../../src/engine/regions/fit.js";
import { planRegions, type Rect } from "../../../src/engine/regions/plan.js";
import { inactiveCenter, initialState } from "../../../src/engine/training/initialState.js";
import { Trainer } from "../../../src/engine/training/trainer.js";

const backend = cpuBackend;

/** Returns an image of waves and an edge. */
function waves(width: number, height: number): Image {
  const data = new Uint8ClampedArray(4 * width * height).fill(255);
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at += 4) {
      data[at] = 128 + 100 * Math.sin(x / 5 + y / 17);
      data[at + 1] = 128 + 100 * Math.cos(x / 13 - y / 6);
      data[at + 2] = 3 * x + y > 2 * width ? 220 : 40;
    }
  }
  return { width, height, data };
}

function partOf(image: Image, { x, y, width, height }: Rect): Image {
  const data = new Uint8ClampedArray(4 * width * height);
  for (let row = 0; row < height; row++) {
    const start = 4 * ((y + row) * image.width + x);
    data.set(image.data.subarray(start, start + 4 * width), 4 * row * width);
  }
  return { width, height, data };
}

describe("planRegions()", () => {
  it("puts each pixel into one region, none larger than a side", () => {
    for (const [width, height, side] of [
      [1000, 700, 256],
      [257, 256, 256],
      [100, 90, 256],
    ]) {
      const all = planRegions({ width, height }, side).regions.map(({ own }) => own);
      assert.equal(
        all.reduce((sum, own) => sum + own.width * own.height, 0),
        width * height,
      );
      const isInside = ({ x, y, width: across, height: down }: Rect) =>
        x >= 0 && y >= 0 && x + across <= width && y + down <= height && across <= side && down <= side;
      assert.ok(all.every(isInside));
      const areMeeting = (a: Rect, b: Rect) =>
        a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
      for (const [i, rect] of all.entries()) assert.ok(!all.some((other, j) => j > i && areMeeting(rect, other)));
    }
  });
});

/** Returns random blobs in and around an image. */
function scattered(config: TrainConfig, { width, height }: Image): Float32Array {
  const random = uniformGenerator(7);
  const { blobs } = config;
  const parameters = new Float32Array(parameterCount * blobs);
  for (let i = 0; i < blobs; i++) {
    const values = [(random() * 1.4 - 0.2) * width, (random() * 1.4 - 0.2) * height, 3 * random(), 3 * random()];
    const rest = [random() - 0.5, random(), random(), random(), random()];
    for (const [field, value] of [...values, ...rest].entries()) parameters[field * blobs + i] = value;
  }
  return parameters;
}

describe("blobs of regions", () => {
  const image = waves(130, 90);
  const direct = completeConfig({ preset: "quality", blobs: 200, pipeline: "cpu" });

  it("are owned by one region each, even outside the image", () => {
    const parameters = scattered(direct, image);
    const { regions } = planRegions(image, 64);
    const owners = regions.map(({ own }) => centersIn(parameters, ownedBounds(own, image)));
    for (let i = 0; i < direct.blobs; i++) assert.equal(owners.filter((isOwn) => isOwn[i]).length, 1, `blob ${i}`);
  });

  it("are confined to a box, except for inactive ones", () => {
    const parameters = scattered(direct, image);
    parameters[0] = parameters[direct.blobs] = inactiveCenter;
    const before = parameters.slice();
    const box = { left: 20, top: Number.NEGATIVE_INFINITY, right: 100, bottom: 60 };
    const supportsBefore = [...supports(direct, image, before)];
    confineBlobs(direct, image, parameters, box);
    for (const [i, support] of [...supports(direct, image, parameters)].entries()) {
      if (i === 0) assert.equal(parameters[0], inactiveCenter);
      else assert.ok(isWithin(support, { ...box, left: 19.99, right: 100.01, bottom: 60.01 }), `blob ${i}`);
      if (isWithin(supportsBefore[i], box)) assert.deepEqual(support, supportsBefore[i]);
    }
  });

  it("that extend beyond a window keep their bits, and the others learn", async () => {
    const parameters = scattered(direct, image);
    const window = { x: 40, y: 0, width: 60, height: 90 };
    const config = { ...windowConfig(direct, direct.blobs), steps: 12 };
    const open = ownedBounds(window, image);
    let opened = 0;
    const counting: Backend["open"] = (...job) => {
      opened++;
      return backend.open(...job);
    };
    const crop = partOf(image, window);
    const { parameters: learned } = await fitTask(config, { window }, image, crop, parameters, {
      backend: { ...backend, open: counting },
    });
    assert.equal(opened, 1, "the pipeline is opened once");
    let moved = 0;
    for (const [i, support] of [...supports(direct, image, parameters)].entries()) {
      const same = Array.from({ length: parameterCount }, (_, f) => f * direct.blobs + i).every((slot) =>
        Object.is(learned[slot], parameters[slot]),
      );
      if (!isWithin(support, open)) assert.ok(same, `blob ${i} moved`);
      else if (!same) moved++;
    }
    assert.ok(moved > 10, `${moved} blobs learned`);
  });
});

const drawn: [what: string, config: Partial<TrainConfig>][] = [
  ["of the quality preset", { preset: "quality" }],
  ["of a sum of smoothstep blobs over white", { blend: "sum", background: "white" }],
];

describe("drawCrop()", () => {
  for (const [what, given] of drawn) {
    const image = waves(60, 44);
    const config = completeConfig({ ...given, blobs: 120, pipeline: "cpu" });
    const { parameters } = initialState({ ...config, startShare: 1 }, image);
    const blobs = new BlobIndex(config, image, [parameters]);
    const whole = (width: number, height: number) =>
      new Trainer(config, image, backend, stateOf(parameters)).render({ width, height });

    it(`renders a crop of the image, also larger, smaller, and with another aspect ratio, ${what}`, async () => {
      const part = { x: 13, y: 9, width: 31, height: 17 };
      differLittle(await drawCrop(backend, blobs, part, part), await whole(60, 44), 13, 9);
      const crop = { x: 12, y: 8, width: 30, height: 20 };
      differLittle(await drawCrop(backend, blobs, crop, { width: 90, height: 60 }), await whole(180, 132), 36, 24);
      differLittle(await drawCrop(backend, blobs, crop, { width: 15, height: 10 }), await whole(30, 22), 6, 4);
      // The render is twice as wide as high, and the crop is not.
      const wide = { x: 12, y: 8, width: 32, height: 20 };
      differLittle(await drawCrop(backend, blobs, wide, { width: 64, height: 32 }), await whole(120, 88), 24, 20);
    });
  }
});

/** Asserts that a crop equals the whole from (x, y) on, within 1e-3 in all but few values. */
function differLittle(crop: FloatImage, whole: FloatImage, x: number, y: number): void {
  let far = 0;
  for (let row = 0; row < crop.height; row++) {
    for (let i = 0; i < 4 * crop.width; i++) {
      if (i % 4 === 3) continue;
      const difference = crop.data[4 * row * crop.width + i] - whole.data[4 * ((row + y) * whole.width + x) + i];
      assert.ok(Math.abs(difference) < 5e-3, `${difference} in row ${row} at ${i}`);
      if (Math.abs(difference) > 1e-3) far++;
    }
  }
  assert.ok(far <= crop.data.length / 1000, `${far} values differ by more than 1e-3`);
}

describe("an image that is fitted in regions", () => {
  const image = waves(80, 40);
  const config = completeConfig({ preset: "quality", blobs: 100, steps: 80, pipeline: "cpu" });
  const plan = planRegions(image, 40);

  it("has as little error near its seams as elsewhere, and about the error of a fit as a whole", async () => {
    const trainer = new Trainer(config, image, backend);
    for await (const _ of trainer.run());
    const whole = await survey(trainer.state.parameters);
    const learning = { backend };
    const regions: Float32Array[] = [];
    for (const region of plan.regions) {
      const own = regionConfig(config, region, config.blobs / plan.regions.length);
      const crop = partOf(image, region.learned);
      regions.push((await fitTask(own, { region }, image, crop, undefined, learning)).parameters);
    }
    let parameters = joinBlobs(regions);
    const merged = await survey(parameters);
    const blobs = parameters.length / parameterCount;
    for (const window of plan.windows) {
      const crop = partOf(image, window);
      ({ parameters } = await fitTask(windowConfig(config, blobs), { window }, image, crop, parameters, learning));
    }
    const learned = await survey(parameters);
    assert.ok(Math.abs(blobs / config.blobs - 1) < 0.15, `${blobs} blobs`);
    const ratio = ({ near, elsewhere }: typeof whole) => near / elsewhere;
    const losses = [whole, merged, learned].map((one) => `${one.loss} (${ratio(one)})`).join(", ");
    assert.ok(ratio(merged) > 1.5 * ratio(whole), `without windows the seams would show: ${losses}`);
    assert.ok(ratio(learned) < 1.1 * ratio(whole), losses);
    assert.ok(learned.loss < 1.15 * whole.loss, losses);
  });

  /** Returns the loss of the image, of the pixels within 8 pixels of the seam, and of the others. */
  async function survey(parameters: Float32Array) {
    const blobs = new BlobIndex(config, image, [parameters]);
    const errorIn = async (x: number, width: number) => {
      const rect = { x, y: 0, width, height: image.height };
      return width * lossOf(await drawCrop(backend, blobs, rect, rect), partOf(image, rect));
    };
    const [left, near, right] = [await errorIn(0, 32), await errorIn(32, 16), await errorIn(48, 32)];
    return { loss: (left + near + right) / 80, near: near / 16, elsewhere: (left + right) / 64 };
  }
});
