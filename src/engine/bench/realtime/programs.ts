import { ConfigError, completeConfig, listCapacity, type TrainConfig } from "../../config.js";
import type { Image } from "../../image/image.js";
import type { TrainingState } from "../../model/blobs.js";
import type { Backend, Pipeline } from "../../pipeline.js";
import type { ShaderLibrary } from "../../shaders.js";
import { initialState } from "../../training/initialState.js";

/** One of the programs on the way from the simple splatter to real time. All compute the same function. */
export interface Program {
  name: ProgramName;
  /** For people. */
  title: string;
  /** What runs it, as it is or with one file replaced. */
  pipeline: "simple" | "tiled" | "binned";
  /** Whether each thread keeps the states of its blend for the way back, in place of undoing it. */
  storesStates: boolean;
}

export type ProgramName = "every-kept" | "every-undo" | "tiles-kept" | "tiles-undo" | "binned";

/** In the order of the way. */
export const programs: readonly Program[] = [
  { name: "every-kept", title: "every blob, states cached", pipeline: "simple", storesStates: true },
  { name: "every-undo", title: "every blob, undone", pipeline: "simple", storesStates: false },
  { name: "tiles-kept", title: "tiles, states cached", pipeline: "tiled", storesStates: true },
  { name: "tiles-undo", title: "tiles, undone", pipeline: "tiled", storesStates: false },
  { name: "binned", title: "binned", pipeline: "binned", storesStates: false },
];

/** A program by its name. */
export function programOf(name: ProgramName): Program {
  return programs.find((program) => program.name === name)!;
}

/** Bytes that WGSL gives a thread for variables of its own, and bytes of a state. */
const privateBytes = 8192;
const stateBytes = 16;

/** States that a thread can keep at most. */
export const maxStoredStates = privateBytes / stateBytes;

/** The file that is replaced where states are kept, and the one in its place. */
const undoFile = "shared/undo.wgsl";
export const storedStatesFile = "learn/storedStates.wgsl";

/** What a program is opened with: the job, for its pipeline. The blobs at a time are those of the lists of tiled. */
export function programConfig({ pipeline }: Program, job: Partial<TrainConfig>): TrainConfig {
  const gaussiansPerBlock = pipeline === "tiled" ? job.gaussiansPerBlock : undefined;
  return completeConfig({ ...job, pipeline, gaussiansPerBlock });
}

/** Why a program cannot run a job, as a sentence; undefined where it can. */
export function unsupportedReason(
  { pipeline, storesStates }: Program,
  { blobs }: Pick<TrainConfig, "blobs">,
): string | undefined {
  if (!storesStates || pipeline !== "simple" || blobs <= maxStoredStates) return undefined;
  return `Cached states allow at most ${maxStoredStates} blobs.`;
}

/**
 * The kernels of a program: the shipped ones, with one file replaced where states are kept. The array of the states is
 * as long as the list can be, as automatic differentiation would have it.
 * @returns undefined where nothing is replaced
 * @throws ConfigError where a thread has no room for a state of each blob
 */
export function programShaders(
  program: Program,
  config: TrainConfig,
  shaders: ShaderLibrary,
): ShaderLibrary | undefined {
  const { pipeline, storesStates } = program;
  if (!storesStates || pipeline === "binned") return undefined;
  if (unsupportedReason(program, config))
    throw new ConfigError("blobs", config.blobs, `at most ${maxStoredStates} where every state is kept`);
  const length = Math.min(pipeline === "simple" ? config.blobs : listCapacity(config), maxStoredStates);
  const states = shaders.get(storedStatesFile)!.replace(/(const STORED_STATES = )\d+u/, `$1${length}u`);
  return new Map(shaders).set(undoFile, states);
}

/** Opens a program at a job. @throws ConfigError where it cannot hold it */
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
