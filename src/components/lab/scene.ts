import type { TrainConfig } from "../../engine/config.js";
import type { Image } from "../../engine/image/image.js";
import { decode, modelOf } from "../../engine/model/blob.js";
import { parameterCount } from "../../engine/model/blobs.js";
import { blobBounds, deviations, type OrientedBox } from "../../engine/model/bounds.js";
import type { Inspection } from "../training/readbacks.js";
import type { Run } from "../training/run.js";

/** The blobs of an inspection, decoded for drawing. */
export interface Scene {
  config: TrainConfig;
  target: Image;
  inspection: Inspection;
  /** The 4σ boxes, in UV. */
  boxes: OrientedBox[];
  /** Red, green, blue and opacity of each blob, 0..255. */
  colors: Uint8ClampedArray;
}

/** Decodes a scene. Yields after every 256 blobs. */
export function* decodeScene({ config, target }: Run, inspection: Inspection): Generator<void, Scene> {
  const { parameters } = inspection.state;
  const model = modelOf(config, target.image);
  const count = parameters.length / parameterCount;
  const boxes = new Array<OrientedBox>(count);
  const colors = new Uint8ClampedArray(4 * count);
  for (let i = 0; i < count; i++) {
    const blob = decode(parameters, i, model);
    boxes[i] = blobBounds(blob);
    colors.set([255 * blob.red, 255 * blob.green, 255 * blob.blue, 255 * blob.opacity], 4 * i);
    if (i % 256 === 255) yield;
  }
  return { config, target: target.image, inspection, boxes, colors };
}

/** Returns a blob's colour in CSS. */
export function colorOf({ colors }: Scene, blob: number): string {
  return `rgb(${colors[4 * blob]} ${colors[4 * blob + 1]} ${colors[4 * blob + 2]})`;
}

/** Adds a blob's 1σ ellipse to the path of a context in UV units. */
export function addEllipse(context: CanvasRenderingContext2D, box: OrientedBox): void {
  const angle = Math.atan2(box.axisY, box.axisX);
  const length = box.halfLength / deviations;
  const width = box.halfWidth / deviations;
  context.moveTo(box.centerX + length * box.axisX, box.centerY + length * box.axisY);
  context.ellipse(box.centerX, box.centerY, length, width, angle, 0, 2 * Math.PI);
}
