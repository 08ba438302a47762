import { ConfigError, completeConfig, type PipelineName } from "../engine/config.js";
import { fields } from "../engine/fields.js";

/** Options of `splatbook bench`, as they were typed. */
export interface BenchOptions {
  pipelines?: string;
  blobs?: string;
  steps?: string;
  seconds?: string;
  tile?: string;
  gaussiansPerBlock?: string;
  size?: string;
  workers?: string;
  scaling?: string | true;
  quality?: boolean;
  rows?: string;
  keep?: string;
  out?: string;
  json?: boolean;
  quiet?: boolean;
}

/** Blobs by default where a CPU computes: the preset's number would take minutes a step. */
export const cpuBlobs = 2000;

/** Seconds that a pipeline is measured at one job, and at each job of many. */
export const seconds = { alone: "5", scaling: "1" };

/**
 * The pipelines that a command line names; all where it names none.
 * @throws ConfigError
 */
export function pipelineNames(list: string | undefined): PipelineName[] {
  const names = list === undefined ? fields.pipeline.choices : list.split(",").map((name) => name.trim());
  try {
    return [...new Set(names)].map((pipeline) => completeConfig({ pipeline }).pipeline);
  } catch (error) {
    if (error instanceof ConfigError) throw new ConfigError("pipelines", error.value, error.allowed);
    throw error;
  }
}
