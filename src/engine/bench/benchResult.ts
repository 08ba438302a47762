import type { PipelineName, TrainConfig } from "../config.js";
import type { Peak } from "../pipeline.js";
import type { operationsPerPair } from "./work.js";

/** Pairs of one training step, at the end of the measurement. */
interface PairCounts {
  /** Of a pixel and a blob whose support holds it, and which comes before the pixel is opaque: the useful work. */
  blended: number;
  /** Of a pixel and a blob whose support holds it. */
  supported: number;
  /** Of a pixel and a blob on the list of its tile: what the pipeline looks at, more with larger tiles. */
  listed: number;
  /** Of a tile and a blob on its list. */
  entries: number;
}

/** Milliseconds of a render at the image's size, by the adapter's own clock, without the copy to the CPU. */
export interface RenderTime {
  /** Where the lists stand already, as after a training step. */
  drawing: number;
  /** From the parameters, the building of lists included. */
  whole: number;
  /** The same by kernel. */
  stages: Record<string, number>;
}

/** What one pipeline took for a job. */
export interface Measurement {
  pipeline: PipelineName;
  /** Adapter or engine; of a GPU its driver too. */
  adapter: string;
  /** Training steps of each round. */
  roundSteps: number[];
  /** Milliseconds a step, of each round in the order in which they ran; the wait at the round's end is in them. */
  rounds: number[];
  median: number;
  min: number;
  max: number;
  /** Milliseconds of a round of one step, above the median step: what each round waits for the adapter besides. */
  wait: number;
  /** Median milliseconds of each kernel of a step, where the adapter has timestamps. */
  stageTimes?: Record<string, number>;
  /** Where the adapter has timestamps. */
  render?: RenderTime;
  pairs: PairCounts;
  /** Blended pairs in a second, at the median step; each goes through a forward and a backward pass. */
  pairsPerSecond: number;
  /** The same times the operations of a pair, as a share of the peak that was measured; of a GPU. */
  share?: number;
  /** Width and height in pixels of the tiles that have lists. */
  listTile: [number, number];
  /** Bytes of each buffer on the GPU, by name. */
  allocated?: Record<string, number>;
  /** Training steps done, warm-up included. */
  steps: number;
  /** Decibels after those steps. */
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
  /** What the adapter does at most, measured in the same run. */
  peak?: Peak;
  operationsPerPair: typeof operationsPerPair;
  image: { name: string; width: number; height: number; hash: string };
  /** What the pipelines have in common. */
  config: Omit<TrainConfig, "pipeline">;
  measurements: Measurement[];
}
