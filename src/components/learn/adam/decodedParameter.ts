import type { TrainConfig } from "../../../engine/config.js";
import type { Size } from "../../../engine/image/image.js";
import { decode, modelOf, valueNames } from "../../../engine/model/blob.js";

/** Returns the decoded value of a raw parameter and its slope, dvalue/draw. */
export function decodeParameter(
  config: TrainConfig,
  image: Size,
  field: number,
  raw: number,
): { value: number; slope: number } {
  // Each raw parameter is decoded independently of the others.
  const parameters = new Float64Array(valueNames.length);
  parameters[field] = raw;
  const blob = decode(parameters, 0, modelOf(config, image));
  const name = valueNames[field];
  return { value: blob[name], slope: blob.slope[name] };
}

/** Returns the parts of a range of raw values in which the decoded value is constant, with a resolution of 1/200. */
export function flatRanges(
  config: TrainConfig,
  image: Size,
  field: number,
  [low, high]: [number, number],
): [number, number][] {
  const ranges: [number, number][] = [];
  const cellWidth = (high - low) / 200;
  for (let index = 0; index < 200; index++) {
    const from = low + index * cellWidth;
    if (decodeParameter(config, image, field, from + cellWidth / 2).slope !== 0) continue;
    const last = ranges.at(-1);
    if (last && Math.abs(last[1] - from) < cellWidth / 2) last[1] = from + cellWidth;
    else ranges.push([from, from + cellWidth]);
  }
  return ranges;
}
