import type { Agreement } from "./agreement.js";
import type { EvaluatedPairs } from "./evaluatedPairs.js";
import type { ProgramName } from "./programs.js";

/** The iterations that the articles speak of. */
export const iterations = 10_000;

/** What a program took at a job. */
interface ProgramTime {
  name: ProgramName;
  /** Training steps of each round. */
  roundSteps: number[];
  /** Milliseconds a step of each round, in their order; the wait at the round's end is in them. */
  rounds: number[];
  median: number;
  min: number;
  max: number;
  /** Against `binned`, at the state that the rounds begin with; a PSNR of null is infinite. */
  agreement: Omit<Agreement, "psnr"> & { psnr: number | null };
}

/** A job, and what each program took that can run it. */
export interface RealtimeJob {
  blobs: number;
  width: number;
  height: number;
  tile: [number, number];
  gaussiansPerBlock: number;
  /** Steps after which the rounds begin, each of them anew. */
  startStep: number;
  /** At that state. */
  pairs: EvaluatedPairs;
  times: ProgramTime[];
}

/** data/bench/realtime.json, as src/bench/realtimeCommand.ts records it. */
export interface RealtimeResult {
  date: string;
  commit?: string;
  versions: Record<string, string>;
  host: string;
  adapter: string;
  image: { name: string; width: number; height: number; hash: string };
  jobs: RealtimeJob[];
}
