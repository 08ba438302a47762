import type { PipelineName, TrainConfig } from "./config.js";

/** What one pipeline took for a job. */
export interface Measurement {
  pipeline: PipelineName;
  /** Adapter or engine. */
  adapter: string;
  /** Training steps of each round. */
  stepsPerRound: number;
  /** Milliseconds a step, of each round in the order in which they ran. */
  rounds: number[];
  median: number;
  min: number;
  max: number;
  /** Median milliseconds of each kernel of a step, where the adapter has timestamps. */
  stageTimes?: Record<string, number>;
  /** Pairs of a pixel and a blob of its tile's short-list in one step, at the end. */
  pairsPerStep: number;
  /** The same in a second, at the median; each pair goes through a forward and a backward pass. */
  pairsPerSecond: number;
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
  /** The adapter of the GPU pipelines; absent if none was measured. */
  adapter?: string;
  image: { name: string; width: number; height: number; hash: string };
  /** What the pipelines have in common. */
  config: Omit<TrainConfig, "pipeline">;
  measurements: Measurement[];
}
