import type { RunDescription } from "./runDescription.js";

/** A run that the site publishes. */
export interface RecordedRun {
  /** Name of its folder. */
  name: string;
  description: RunDescription;
  /** A small render as a data URL. */
  thumbnail: string;
  /** Its files, except the optimiser state. */
  files: { name: string; bytes: number }[];
}
