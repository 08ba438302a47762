import type { BenchResult, Measurement } from "../benchResult.js";
import type { Agreement } from "./agreement.js";
import type { EvaluatedPairs } from "./evaluatedPairs.js";
import type { ProgramName } from "./programs.js";

/** Number of iterations in the articles. */
export const iterations = 10_000;

/** The times of a program on a job. */
interface ProgramTime extends Pick<Measurement, "roundSteps" | "rounds" | "median" | "min" | "max"> {
  name: ProgramName;
  /** Agreement with `binned` at the state at which rounds start; a PSNR of null is infinite. */
  agreement: Omit<Agreement, "psnr"> & { psnr: number | null };
}

/** A job, and the times of the programs that can run it. */
export interface RealtimeJob {
  blobs: number;
  width: number;
  height: number;
  tile: [number, number];
  gaussiansPerBlock: number;
  /** Steps before the state at which every round starts. */
  startStep: number;
  /** At that state. */
  pairs: EvaluatedPairs;
  times: ProgramTime[];
}

/** data/bench/realtime.json, which `splatbook bench realtime` records. */
export interface RealtimeResult extends Pick<BenchResult, "date" | "commit" | "versions" | "host" | "image"> {
  adapter: string;
  jobs: RealtimeJob[];
}
