import { completeConfig, type TrainConfig } from "../../../engine/config.js";
import type { Image, Size } from "../../../engine/image/image.js";
import { alphaBlend, attenuationOf, compositeChannel } from "../../../engine/model/blend.js";
import {
  alphaOf,
  type Blob,
  decode,
  deviationsInPixels,
  evalFalloff,
  highestCorrelation,
  lowestVariance,
  modelOf,
} from "../../../engine/model/blob.js";
import { blobBounds, deviations } from "../../../engine/model/bounds.js";
import { oracle } from "../../../engine/model/oracle.js";
import { colorAt } from "../../../engine/training/initialState.js";
import type { Ellipse } from "../ellipseGrips.js";
import { blobAt, colorOf, newPixelState } from "../pixelStack.js";

/** An ellipse with a colour and an opacity, 0..1. */
interface SolidEllipse extends Ellipse {
  color: [red: number, green: number, blue: number];
  opacity: number;
}

/** Returns the raw parameters of a blob in the `direct` parameterization. */
export function directParameters({ x, y, length, width, angle, color, opacity }: SolidEllipse): number[] {
  const radians = (angle * Math.PI) / 180;
  const [cos, sin] = [Math.cos(radians), Math.sin(radians)];
  const varianceX = (length * cos) ** 2 + (width * sin) ** 2;
  const varianceY = (length * sin) ** 2 + (width * cos) ** 2;
  const correlation = ((length ** 2 - width ** 2) * cos * sin) / Math.sqrt(varianceX * varianceY);
  const logDeviation = (variance: number) => 0.5 * Math.log(variance - lowestVariance);
  const rawCorrelation = Math.atanh(correlation / highestCorrelation);
  const logit = Math.log(opacity / (1 - opacity));
  return [x, y, logDeviation(varianceX), logDeviation(varianceY), rawCorrelation, ...color, logit];
}

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

/** Returns the loss of one blob over white, and its gradient: the derivative with respect to each raw parameter. */
export function lossAndGradient(target: Image, parameters: readonly number[]): ReturnType<typeof oracle> {
  return oracle(oneBlob(target), target, parameters);
}

/** The limits of the deviations, and how far outside the image a centre may be, in pixels. */
export const blobLimits = { thinnest: 0.5, longest: 12, outside: 4 };

/** Returns the nine raw parameters of the blob before the reader moves it. */
export function startParameters({ width, height }: Size): number[] {
  const shape = { x: 0.375 * width, y: 0.625 * height, length: 5, width: 3, angle: 20 };
  return directParameters({ ...shape, color: [0.9, 0.5, 0.2], opacity: 0.8 });
}

/** Returns the outline of a blob in the pixels of its image. */
export function ellipseOf(blob: Blob, size: Size): Ellipse {
  const [deviationX, deviationY] = deviationsInPixels(blob, size);
  const inPixels = { ...blob, varianceX: deviationX ** 2, varianceY: deviationY ** 2 };
  const { axisX, axisY, halfLength, halfWidth } = blobBounds(inPixels);
  return {
    x: blob.centerX * size.width,
    y: blob.centerY * size.height,
    length: halfLength / deviations,
    width: halfWidth / deviations,
    angle: (Math.atan(axisY / axisX) * 180) / Math.PI,
  };
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

/** Returns α by the distance from the centre in deviations, up to beyond the support. */
export function alphaByDistance(blob: Blob): { distance: number; alpha: number }[] {
  const deviation = Math.sqrt(blob.varianceX / blob.stretch);
  return Array.from({ length: 101 }, (_, k) => {
    const distance = k / 20;
    return { distance, alpha: alphaOf(blob, evalFalloff(blob, blob.centerX + distance * deviation, blob.centerY)) };
  });
}

/** Returns the same curve of an opaque blob. */
export function opaqueAlpha(): { x: number; y: number }[] {
  const size = { width: 32, height: 32 };
  const blob = decode([0, 0, 0, 0, 0, 0, 0, 0, 20], 0, modelOf(oneBlob(size), size));
  return alphaByDistance(blob).map(({ distance, alpha }) => ({ x: distance, y: alpha }));
}

/** A raw parameter of the blob, and the range in which the reader moves it. */
export interface ParameterAxis {
  slot: number;
  name: string;
  range: [low: number, high: number];
}

/** Returns the nine raw parameters of a blob in an image of a size. */
export function parameterAxes({ width, height }: Size): ParameterAxis[] {
  const logDeviation: ParameterAxis["range"] = [Math.log(blobLimits.thinnest), Math.log(blobLimits.longest)];
  const ranges: [name: string, range: ParameterAxis["range"]][] = [
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

/** Points of a curve of the loss. */
const curvePoints = 64;

/** Returns the loss for values of one parameter, with all others as they are. */
export function lossCurve(
  target: Image,
  parameters: readonly number[],
  { slot, range: [low, high] }: ParameterAxis,
): { value: number; loss: number }[] {
  const model = modelOf(oneBlob(target), target);
  const from = Math.min(low, parameters[slot]);
  const to = Math.max(high, parameters[slot]);
  return Array.from({ length: curvePoints + 1 }, (_, k) => {
    const value = from + ((to - from) * k) / curvePoints;
    const pixels = pixelsOf(decode(parameters.with(slot, value), 0, model), target);
    return { value, loss: meanError(pixels) };
  });
}

/** Returns the loss: the mean of the pixels' squared errors. */
export function meanError(pixels: readonly BlobPixel[]): number {
  return pixels.reduce((sum, { error }) => sum + error, 0) / pixels.length;
}
