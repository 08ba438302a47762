import type { TrainConfig } from "./config.js";
import type { FloatImage, Image, Size } from "./image/image.js";
import type { ParameterGroup, TrainingState } from "./model/blobs.js";
import type { DotChart, DotImage } from "./model/dots.js";
import type { ShaderLibrary, ShaderMessage } from "./shaders.js";

/** Measurements of a step, at the parameters before it. */
export interface StepStatistics {
  /** Σ over pixels and rgb of (out − target)² / (W·H). */
  loss: number;
  /** Euclidean norm of the gradient, by parameter group, in raw units. */
  gradientNorms: Record<ParameterGroup, number>;
  tileLists: TileListStatistics;
  /** Milliseconds of each kernel of the step, where the adapter has timestamps. */
  stageTimes?: Record<string, number>;
}

/** Measurements of a step, with its number. */
export interface StepRecord extends StepStatistics {
  step: number;
}

/** Lengths of the tile lists, over the tiles of the image. */
export interface TileListStatistics {
  mean: number;
  longest: number;
  /** Tiles that take several passes because their list is longer than GAUSSIANS_PER_BLOCK. */
  overflowing: number;
  /** Most gather–sort–blend passes of any tile. */
  passes: number;
}

/** The tiles of the image at the latest step, in row order. */
export interface Tiles {
  /** Width and height of a tile in pixels: those of the config, or larger if the pipeline joins tiles. */
  size: [number, number];
  across: number;
  down: number;
  /** Length of each tile's list. */
  lengths: Uint32Array;
  /** Gather–sort–blend passes of each tile. */
  passes: Uint32Array;
}

/** A render of the blobs, and the steps done by then. */
export interface Rendering extends FloatImage {
  step: number;
}

/** Options of `Pipeline.advance`. */
export interface AdvanceOptions {
  /** Ends the steps early. */
  signal?: AbortSignal;
  /**
   * Milliseconds after which the CPU engine ends early, after at least one step, so that pending requests are answered
   * soon even on a busy machine. The steps of a GPU are submitted together.
   */
  milliseconds?: number;
  /** The step at which the learning-rate schedule ends; the config's number of steps if absent. */
  horizon?: number;
  /** Measurements are kept for `measured` of every this many steps and of the last one; of none if absent. */
  recordEvery?: number;
}

/**
 * One training job on one engine. All pipelines compute the same function of the same config and parameters.
 * Calls may overlap; they are executed in order.
 */
export interface Pipeline {
  /** Adapter and engine, for people. */
  readonly description: string;
  /** Steps done. */
  readonly step: number;
  /** Runs up to `steps` training steps. Resolves with the number done, fewer only if `signal` aborts or `milliseconds` pass. */
  advance(steps: number, options?: AdvanceOptions): Promise<number>;
  /** Resolves with the measurements of the recorded steps since the last call, by ascending step. */
  measured(): Promise<StepRecord[]>;
  /** Like `densifyPipeline`, but on the thread of the pipeline; absent if that is the calling one. */
  densify?(horizon: number): Promise<void>;
  /** Replaces the state by another one with as many blobs. */
  load(state: TrainingState): Promise<void>;
  /** Loss, gradient norms and tile lists of the latest step. */
  statistics(): Promise<StepStatistics>;
  /** The current parameters, optimiser state and step. */
  state(): Promise<TrainingState>;
  /** dL/draw of the latest step's backward pass, 9·N, field-major. */
  gradients(): Promise<Float32Array>;
  /** One forward and backward pass at the current parameters, without a step. Resolves as `gradients`. */
  computeGradients(): Promise<Float32Array>;
  /** Renders at any size; with another aspect ratio than the target's it shows the middle. */
  render(size: Size): Promise<Rendering>;
  /** The tile lists of the latest step. */
  tiles(): Promise<Tiles>;
  /**
   * Renders at a size, and resolves with the milliseconds of the kernel that draws, by the adapter's clock. At another
   * size than the target's, which has its lists already, building the `lists` is included. The copy to the CPU is not.
   * Undefined if the adapter has no timestamps or there is too much to time; undefined or absent on a CPU.
   */
  renderTimes?(size: Size): Promise<Record<string, number> | undefined>;
  /** Draws a chart with a dot per blob at the current step; undefined or absent on a CPU. */
  dots?(chart: DotChart): Promise<DotImage | undefined>;
  /** Bytes of each GPU buffer of the job, by name; absent or undefined on a CPU. */
  allocated?(): Promise<Record<string, number> | undefined>;
  /** Frees all memory once the running call is done. Later calls reject. */
  free(): Promise<void>;
}

/** Blobs to be drawn. */
export interface DrawJob {
  config: TrainConfig;
  /** Size of the image that they learned. */
  size: Size;
  parameters: Float32Array;
  /** Size of the render; with another aspect ratio than the image's it shows the middle. */
  renderSize: Size;
  /** Edited kernels, on a GPU, and the iterations after which their loops are ended. */
  shaders?: ShaderLibrary | undefined;
  maxIterations?: number | undefined;
}

/** Opens pipelines on one engine: a GPU, this thread or a worker. */
export interface Backend {
  /** Adapter or engine, for people. */
  readonly description: string;
  /** Refuses a job that the engine cannot hold, with a ConfigError. */
  check(config: TrainConfig, image: Size): void;
  /**
   * @param state where training begins; the config's initial state if absent
   * @param shaders edited kernels, on a GPU
   * @param maxIterations iterations after which a loop of edited kernels is ended; the pipeline's call then rejects with
   * EndlessLoopError
   */
  open(
    config: TrainConfig,
    image: Image,
    state?: TrainingState,
    shaders?: ShaderLibrary,
    maxIterations?: number,
  ): Promise<Pipeline>;
  /**
   * Renders blobs, in memory for drawing alone. See also `drawBlobs`.
   * @throws ConfigError if the engine cannot draw them at that size
   */
  draw(job: DrawJob): Promise<FloatImage>;
  /** Resolves with the compiler's messages about the config's kernels; absent on a CPU. */
  compile?(config: TrainConfig, shaders: ShaderLibrary): Promise<ShaderMessage[]>;
}

/** The engine lost its device. The run can continue on a new one from its last checkpoint. */
export class DeviceLostError extends Error {
  override name = "DeviceLostError";
}

/** Most devices lost in a row before a run or drawing fails. */
export const maxRecoveries = 3;
