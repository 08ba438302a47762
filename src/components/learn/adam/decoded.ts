import type { TrainConfig } from "../../../engine/config.js";
import type { Size } from "../../../engine/image/image.js";
import { decode, modelOf, valueNames } from "../../../engine/model/blob.js";

/** What a raw parameter stands for, and how much it changes with it: dvalue/draw. */
export function decodedOf(
  config: TrainConfig,
  image: Size,
  field: number,
  raw: number,
): { value: number; slope: number } {
  // Each raw parameter decodes by itself, so the others may be anything.
  const parameters = new Float64Array(valueNames.length);
  parameters[field] = raw;
  const blob = decode(parameters, 0, modelOf(config, image));
  const name = valueNames[field];
  return { value: blob[name], slope: blob.slope[name] };
}

/** The parts of an interval of raw values in which the decoded value stands still, to a part in 200. */
export function flatParts(
  config: TrainConfig,
  image: Size,
  field: number,
  [low, high]: [number, number],
): [number, number][] {
  const parts: [number, number][] = [];
  const cell = (high - low) / 200;
  for (let at = 0; at < 200; at++) {
    const from = low + at * cell;
    if (decodedOf(config, image, field, from + cell / 2).slope !== 0) continue;
    const last = parts.at(-1);
    if (last && Math.abs(last[1] - from) < cell / 2) last[1] = from + cell;
    else parts.push([from, from + cell]);
  }
  return parts;
}
