import type { BenchImage, BenchOrigin } from "../../../engine/bench/results.js";
import { completeConfig, listCapacity, type TrainConfig } from "../../../engine/config.js";
import type { Image } from "../../../engine/image/image.js";
import type { TrainingState } from "../../../engine/model/blobs.js";
import type { Backend, Pipeline } from "../../../engine/pipeline.js";
import type { ShaderLibrary } from "../../../engine/shaders.js";
import { initialState } from "../../../engine/training/initialState.js";
import type { EvaluatedPairs } from "./evaluatedPairs.js";

/** One of the programs from the simple pipeline to real time. All compute the same function. */
export interface Program {
  name: ProgramName;
  /** Display name. */
  title: string;
  /** The pipeline that runs it, possibly with one file replaced. */
  pipeline: "simple" | "tiled" | "binned";
  /** Whether each thread stores its pixel states for the backward pass instead of undoing the blend. */
  storesStates: boolean;
}

export type ProgramName = "every-kept" | "every-undo" | "tiles-kept" | "tiles-undo" | "binned";

/** From slowest to fastest. */
export const programs: readonly Program[] = [
  { name: "every-kept", title: "every blob, states cached", pipeline: "simple", storesStates: true },
  { name: "every-undo", title: "every blob, undone", pipeline: "simple", storesStates: false },
  { name: "tiles-kept", title: "tiles, states cached", pipeline: "tiled", storesStates: true },
  { name: "tiles-undo", title: "tiles, undone", pipeline: "tiled", storesStates: false },
  { name: "binned", title: "binned", pipeline: "binned", storesStates: false },
];

/** Returns a program by name. */
export function programOf(name: ProgramName): Program {
  return programs.find((program) => program.name === name)!;
}

/** The size of a state in bytes. */
export const stateBytes = 16;

/** The states that a thread can have, given WGSL's limit of 8192 bytes for its variables. */
const maxStates = 8192 / stateBytes;

/** The file that programs with stored states replace, and its replacement. */
const undoFile = "shared/undo.wgsl";
export const storedStatesFile = "learn/storedStates.wgsl";

/** Returns whether a program can run a job: a thread that visits every blob must have space for the states of all. */
export function canRun({ pipeline, storesStates }: Program, { blobs }: Pick<TrainConfig, "blobs">): boolean {
  return !storesStates || pipeline !== "simple" || blobs <= maxStates;
}

/**
 * Returns the shipped kernels with one file replaced for programs that store states; undefined for others. The array of
 * states is as long as the list can be, as with automatic differentiation.
 */
function programShaders({ storesStates }: Program, config: TrainConfig, shaders: ShaderLibrary) {
  if (!storesStates) return undefined;
  const length = Math.min(config.pipeline === "simple" ? config.blobs : listCapacity(config), maxStates);
  const states = shaders.get(storedStatesFile)!.replace(/(const STORED_STATES = )\d+u/, `$1${length}u`);
  return new Map(shaders).set(undoFile, states);
}

/** Opens a program for a job that it can run. @throws ConfigError if the job does not fit */
export async function openProgram(
  program: Program,
  job: Partial<TrainConfig>,
  image: Image,
  backend: Backend,
  shaders: ShaderLibrary,
  state?: TrainingState,
): Promise<Pipeline> {
  const { pipeline } = program;
  // Only `tiled` takes the job's list capacity.
  const gaussiansPerBlock = pipeline === "tiled" ? job.gaussiansPerBlock : undefined;
  const config = completeConfig({ ...job, pipeline, gaussiansPerBlock });
  return backend.open(config, image, state ?? initialState(config, image), programShaders(program, config, shaders));
}

/** A job of the programs; its other fields are those of the baseline preset. */
export interface ProgramJob {
  blobs: number;
  tile: [number, number];
  gaussiansPerBlock: number;
  /** Steps before the state at which every round starts. */
  startStep: number;
}

/** data/bench/realtime.json, with the times of the programs that can run each job. */
export interface RealtimeResult extends BenchOrigin {
  image: BenchImage;
  jobs: RealtimeJob[];
}

export interface RealtimeJob extends ProgramJob {
  width: number;
  height: number;
  /** At the state at which rounds start. */
  pairs: EvaluatedPairs;
  /** Milliseconds per step. */
  times: { name: ProgramName; rounds: number[]; median: number }[];
}
