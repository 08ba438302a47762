import type { TrainConfig } from "./config.js";
import type { FloatImage, Image, Size } from "./image/image.js";
import type { ParameterGroup, TrainingState } from "./model/blobs.js";
import type { ShaderLibrary, ShaderMessage } from "./shaders.js";

/** What the latest step measured, on the parameters that it began with. */
export interface StepStatistics {
  /** Σ over pixels and rgb of (out − target)² / (W·H). */
  loss: number;
  /** Euclidean norm of the gradient, by parameter group, in raw units. */
  gradientNorms: Record<ParameterGroup, number>;
  tileLists: TileListStatistics;
  /** Milliseconds of each kernel of the step, where the adapter has timestamps. */
  stageTimes?: Record<string, number>;
}

/** The same of a step that is done. */
export interface StepRecord extends StepStatistics {
  step: number;
}

/** Over the tiles of the image: how many blobs their short-lists hold. */
export interface TileListStatistics {
  mean: number;
  longest: number;
  /** Tiles that take more than one pass, because their list is longer than GAUSSIANS_PER_BLOCK. */
  overflowing: number;
  /** The most gather–sort–blend passes of a tile. */
  passes: number;
}

/** The tiles of the image at the latest step, row by row. */
export interface Tiles {
  /** Width and height of a tile in pixels: the config's, or what the pipeline joins them to. */
  size: [number, number];
  across: number;
  down: number;
  /** Blobs in each tile's short-list. */
  lengths: Uint32Array;
  /** Gather–sort–blend passes of each tile. */
  passes: Uint32Array;
}

/** The blobs' picture, and the steps done by then. */
export interface Rendering extends FloatImage {
  step: number;
}

/** How steps are to be taken. */
export interface AdvanceOptions {
  /** Cuts them short. */
  signal?: AbortSignal;
  /**
   * Milliseconds after which the CPU engine cuts them short, after one step at least, so that a question behind them is
   * soon answered however busy the machine is. A GPU's steps are submitted together.
   */
  milliseconds?: number;
  /** The step at which the schedule of the learning rates ends; the config's number of steps if absent. */
  horizon?: number;
  /** What a step measures is kept for `measured` where its number is a multiple of this, and of the last step; of none if absent. */
  recordEvery?: number;
}

/**
 * One training job on one engine. All pipelines compute the same function of the same config and parameters.
 * Calls may overlap: they are carried out one after the other.
 */
export interface Pipeline {
  /** Adapter and engine, for people. */
  readonly description: string;
  /** Steps done. */
  readonly step: number;
  /** Runs up to `steps` further training steps; resolves with the number done, fewer only if `signal` aborts or `milliseconds` are over. */
  advance(steps: number, options?: AdvanceOptions): Promise<number>;
  /** What the steps that were to be recorded measured, since this was asked last, by ascending step. */
  measured(): Promise<StepRecord[]>;
  /** Places blobs where the error is, as `densifyPipeline`, away from this thread; absent where the pipeline is on this thread. */
  densify?(horizon: number): Promise<void>;
  /** Goes on from another state of as many blobs. */
  load(state: TrainingState): Promise<void>;
  /** Loss, gradient norms and short-lists of the latest step. */
  statistics(): Promise<StepStatistics>;
  /** Parameters, optimiser and step, as of now. */
  state(): Promise<TrainingState>;
  /** dL/draw of the latest step's backward pass, 9·N, field-major. */
  gradients(): Promise<Float32Array>;
  /** One forward and backward pass at the present parameters, which stay as they are. Resolves as `gradients`. */
  computeGradients(): Promise<Float32Array>;
  /** The blobs at any size; where its shape differs from the target's it shows the middle. */
  render(size: Size): Promise<Rendering>;
  /** Short-list lengths by tile, of the latest step. */
  tiles(): Promise<Tiles>;
  /**
   * Renders at a size, and resolves with the milliseconds of the kernel that draws, by the adapter's own clock; of
   * another size than the target's, whose lists stand already, with those of building the `lists` too. The copy to the
   * CPU is not in them. Undefined where the adapter has no timestamps, or there is too much to time, and on a CPU, where
   * it may be absent too.
   */
  renderTimes?(size: Size): Promise<Record<string, number> | undefined>;
  /** Bytes of each buffer that the job holds on the GPU, by the buffer's name; absent or undefined on a CPU. */
  allocated?(): Promise<Record<string, number> | undefined>;
  /** Frees all memory once the call under way is done. Calls that come later reject. */
  free(): Promise<void>;
}

/** Blobs to be drawn. */
export interface DrawJob {
  config: TrainConfig;
  /** Of the image that they learned. */
  size: Size;
  parameters: Float32Array;
  /** The size to draw at; where its shape differs from the image's, the render shows the middle. */
  renderSize: Size;
  /** Kernels instead of the engine's own, on a GPU, and the turns after which a loop of theirs is ended. */
  shaders?: ShaderLibrary | undefined;
  maxIterations?: number | undefined;
}

/** What an adapter does at most, as measured. */
export interface Peak {
  /** Fused multiply-adds a second, of float32: two operations each. */
  multiplyAddsPerSecond: number;
  /** Bytes a second that a copy reads and writes, of more than caches hold. */
  bytesPerSecond: number;
}

/** Opens pipelines on one engine: a GPU, this thread, a worker. */
export interface Backend {
  /** Adapter or engine, for people. */
  readonly description: string;
  /** Refuses a job that the engine cannot hold, with a ConfigError. */
  check(config: TrainConfig, image: Size): void;
  /**
   * @param state where training begins; the config's initial state if absent
   * @param shaders kernels in place of the engine's own, on a GPU
   * @param maxIterations where those are on trial: turns after which a loop of theirs is ended. The pipeline's call that
   * this happens in rejects with EndlessLoopError
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
  /** What the compiler says of the config's kernels; absent on a CPU. */
  compile?(config: TrainConfig, shaders: ShaderLibrary): Promise<ShaderMessage[]>;
  /** Measures what the adapter does at most; a CPU's engine is not measured. */
  measurePeak?(): Promise<Peak>;
}

/** The engine lost its device; the run can go on, from its last checkpoint, on a new one. */
export class DeviceLostError extends Error {
  override name = "DeviceLostError";
}
