import * as Plot from "@observablehq/plot";
import { levels } from "./rampOffset.js";

/** A colour for each value from 0 to 1. */
export interface ColorRamp {
  /** 4·256 bytes, red, green, blue, 255. */
  bytes: Uint8ClampedArray;
  gradient: string;
}

/** Returns the ramp of one of Plot's sequential schemes. These are readable with any colour vision. */
export function colorRamp(scheme: "inferno" | "viridis" | "cividis"): ColorRamp {
  const scale = Plot.scale({ color: { type: "linear", scheme, domain: [0, 1] } })!;
  const bytes = new Uint8ClampedArray(4 * levels).fill(255);
  for (let level = 0; level < levels; level++) bytes.set(channels(scale.apply(level / (levels - 1))), 4 * level);
  const stops = Array.from({ length: 9 }, (_, i) => scale.apply(i / 8)).join(", ");
  return { bytes, gradient: `linear-gradient(to right, ${stops})` };
}

/** Returns red, green and blue of a colour in the formats of the schemes: #rrggbb or rgb(r, g, b). */
function channels(color: string): number[] {
  const hex = /^#(..)(..)(..)$/.exec(color);
  return hex ? hex.slice(1).map((digits) => Number.parseInt(digits, 16)) : color.match(/\d+/g)!.map(Number);
}
