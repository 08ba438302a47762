import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { describe, it } from "vitest";
import type { FloatImage, Image } from "../../../src/engine/image/image.js";
import { lossOf, minSide, msSsim, psnr, ssim } from "../../../src/engine/image/metrics.js";
import { decodeImage } from "../../../src/host/node/imageFile.js";
import { testImage } from "../../support/scenes.js";

/** PSNR and SSIM from scikit-image, MS-SSIM from pytorch-msssim, by test/support/metricsReference.py. */
const recorded: [image: string, distortion: keyof typeof distortions, psnr: number, ssim: number, msSsim: number][] = [
  ["chelsea", "faded", 26.658346833, 0.930432046255, 0.91556163],
  ["camera", "stretched", 19.557790943, 0.70220178416, 0.909686741],
];

/** Functions of the value at x in a row of values 0..1, with the names and formulas of the reference. */
const distortions = {
  faded: (row: number[], x: number) => 0.75 * row[x] + 0.25 * row[row.length - 1 - x],
  stretched: (row: number[], x: number) => 1.5 * row[x] - 0.25,
};

describe("psnr(), ssim() and msSsim()", () => {
  for (const [name, distortion, expectedPsnr, expectedSsim, expectedMsSsim] of recorded) {
    it(`agree with scikit-image and pytorch-msssim on ${name}, ${distortion}`, async () => {
      const target = await decodeImage(fileURLToPath(new URL(`../../../data/images/${name}.png`, import.meta.url)));
      const render = distorted(target, distortions[distortion]);
      near(psnr(render, target), expectedPsnr, 1e-8);
      near(ssim(render, target), expectedSsim, 1e-10);
      // Wider, because the window of pytorch-msssim is in float32.
      near(msSsim(render, target), expectedMsSsim, 3e-6);
    });
  }

  it("clamp values to 0..1, and ignore the transmittance", () => {
    const target = map(testImage(161, 161), (value) => (value < 128 ? 0 : 255));
    const render = map(toRender(target), (value) => 3 * value - 1);
    assert.equal(psnr(render, target), Number.POSITIVE_INFINITY);
    assert.equal(ssim(render, target), 1);
    assert.equal(msSsim(render, target), 1);
  });

  it("are NaN if the render contains a NaN", () => {
    const target = testImage(161, 161);
    const render = toRender(target);
    render.data[4 * 80 * 161] = Number.NaN;
    for (const metric of [psnr, ssim, msSsim]) assert.ok(Number.isNaN(metric(render, target)), metric.name);
  });

  it("refuse images of different sizes, even with equal numbers of pixels", () => {
    for (const metric of [lossOf, psnr, ssim, msSsim]) {
      assert.throws(() => metric(toRender(testImage(200, 400)), testImage(400, 200)), {
        name: "RangeError",
        message: /needs two images of the same size\.$/,
      });
    }
  });
});

describe("psnr()", () => {
  it("is 20 dB if every value is wrong by a tenth", () => {
    const target = map(testImage(5, 3), () => 51);
    const render = map(toRender(target), () => 0.3);
    near(lossOf(render, target), 3 * 0.1 ** 2, 1e-7);
    near(psnr(render, target), 20, 1e-5);
  });
});

it("ssim() and msSsim() refuse an image with a coarsest scale smaller than the window", () => {
  for (const [metric, name, side] of [
    [ssim, "SSIM", minSide.ssim],
    [msSsim, "MS-SSIM", minSide.msSsim],
  ] as const) {
    const target = testImage(200, side - 1);
    assert.throws(() => metric(toRender(target), target), {
      name: "RangeError",
      message: `The image of ${name} must be at least ${side}x${side} pixels (got "200x${side - 1}").`,
    });
  }
});

it("msSsim() is 0 for the negative of the target", () => {
  const target = testImage(161, 161);
  assert.equal(
    msSsim(
      map(toRender(target), (value) => 1 - value),
      target,
    ),
    0,
  );
});

function near(value: number, expected: number, tolerance: number): void {
  assert.ok(Math.abs(value - expected) <= tolerance, `${value} is not within ${tolerance} of ${expected}`);
}

/** Returns an image as a render, with a transmittance that differs from its alpha. */
function toRender({ width, height, data }: Image): FloatImage {
  return { width, height, data: Float32Array.from(data, (byte, i) => ((i & 3) === 3 ? 0.5 : byte / 255)) };
}

/** Returns an image with its red, green and blue values replaced. */
function map<P extends FloatImage | Image>(render: P, value: (stored: number, channel: number) => number): P {
  const data = render.data.map((stored: number, i: number) => ((i & 3) === 3 ? stored : value(stored, i & 3)));
  return { ...render, data };
}

function distorted(target: Image, value: (row: number[], x: number) => number): FloatImage {
  const rows = [0, 1, 2].map((channel) => rowsOf(target, channel, 255));
  const render = toRender(target);
  for (let i = 0; i < render.data.length; i++) {
    const pixel = i >> 2;
    const row = rows[i & 3]?.[Math.floor(pixel / target.width)];
    if (row) render.data[i] = value(row, pixel % target.width);
  }
  return render;
}

function rowsOf({ width, height, data }: FloatImage | Image, channel: number, range: number): number[][] {
  return Array.from({ length: height }, (_, y) =>
    Array.from({ length: width }, (_, x) => data[4 * (y * width + x) + channel] / range),
  );
}
