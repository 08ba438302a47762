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
  ["chelsea", "stretched", 22.228854361, 0.871284358084, 0.933744137],
  ["chelsea", "shifted", 23.206251226, 0.586583721871, 0.816411208],
  ["coffee", "shifted", 19.807714804, 0.502622552373, 0.782116227],
  ["camera", "stretched", 19.557790943, 0.70220178416, 0.909686741],
];

/** Functions of the value at x in a row of values 0..1, with the names and formulas of the reference. */
const distortions = {
  faded: (row: number[], x: number) => 0.75 * row[x] + 0.25 * row[row.length - 1 - x],
  stretched: (row: number[], x: number) => 1.5 * row[x] - 0.25,
  shifted: (row: number[], x: number) => row[(x + row.length - 3) % row.length],
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

  it("distinguish values that round to the same 8 bits", () => {
    const target = testImage(161, 161);
    const render = map(toRender(target), (value) => value + 0.4 / 255);
    near(psnr(render, target), -20 * Math.log10(0.4 / 255), 1e-4);
    for (const metric of [ssim, msSsim]) assert.ok(metric(render, target) < metric(toRender(target), target));
  });

  it("are symmetric", () => {
    const [one, other] = [testImage(170, 161, 1), testImage(170, 161, 2)];
    for (const metric of [psnr, ssim, msSsim]) {
      near(metric(toRender(one), other), metric(toRender(other), one), 1e-5);
    }
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

describe("ssim()", () => {
  it("agrees with a direct computation of each window", () => {
    for (const [width, height] of [
      [11, 11],
      [11, 14],
      [26, 17],
    ]) {
      const target = testImage(width, height, 1);
      const render = toRender(testImage(width, height, 2));
      near(
        ssim(render, target),
        direct(render, target, (x, y) => directTerms(x, y).ssim),
        1e-12,
      );
    }
  });

  it("is the mean over the channels", () => {
    const target = testImage(20, 20);
    const onlyBlue = map(toRender(target), (value, channel) => (channel === 2 ? 1 - value : value));
    const grey = (from: FloatImage | Image) => ({ ...from, data: from.data.map((_, i) => from.data[(i & ~3) + 2]) });
    near(ssim(onlyBlue, target), (2 + ssim(grey(onlyBlue) as FloatImage, grey(target) as Image)) / 3, 1e-9);
  });

  it("refuses an image that is smaller than the window", () => {
    assert.equal(minSide.ssim, 11);
    const target = testImage(10, 30);
    assert.throws(() => ssim(toRender(target), target), {
      name: "RangeError",
      message: 'The image of SSIM must be at least 11x11 pixels (got "10x30").',
    });
  });
});

describe("msSsim()", () => {
  it("agrees with a direct computation of each window of each scale, for even and odd sides", () => {
    const [width, height] = [161, 164];
    const target = testImage(width, height, 1);
    const render = distorted(testImage(width, height, 2), distortions.faded);
    near(msSsim(render, target), direct(render, target, directScales), 1e-12);
  });

  it("is 1 for the target, and 0 for its negative", () => {
    const target = testImage(161, 161);
    near(msSsim(toRender(target), target), 1, 1e-12);
    const negative = map(toRender(target), (value) => 1 - value);
    assert.ok(ssim(negative, target) < 0);
    assert.equal(msSsim(negative, target), 0);
  });

  it("refuses an image with a coarsest scale smaller than the window", () => {
    assert.equal(minSide.msSsim, 161);
    const target = testImage(200, 160);
    assert.throws(() => msSsim(toRender(target), target), {
      name: "RangeError",
      message: 'The image of MS-SSIM must be at least 161x161 pixels (got "200x160").',
    });
  });
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

/** Returns the mean over the channels of a metric of two channels, for a render within 0..1. */
function direct(render: FloatImage, target: Image, metric: (x: number[][], y: number[][]) => number): number {
  const values = [0, 1, 2].map((channel) => metric(rowsOf(render, channel, 1), rowsOf(target, channel, 255)));
  return (values[0] + values[1] + values[2]) / 3;
}

/** Returns the terms by their definition: a two-dimensional window at each position, and variances around the mean. */
function directTerms(x: number[][], y: number[][]): { ssim: number; contrast: number } {
  const taps: { down: number; right: number; weight: number }[] = [];
  for (let down = 0; down < 11; down++) {
    for (let right = 0; right < 11; right++) {
      taps.push({ down, right, weight: Math.exp(-((down - 5) ** 2 + (right - 5) ** 2) / 4.5) });
    }
  }
  const total = taps.reduce((sum, { weight }) => sum + weight, 0);
  let ssim = 0;
  let contrast = 0;
  let positions = 0;
  for (let top = 0; top + 11 <= x.length; top++) {
    for (let left = 0; left + 11 <= x[0].length; left++) {
      let [meanX, meanY, varianceX, varianceY, covariance] = [0, 0, 0, 0, 0];
      for (const { down, right, weight } of taps) {
        meanX += (weight / total) * x[top + down][left + right];
        meanY += (weight / total) * y[top + down][left + right];
      }
      for (const { down, right, weight } of taps) {
        const fromX = x[top + down][left + right] - meanX;
        const fromY = y[top + down][left + right] - meanY;
        varianceX += (weight / total) * fromX * fromX;
        varianceY += (weight / total) * fromY * fromY;
        covariance += (weight / total) * fromX * fromY;
      }
      const structure = (2 * covariance + 0.0009) / (varianceX + varianceY + 0.0009);
      contrast += structure;
      ssim += (structure * (2 * meanX * meanY + 0.0001)) / (meanX ** 2 + meanY ** 2 + 0.0001);
      positions++;
    }
  }
  return { ssim: ssim / positions, contrast: contrast / positions };
}

function directScales(x: number[][], y: number[][]): number {
  let value = 1;
  for (const weight of [0.0448, 0.2856, 0.3001, 0.2363]) {
    value *= Math.max(0, directTerms(x, y).contrast) ** weight;
    x = directHalf(x);
    y = directHalf(y);
  }
  return value * Math.max(0, directTerms(x, y).ssim) ** 0.1333;
}

/** Returns means of 2×2 values, with a leading zero for an odd number. */
function directHalf(rows: number[][]): number[][] {
  const across = rows[0].length % 2 ? rows.map((row) => [0, ...row]) : rows;
  const padded = rows.length % 2 ? [across[0].map(() => 0), ...across] : across;
  const half: number[][] = [];
  for (let y = 0; y < padded.length; y += 2) {
    half.push([]);
    for (let x = 0; x < padded[0].length; x += 2) {
      half[y / 2].push((padded[y][x] + padded[y][x + 1] + padded[y + 1][x] + padded[y + 1][x + 1]) / 4);
    }
  }
  return half;
}
