import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { describe, it } from "vitest";
import type { FloatImage, Image } from "../../../src/engine/image/image.js";
import { lossOf, minSide, msSsim, psnr, ssim } from "../../../src/engine/image/metrics.js";
import { decodeImage } from "../../../src/host/node/imageFile.js";
import { testImage } from "../../support/scenes.js";

/** PSNR and SSIM from scikit-image, MS-SSIM from pytorch-msssim: what test/support/metricsReference.py prints. */
const recorded: [image: string, distortion: keyof typeof distortions, psnr: number, ssim: number, msSsim: number][] = [
  ["chelsea", "faded", 26.658346833, 0.930432046255, 0.91556163],
  ["chelsea", "stretched", 22.228854361, 0.871284358084, 0.933744137],
  ["chelsea", "shifted", 23.206251226, 0.586583721871, 0.816411208],
  ["coffee", "shifted", 19.807714804, 0.502622552373, 0.782116227],
  ["camera", "stretched", 19.557790943, 0.70220178416, 0.909686741],
];

/** What each does to the value at x of a row of values 0..1; the names and formulas are those of the reference. */
const distortions = {
  faded: (row: number[], x: number) => 0.75 * row[x] + 0.25 * row[row.length - 1 - x],
  stretched: (row: number[], x: number) => 1.5 * row[x] - 0.25,
  shifted: (row: number[], x: number) => row[(x + row.length - 3) % row.length],
};

describe("psnr(), ssim() and msSsim()", () => {
  for (const [name, distortion, psnrThere, ssimThere, msSsimThere] of recorded) {
    it(`agree with scikit-image and pytorch-msssim on the picture ${name}, ${distortion}`, async () => {
      const target = await decodeImage(fileURLToPath(new URL(`../../../data/images/${name}.png`, import.meta.url)));
      const picture = distorted(target, distortions[distortion]);
      near(psnr(picture, target), psnrThere, 1e-8);
      near(ssim(picture, target), ssimThere, 1e-10);
      // Wider, because pytorch-msssim keeps its window in float32.
      near(msSsim(picture, target), msSsimThere, 3e-6);
    });
  }

  it("take values outside 0..1 for the nearest inside, and do not look at the transmittance", () => {
    const target = map(testImage(161, 161), (value) => (value < 128 ? 0 : 255));
    const picture = map(asPicture(target), (value) => 3 * value - 1);
    assert.equal(psnr(picture, target), Number.POSITIVE_INFINITY);
    assert.equal(ssim(picture, target), 1);
    assert.equal(msSsim(picture, target), 1);
  });

  it("tell values apart that round to the same 8 bits", () => {
    const target = testImage(161, 161);
    const picture = map(asPicture(target), (value) => value + 0.4 / 255);
    near(psnr(picture, target), -20 * Math.log10(0.4 / 255), 1e-4);
    for (const metric of [ssim, msSsim]) assert.ok(metric(picture, target) < metric(asPicture(target), target));
  });

  it("do not depend on which of two pictures is the target", () => {
    const [one, other] = [testImage(170, 161, 1), testImage(170, 161, 2)];
    for (const metric of [psnr, ssim, msSsim]) {
      near(metric(asPicture(one), other), metric(asPicture(other), one), 1e-5);
    }
  });

  it("are NaN where the picture holds one", () => {
    const target = testImage(161, 161);
    const picture = asPicture(target);
    picture.data[4 * 80 * 161] = Number.NaN;
    for (const metric of [psnr, ssim, msSsim]) assert.ok(Number.isNaN(metric(picture, target)), metric.name);
  });

  it("refuse pictures of two sizes, though they have as many pixels", () => {
    for (const metric of [lossOf, psnr, ssim, msSsim]) {
      assert.throws(() => metric(asPicture(testImage(200, 400)), testImage(400, 200)), {
        name: "RangeError",
        message: /needs two pictures of one size\.$/,
      });
    }
  });
});

describe("psnr()", () => {
  it("is 20 dB where every value is off by a tenth", () => {
    const target = map(testImage(5, 3), () => 51);
    const picture = map(asPicture(target), () => 0.3);
    near(lossOf(picture, target), 3 * 0.1 ** 2, 1e-7);
    near(psnr(picture, target), 20, 1e-5);
  });
});

describe("ssim()", () => {
  it("agrees with one window laid at each place after the other", () => {
    for (const [width, height] of [
      [11, 11],
      [11, 14],
      [26, 17],
    ]) {
      const target = testImage(width, height, 1);
      const picture = asPicture(testImage(width, height, 2));
      near(
        ssim(picture, target),
        direct(picture, target, (x, y) => directTerms(x, y).ssim),
        1e-12,
      );
    }
  });

  it("is the mean over the channels", () => {
    const target = testImage(20, 20);
    const onlyBlue = map(asPicture(target), (value, channel) => (channel === 2 ? 1 - value : value));
    const grey = (from: FloatImage | Image) => ({ ...from, data: from.data.map((_, i) => from.data[(i & ~3) + 2]) });
    near(ssim(onlyBlue, target), (2 + ssim(grey(onlyBlue) as FloatImage, grey(target) as Image)) / 3, 1e-9);
  });

  it("refuses a picture that is smaller than the window", () => {
    assert.equal(minSide.ssim, 11);
    const target = testImage(10, 30);
    assert.throws(() => ssim(asPicture(target), target), {
      name: "RangeError",
      message: "SSIM needs a picture of at least 11×11 pixels; this one has 10×30.",
    });
  });
});

describe("msSsim()", () => {
  it("agrees with one window laid at each place of each scale, sides even and odd", () => {
    const [width, height] = [161, 164];
    const target = testImage(width, height, 1);
    const picture = distorted(testImage(width, height, 2), distortions.faded);
    near(msSsim(picture, target), direct(picture, target, directScales), 1e-12);
  });

  it("is 1 for the target itself, and 0 for its negative", () => {
    const target = testImage(161, 161);
    near(msSsim(asPicture(target), target), 1, 1e-12);
    const negative = map(asPicture(target), (value) => 1 - value);
    assert.ok(ssim(negative, target) < 0);
    assert.equal(msSsim(negative, target), 0);
  });

  it("refuses a picture whose coarsest scale is smaller than the window", () => {
    assert.equal(minSide.msSsim, 161);
    const target = testImage(200, 160);
    assert.throws(() => msSsim(asPicture(target), target), {
      name: "RangeError",
      message: "MS-SSIM needs a picture of at least 161×161 pixels; this one has 200×160.",
    });
  });
});

function near(value: number, expected: number, tolerance: number): void {
  assert.ok(Math.abs(value - expected) <= tolerance, `${value} is not within ${tolerance} of ${expected}`);
}

/** The picture in floats, with a transmittance that an alpha of 255 does not equal. */
function asPicture({ width, height, data }: Image): FloatImage {
  return { width, height, data: Float32Array.from(data, (byte, i) => ((i & 3) === 3 ? 0.5 : byte / 255)) };
}

/** The picture with each of its red, green and blue values replaced. */
function map<P extends FloatImage | Image>(picture: P, value: (stored: number, channel: number) => number): P {
  const data = picture.data.map((stored: number, i: number) => ((i & 3) === 3 ? stored : value(stored, i & 3)));
  return { ...picture, data };
}

function distorted(target: Image, value: (row: number[], x: number) => number): FloatImage {
  const rows = [0, 1, 2].map((channel) => rowsOf(target, channel, 255));
  const picture = asPicture(target);
  for (let i = 0; i < picture.data.length; i++) {
    const pixel = i >> 2;
    const row = rows[i & 3]?.[Math.floor(pixel / target.width)];
    if (row) picture.data[i] = value(row, pixel % target.width);
  }
  return picture;
}

function rowsOf({ width, height, data }: FloatImage | Image, channel: number, range: number): number[][] {
  return Array.from({ length: height }, (_, y) =>
    Array.from({ length: width }, (_, x) => data[4 * (y * width + x) + channel] / range),
  );
}

/** The mean over the channels of a metric of two channels, for a picture within 0..1. */
function direct(picture: FloatImage, target: Image, metric: (x: number[][], y: number[][]) => number): number {
  const values = [0, 1, 2].map((channel) => metric(rowsOf(picture, channel, 1), rowsOf(target, channel, 255)));
  return (values[0] + values[1] + values[2]) / 3;
}

/** The definition, slowly: the two-dimensional window at each place, variances from the distances to the mean. */
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
  let places = 0;
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
      places++;
    }
  }
  return { ssim: ssim / places, contrast: contrast / places };
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

/** Means of 2×2, with a zero before the first where there is an odd number. */
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
