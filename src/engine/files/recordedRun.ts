import type { RunDescription } from "./runDescription.js";

/** A run that the site publishes, or the best run of a sweep. */
export interface RecordedRun {
  /** Name of its page. */
  name: string;
  /** Its folder below the published runs: the name, or for a sweep the name and the run's. */
  folder: string;
  /** Number of runs of the sweep. */
  sweptRuns?: number;
  description: RunDescription;
  /** A small render as a data URL. */
  thumbnail: string;
  /** Its files, except the optimiser state. */
  files: { name: string; bytes: number }[];
}
