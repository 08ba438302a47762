import { ConfigError, completeConfig, listCapacity, type TrainConfig } from "../../config.js";
import type { Image } from "../../image/image.js";
import type { TrainingState } from "../../model/blobs.js";
import type { Backend, Pipeline } from "../../pipeline.js";
import { limitText } from "../../quoted.js";
import type { ShaderLibrary } from "../../shaders.js";
import { initialState } from "../../training/initialState.js";

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

/** WGSL's limit of a thread's private variables, and the size of a state, in bytes. */
const privateBytes = 8192;
const stateBytes = 16;

/** Maximum number of states per thread. */
export const maxStoredStates = privateBytes / stateBytes;

/** The file that programs with stored states replace, and its replacement. */
const undoFile = "shared/undo.wgsl";
export const storedStatesFile = "learn/storedStates.wgsl";

/** Returns the configuration of a program for a job. Only `tiled` takes the job's list capacity. */
export function programConfig({ pipeline }: Program, job: Partial<TrainConfig>): TrainConfig {
  const gaussiansPerBlock = pipeline === "tiled" ? job.gaussiansPerBlock : undefined;
  return completeConfig({ ...job, pipeline, gaussiansPerBlock });
}

/** Returns the reason why a program cannot run a job; undefined if it can. */
export function unsupportedReason(
  { pipeline, storesStates }: Program,
  { blobs }: Pick<TrainConfig, "blobs">,
): string | undefined {
  if (!storesStates || pipeline !== "simple" || blobs <= maxStoredStates) return undefined;
  return `Cached states allow at most ${maxStoredStates} blobs.`;
}

/**
 * Returns the shipped kernels with one file replaced for programs that store states. The array of states is as long as
 * the list can be, as with automatic differentiation.
 * @returns undefined if nothing is replaced
 * @throws ConfigError if a thread cannot store one state per blob
 */
export function programShaders(
  program: Program,
  config: TrainConfig,
  shaders: ShaderLibrary,
): ShaderLibrary | undefined {
  const { pipeline, storesStates } = program;
  if (!storesStates || pipeline === "binned") return undefined;
  if (unsupportedReason(program, config))
    throw new ConfigError("blobs", config.blobs, `at most ${limitText(maxStoredStates)} if every state is stored`);
  const length = Math.min(pipeline === "simple" ? config.blobs : listCapacity(config), maxStoredStates);
  const states = shaders.get(storedStatesFile)!.replace(/(const STORED_STATES = )\d+u/, `$1${length}u`);
  return new Map(shaders).set(undoFile, states);
}

/** Opens a program for a job. @throws ConfigError if the job does not fit */
export async function openProgram(
  program: Program,
  job: Partial<TrainConfig>,
  image: Image,
  backend: Backend,
  shaders: ShaderLibrary,
  state?: TrainingState,
): Promise<Pipeline> {
  const config = programConfig(program, job);
  return backend.open(config, image, state ?? initialState(config, image), programShaders(program, config, shaders));
}
