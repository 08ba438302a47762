import type { RunDescription } from "./runDescription.js";

/** A run that the site publishes, as its index tells of it. */
export interface RecordedRun {
  /** Its folder's. */
  name: string;
  description: RunDescription;
  /** What it came to in small, as an address that holds the picture. */
  thumbnail: string;
  /** Its files, all but the optimiser. */
  files: { name: string; bytes: number }[];
}
