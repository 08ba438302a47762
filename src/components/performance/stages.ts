import type { BenchResult } from "../../engine/bench/benchResult.js";
import { type StageWork, stageWork } from "../../engine/bench/work.js";
import type { ShaderLibrary } from "../../engine/shaders.js";

/**
 * Returns the kernels of `binned` in a benchmark with their work, and their sum as a step.
 * @param result a benchmark on an adapter with timestamps
 * @param shaders the kernels, for the sizes of their structs
 */
export function stagesOf({ measurements, image, config, peak }: BenchResult, shaders: ShaderLibrary) {
  const { stageTimes, pairs, listTile } = measurements.find(({ pipeline }) => pipeline === "binned")!;
  const { entries, blended } = pairs;
  const pixels = image.width * image.height;
  const tilePixels = listTile[0] * listTile[1];
  const work = stageWork({ blobs: config.blobs, pixels, entries, blended, tilePixels }, shaders);
  const stageOf = (stage: string, milliseconds: number, { operations, bytes }: StageWork) => {
    const [operationsPerSecond, bytesPerSecond] = [operations, bytes].map((amount) => (1000 * amount) / milliseconds);
    // Fractions of the measured multiply-add peak and copy rate.
    const ofPeak = operationsPerSecond / (2 * peak!.multiplyAddsPerSecond);
    const ofCopy = bytesPerSecond / peak!.bytesPerSecond;
    const intensity = operations / bytes;
    return { stage, milliseconds, operations, bytes, intensity, operationsPerSecond, ofPeak, ofCopy };
  };
  const stages = Object.entries(stageTimes!).map(([stage, milliseconds]) =>
    stageOf(stage, milliseconds, work[stage] ?? { operations: 0, bytes: 0 }),
  );
  const sum = (quantity: "milliseconds" | "operations" | "bytes") =>
    stages.reduce((total, stage) => total + stage[quantity], 0);
  return {
    stages,
    step: stageOf("a step", sum("milliseconds"), { operations: sum("operations"), bytes: sum("bytes") }),
  };
}
