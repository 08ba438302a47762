import { ConfigError, completeConfig, type PipelineName } from "../engine/config.js";
import { fields } from "../engine/fields.js";

/** Options of `splatbook bench`, as typed. */
export interface BenchOptions {
  pipelines?: string;
  blobs?: string;
  steps?: string;
  seconds?: string;
  tile?: string;
  gaussiansPerBlock?: string;
  size?: string;
  workers?: string;
  scaling?: boolean;
  quality?: boolean;
  rows?: string;
  out?: string;
  json?: boolean;
  quiet?: boolean;
}

/** Default number of blobs on a CPU, where the preset's number would take minutes per step. */
export const cpuBlobs = 2000;

/** Seconds to measure a pipeline at a single job, and at each job of a sweep. */
export const seconds = { alone: "5", scaling: "1" };

/**
 * Returns the pipelines of a comma-separated list, or all pipelines without a list.
 * @throws ConfigError
 */
export function pipelineNames(list: string | undefined): PipelineName[] {
  const names = list === undefined ? fields.pipeline.choices : list.split(",").map((name) => name.trim());
  try {
    return [...new Set(names)].map((pipeline) => completeConfig({ pipeline }).pipeline);
  } catch (error) {
    if (error instanceof ConfigError) throw new ConfigError("pipelines", error.value, error.allowed, error.suggestion);
    throw error;
  }
}

/** Returns a function that prints a line of progress to stderr, or nothing if `quiet`. */
export function progressNote(quiet = false): (line: string) => void {
  return quiet ? () => {} : (line) => process.stderr.write(`${line}\n`);
}
