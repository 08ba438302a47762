// The model of the chapter blob.md: one blob on a small image, its loss and its gradient. The charts are in the page.

import { colorRamp } from "../components/images/colorRamp.js";
import { rampOffset } from "../components/images/rampOffset.js";
import { blobLimits, directShape } from "../components/learn/blobEditor.js";
import { blobAt, colorOf, newPixelState } from "../components/learn/pixelStack.js";
import { completeConfig, type TrainConfig } from "../engine/config.js";
import type { Image, Size } from "../engine/image/image.js";
import { alphaBlend, attenuationOf, compositeChannel } from "../engine/model/blend.js";
import { alphaOf, type Blob, decode, evalFalloff, modelOf } from "../engine/model/blob.js";
import { colorAt } from "../engine/training/initialState.js";

export { blobEditor } from "../components/learn/blobEditor.js";
export { blobExercise } from "../components/learn/exercises/blob.js";
export { decode, deviationsInPixels, modelOf } from "../engine/model/blob.js";
export { oracle as lossAndGradient } from "../engine/model/oracle.js";
export { baseRates } from "../engine/model/rates.js";

/** Returns the configuration of one blob over white. A tile holds the whole image. */
export function oneBlob(size: Size, learningRate = 3): TrainConfig {
  return completeConfig({
    blobs: 1,
    parameterization: "direct",
    background: "white",
    learningRate,
    centerRate: 30,
    tile: [size.width, size.height],
  });
}

/** Returns the nine raw parameters of the blob before the reader moves it: orange, with an opacity of 0.8. */
export function startParameters({ width, height }: Size): number[] {
  const shape = { x: 0.375 * width, y: 0.625 * height, length: 5, width: 3, angle: 20 };
  return [...directShape(shape), 0.9, 0.5, 0.2, Math.log(4)];
}

/** A pixel that one blob colours. */
export type BlobPixel = ReturnType<typeof pixelAt>;

/** Returns a pixel of the image that a blob draws over white, compared with the target. */
export function pixelAt(blob: Blob, target: Image, x: number, y: number) {
  const { falloff, alpha } = blobAt(0, blob, x / target.width, y / target.height);
  const state = newPixelState();
  alphaBlend(state, blob, alpha, attenuationOf("over"));
  const color = colorOf(state).map((c) => compositeChannel(c, state.transmittance, "white"));
  const wanted = colorAt(target, y * target.width + x);
  const error = color.reduce((sum, c, channel) => sum + (c - wanted[channel]) ** 2, 0);
  /** The distance from the centre, in deviations; undefined outside the support. */
  const distance = falloff > 0 ? Math.sqrt(2 * Math.log(1 / falloff)) : undefined;
  return { x, y, distance, alpha, color, target: wanted, error };
}

/** Returns all pixels, row by row. */
export function pixelsOf(blob: Blob, target: Image): BlobPixel[] {
  const { width, height } = target;
  return Array.from({ length: width * height }, (_, i) => pixelAt(blob, target, i % width, Math.floor(i / width)));
}

/** Returns the loss: the mean of the pixels' squared errors. */
export function meanError(pixels: readonly BlobPixel[]): number {
  return pixels.reduce((sum, { error }) => sum + error, 0) / pixels.length;
}

/** Returns an image with a colour of three numbers, 0..1, for each pixel. */
function imageOf({ width, height }: Size, colors: readonly ArrayLike<number>[]): Image {
  const data = new Uint8ClampedArray(4 * colors.length).fill(255);
  for (const [i, color] of colors.entries())
    for (let channel = 0; channel < 3; channel++) data[4 * i + channel] = 255 * color[channel];
  return { width, height, data };
}

/** Returns the image that a blob draws. */
export function renderOf(size: Size, pixels: readonly BlobPixel[]): Image {
  return imageOf(
    size,
    pixels.map(({ color }) => color),
  );
}

/** Returns the squared error of each pixel in the colours of a ramp, from 0 to 1 and more. */
export function errorsOf(size: Size, pixels: readonly BlobPixel[]): Image {
  const ramp = colorRamp("inferno").bytes;
  return imageOf(
    size,
    pixels.map(({ error }) => Array.from(ramp.subarray(rampOffset(error)).subarray(0, 3), (byte) => byte / 255)),
  );
}

/** Returns α by the distance from a blob's centre in deviations, up to beyond the support. */
export function alphaByDistance(blob: Blob): { distance: number; alpha: number }[] {
  const deviation = Math.sqrt(blob.varianceX / blob.stretch);
  return Array.from({ length: 101 }, (_, k) => {
    const distance = k / 20;
    return { distance, alpha: alphaOf(blob, evalFalloff(blob, blob.centerX + distance * deviation, blob.centerY)) };
  });
}

/** Returns the nine raw parameters of a blob: their place, name, and the range in which the reader moves them. */
export function parameterAxes({ width, height }: Size) {
  const logDeviation = [Math.log(blobLimits.thinnest), Math.log(blobLimits.longest)];
  const ranges: [name: string, range: number[]][] = [
    ["centre μx", [0, width]],
    ["centre μy", [0, height]],
    ["log σx", logDeviation],
    ["log σy", logDeviation],
    ["artanh ρ", [-2, 2]],
    ["red", [0, 1]],
    ["green", [0, 1]],
    ["blue", [0, 1]],
    ["logit o", [-4, 4]],
  ];
  return ranges.map(([name, range], slot) => ({ slot, name, range }));
}

/** Returns the loss for values of one parameter, with all others as they are. */
export function lossCurve(
  target: Image,
  parameters: readonly number[],
  { slot, range: [low, high] }: ReturnType<typeof parameterAxes>[number],
): { value: number; loss: number }[] {
  const model = modelOf(oneBlob(target), target);
  const from = Math.min(low, parameters[slot]);
  const to = Math.max(high, parameters[slot]);
  return Array.from({ length: 65 }, (_, k) => {
    const value = from + ((to - from) * k) / 64;
    return { value, loss: meanError(pixelsOf(decode(parameters.with(slot, value), 0, model), target)) };
  });
}

/** A filled ellipse: its centre and half axes in pixels, its rotation in degrees, and its colour. */
type Spot = [x: number, y: number, along: number, across: number, angle: number, color: number[]];

/** Small targets, by name: spots on white, each pixel by its covered part. */
export const targets: ReadonlyMap<string, Image> = new Map([
  ["a leaf", drawSpots([20, 12, 9.5, 4.5, -38, [0.46, 0.7, 0.53]])],
  ["two dots", drawSpots([10, 11, 5, 5, 0, [0.5, 0.6, 0.85]], [22, 21, 5, 5, 0, [0.5, 0.6, 0.85]])],
]);

function drawSpots(...spots: Spot[]): Image {
  const colors = Array.from({ length: 32 * 32 }, (_, pixel) => {
    const color = [1, 1, 1];
    for (const [x, y, along, across, angle, ink] of spots) {
      const [cos, sin] = [Math.cos((angle * Math.PI) / 180), Math.sin((angle * Math.PI) / 180)];
      let covered = 0;
      for (let sample = 0; sample < 16; sample++) {
        const dx = (pixel % 32) + ((sample % 4) + 0.5) / 4 - 0.5 - x;
        const dy = Math.floor(pixel / 32) + (Math.floor(sample / 4) + 0.5) / 4 - 0.5 - y;
        covered += Number(Math.hypot((dx * cos + dy * sin) / along, (dy * cos - dx * sin) / across) < 1) / 16;
      }
      for (const channel of color.keys()) color[channel] *= 1 - covered * (1 - ink[channel]);
    }
    return color;
  });
  return imageOf({ width: 32, height: 32 }, colors);
}
