// The model of the chapter realtime.md: what five programs evaluate and cost, as tables, and their race. The charts are in
// the page.

import {
  canRun,
  openProgram,
  type Program,
  type ProgramJob,
  programOf,
  programs,
  type RealtimeJob,
  stateBytes,
} from "../components/learn/realtime/programs.js";
import type { Snapshot } from "../components/learn/snapshotFile.js";
import { timeRounds } from "../engine/bench/measure.js";
import { completeConfig } from "../engine/config.js";
import type { Image } from "../engine/image/image.js";
import { median } from "../engine/medians.js";
import type { TrainingState } from "../engine/model/blobs.js";
import { tiledBlobs } from "../engine/model/tiledBlobs.js";
import type { Pipeline } from "../engine/pipeline.js";
import { initialState } from "../engine/training/initialState.js";
import type { BrowserEngine } from "../host/browser/engine.js";

export { realtimeExercise } from "../components/learn/exercises/realtime.js";
export { programs } from "../components/learn/realtime/programs.js";
export { adapterName, time } from "../components/page/format.js";

/**
 * Returns what a step of each program costs in a recorded job: the milliseconds and the speedup over the first program,
 * which are absent if it was not measured, the pairs that a pass evaluates, and the bytes of the cached states.
 */
export function costsOf({ times, pairs }: Pick<RealtimeJob, "times" | "pairs">) {
  const [{ median: slowest }] = times;
  return programs.map((program) => {
    const milliseconds = times.find(({ name }) => name === program.name)?.median;
    const speedup = milliseconds && slowest / milliseconds;
    // Early stops at opaque pixels are ignored.
    const evaluated = { simple: pairs.all, tiled: pairs.listed, binned: pairs.met }[program.pipeline];
    const bytes = program.storesStates ? stateBytes * evaluated : 0;
    return { ...program, milliseconds, speedup, pairs: evaluated, bytes };
  });
}

/** Returns the speedup of the program with tiles by undoing, in each recorded job. */
export function undoSpeedups(jobs: readonly RealtimeJob[]): number[] {
  return jobs.map(({ times }) => {
    const [cached, undone] = ["tiles-kept", "tiles-undo"].map(
      (name) => times.find((time) => time.name === name)!.median,
    );
    return cached / undone;
  });
}

/** Returns the random blobs with which a job on a square image starts, as the arguments of `countEvaluatedPairs`. */
export function randomBlobs(blobs: number, side: number, tile: [number, number]) {
  const config = completeConfig({ blobs, tile, pipeline: "tiled" });
  const size = { width: side, height: side };
  const { parameters } = initialState(config, { ...size, data: new Uint8ClampedArray(4 * side * side) });
  return [config, parameters, size] as const;
}

/** Returns the lengths of the lists of all tiles of a run. */
export function listLengths({ config, image, state: { parameters } }: Snapshot, tile: [number, number]): number[] {
  return tiledBlobs(config, image, parameters, image, tile).lists.map(({ length }) => length);
}

/** How a race reports, and when it ends. */
interface RaceOptions {
  /** Called with the program that is opened. */
  note: (progress: string) => void;
  /** Called with a row for each program so far, after each of its rounds. */
  show: (times: ProgramTime[]) => void;
  /** Framework's promise that the cell is invalidated, at which the race ends. */
  invalidation: Promise<unknown>;
  /** Approximate seconds for each program. */
  seconds?: number;
}

/** The times of a program per step, of each round and their median. */
type ProgramTime = Program & { rounds: number[]; milliseconds: number };

/**
 * Times the programs that can run a job, one after the other, each from the state after the job's first steps. Only one
 * is open at a time.
 */
export async function timePrograms(
  { shaders, backend }: Pick<BrowserEngine, "shaders" | "backend">,
  { blobs, tile, gaussiansPerBlock, startStep }: ProgramJob,
  image: Image,
  { note, show, invalidation, seconds = 1 }: RaceOptions,
): Promise<ProgramTime[]> {
  const job = { blobs, tile, gaussiansPerBlock };
  const end = new AbortController();
  void invalidation.then(() => end.abort(new Error("The race was ended.")));
  const { signal } = end;
  const run = async <T>(program: Program, use: (pipeline: Pipeline) => Promise<T>, state?: TrainingState) => {
    signal.throwIfAborted();
    note(`Opening ${program.title}`);
    const pipeline = await openProgram(program, job, image, backend(program.pipeline), shaders, state);
    return use(pipeline).finally(() => pipeline.free());
  };
  const start = await run(programOf("binned"), async (pipeline) => {
    await pipeline.advance(startStep, { signal });
    return pipeline.state();
  });
  const times: ProgramTime[] = [];
  for (const [index, program] of programs.filter((program) => canRun(program, job)).entries()) {
    const onRound = (_: number, rounds: number[]) => {
      times[index] = { ...program, rounds, milliseconds: median(rounds) };
      show([...times]);
    };
    await run(program, (pipeline) => timeRounds([pipeline], { seconds, start, signal }, onRound), start);
  }
  return times;
}
