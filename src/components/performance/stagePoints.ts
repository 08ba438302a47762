import type { BenchResult } from "../../engine/benchResult.js";
import { stageWork } from "../../engine/work.js";
import { element } from "../element.js";

/** A stage of the binned pipeline: what it does, what that takes, and in which time. */
export interface StagePoint {
  stage: string;
  milliseconds: number;
  operations: number;
  bytes: number;
  /** Operations a byte. */
  intensity: number;
  operationsPerSecond: number;
  bytesPerSecond: number;
}

/** The stages of a benchmark's binned pipeline, with their work; undefined where it does not tell all that is needed. */
export function stagesOf({ measurements, image, config }: BenchResult): StagePoint[] | undefined {
  const measured = measurements.find(({ pipeline }) => pipeline === "binned");
  if (!measured?.stageTimes || !measured.pairs) return undefined;
  const { entries, blended } = measured.pairs;
  const [tileWidth, tileHeight] = measured.listTile;
  const work = stageWork({
    blobs: config.blobs,
    pixels: image.width * image.height,
    entries,
    blended,
    tilePixels: tileWidth * tileHeight,
  });
  return Object.entries(measured.stageTimes).map(([stage, milliseconds]) => {
    const { operations, bytes } = work[stage] ?? { operations: 0, bytes: 0 };
    const perSecond = (amount: number) => (1000 * amount) / milliseconds;
    const rates = { operationsPerSecond: perSecond(operations), bytesPerSecond: perSecond(bytes) };
    return { stage, milliseconds, operations, bytes, intensity: operations / bytes, ...rates };
  });
}

/** What stands in their place where the record does not tell enough. */
export function unknownWork(): HTMLElement {
  return element(
    "p",
    { class: "unknown" },
    "This record tells neither peak nor pairs, so these numbers are not known.",
  );
}
