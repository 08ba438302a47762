import type { PipelineName, TrainConfig } from "../config.js";

/** Pairs in one training step, at the end of the measurement. */
interface PairCounts {
  /** Pixel–blob pairs that are blended, which is the useful work: within the support, before the pixel is opaque. */
  blended: number;
  /** Pixel–blob pairs with the pixel within the blob's support. */
  supported: number;
  /** Pixel–blob pairs on the pixel's tile list, which the pipeline evaluates; more with larger tiles. */
  listed: number;
  /** Tile–blob intersections. */
  entries: number;
}

/** Milliseconds of a render at the image's size, by the adapter's clock, without the readback. */
export interface RenderTime {
  /** With existing lists, as after a training step. */
  drawing: number;
  /** Including the building of lists. */
  whole: number;
  /** `whole` by kernel. */
  stages: Record<string, number>;
}

/** The measurement of one pipeline. */
export interface Measurement {
  pipeline: PipelineName;
  /** Adapter and driver, or CPU engine. */
  adapter: string;
  /** Training steps per round. */
  roundSteps: number[];
  /** Milliseconds per step of each round, in order, including the wait at the end of the round. */
  rounds: number[];
  median: number;
  min: number;
  max: number;
  /**
   * Milliseconds by which a round of one step exceeds the median step: the wait for the adapter at the end of a round.
   */
  wait: number;
  /** Median milliseconds of each kernel of a step, if the adapter has timestamps. */
  stageTimes?: Record<string, number>;
  /** Absent if the adapter has no timestamps. */
  render?: RenderTime;
  pairs: PairCounts;
  /** Blended pairs per second at the median step, each with a forward and a backward pass. */
  pairsPerSecond: number;
  /** Width and height in pixels of the tiles that have lists. */
  listTile: [number, number];
  /** Bytes of each buffer on the GPU, by name. */
  allocated?: Record<string, number>;
  /** Training steps, including warm-up. */
  steps: number;
  /** PSNR after those steps, in dB. */
  psnr: number;
}

/** The recorded result of a benchmark, as `--json` prints it. */
export interface BenchResult {
  date: string;
  commit?: string;
  versions: Record<string, string>;
  host: string;
  /** The adapter of the GPU pipelines and its driver; absent if none was measured. */
  adapter?: string;
  image: { name: string; width: number; height: number; hash: string };
  /** Common configuration of the pipelines. */
  config: Omit<TrainConfig, "pipeline">;
  measurements: Measurement[];
}
