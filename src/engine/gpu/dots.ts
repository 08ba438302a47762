import type { TrainConfig } from "../config.js";
import { decodedNames } from "../model/blobs.js";
import { type DotChart, scaleEnds } from "../model/dots.js";
import type { KernelSource } from "./kernel.js";
import type { Struct } from "./structs.js";
import { modelConstants } from "./uniforms.js";

/** Returns the kernels that draw a chart of dots. */
export function dotKernels(config: TrainConfig): Record<"countDots" | "shadeDots", KernelSource> {
  const constants = modelConstants(config);
  return {
    countDots: { file: "chart/1-countDots.wgsl", constants },
    shadeDots: { file: "chart/2-shadeDots.wgsl", constants },
  };
}

/** Returns the struct DotChart of shaders/chart/dots.wgsl. */
export function dotUniform(struct: Struct, { x, y, width, height, radius, alpha }: DotChart): Uint8Array {
  const [[left, right], [bottom, top]] = [scaleEnds(x), scaleEnds(y)];
  return struct.encode([
    {
      size: [width, height],
      columns: [x, y].map(({ column }) => decodedNames.indexOf(column)),
      logScales: [Number(x.isLog), Number(y.isLog)],
      start: [left, bottom],
      end: [right, top],
      radius,
      alpha,
    },
  ]);
}
