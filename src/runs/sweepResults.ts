import { existsSync } from "node:fs";
import { join } from "node:path";
import { hasEnded, type RunDescription } from "../engine/files/runDescription.js";
import type { SweepTable, SweptRow } from "../engine/files/sweepFile.js";
import { bestRow } from "../engine/sweep/ranking.js";
import type { SweptResult } from "../engine/sweep/sweep.js";
import { Failure } from "../terminal/failure.js";
import { readLarge } from "./largeFiles.js";
import { readTable } from "./runFolder.js";

/** The table of a sweep. */
export const sweepTableFile = "sweep.arrow";

/** A sweep that was trained, in a folder. */
export interface SweepResults {
  table: SweepTable;
  /** The file of the table. */
  bytes: Uint8Array;
  best: SweptRow;
}

/** Returns the result of a run, from its description. */
export function sweptResultOf(description: RunDescription): SweptResult {
  const { step, result, timings } = description;
  const { seconds, stepsPerSecond } = timings;
  const status = hasEnded(description) ? "done" : "stopped";
  // JSON stores an infinite PSNR as null.
  const psnr = result.psnr ?? Number.POSITIVE_INFINITY;
  return { status, sentence: "", loss: result.loss, psnr, seconds, stepsPerSecond, step };
}

/**
 * Reads the results of a sweep; undefined if the folder contains no sweep.
 * @throws Failure if no run is finished, or an Error of one sentence if the table is damaged
 */
export async function readSweepResults(folder: string): Promise<SweepResults | undefined> {
  const path = join(folder, sweepTableFile);
  if (!existsSync(path)) return undefined;
  const bytes = await readLarge(path, sweepTableFile);
  // Reading may transfer the bytes to a thread.
  const table = await readTable("sweep", Uint8Array.from(bytes));
  const best = bestRow(table.rows);
  if (!best) throw new Failure(`The sweep ${folder} has no finished run.`);
  return { table, bytes, best };
}
