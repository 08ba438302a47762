import { join } from "node:path";
import type { TrainConfig } from "../engine/config.js";
import { metricsFile, readMetrics } from "../engine/files/arrow.js";
import { runFiles } from "../engine/files/runFiles.js";
import type { FitResult } from "../engine/regions/fit.js";
import type { EngineDescription } from "../host/node/engine.js";
import { bytesOf, floatsOf } from "../runs/floats.js";
import { readRunFile } from "../runs/runFolder.js";
import { writeFile } from "../runs/staging.js";

/**
 * The files of a trained region or window in a worker's folder. Like that of a run, the description is written last.
 */
const files = { description: runFiles.description, blobs: "blobs.f32", metrics: runFiles.metrics };

/** Writes a trained region or window, and the engine that trained it. */
export async function writeLearned(
  folder: string,
  config: TrainConfig,
  learned: FitResult,
  by: EngineDescription,
): Promise<void> {
  const { parameters, rows, seconds, alert } = learned;
  await writeFile(join(folder, files.blobs), bytesOf(parameters));
  await writeFile(join(folder, files.metrics), metricsFile(config, rows));
  await writeFile(join(folder, files.description), JSON.stringify({ seconds, by, alert }));
}

/** Returns a region or window that a worker has trained; undefined if it is missing. */
export async function readLearned(folder: string): Promise<{ learned: FitResult; by: EngineDescription } | undefined> {
  const read = Object.values(files).map((name) => readRunFile(folder, name).catch(() => undefined));
  const [description, blobs, metrics] = await Promise.all(read);
  if (!description || !blobs || !metrics) return undefined;
  const { by, alert, ...rest } = JSON.parse(description.toString("utf8"));
  // JSON stores NaN as null.
  const alerts = alert && { alert: { ...alert, loss: alert.loss ?? Number.NaN } };
  return { learned: { ...rest, parameters: floatsOf(blobs), rows: readMetrics(metrics).rows, ...alerts }, by };
}
