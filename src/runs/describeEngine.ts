import type { RunDescription } from "../engine/files/runDescription.js";
import type { Engine } from "../host/node/engine.js";
import { describeHost } from "../host/node/gpu.js";
import { versions } from "../host/node/project.js";

/** The fields of run.json about the machine and engine of a run. */
export type EngineDescription = Pick<RunDescription, "host" | "adapter" | "fallback" | "versions">;

/** Returns the description of an engine for run.json. */
export function describeEngine({ backend, fallback }: Engine): EngineDescription {
  return {
    host: describeHost(),
    adapter: backend.description,
    ...(fallback !== undefined && { fallback }),
    versions: versions(),
  };
}
