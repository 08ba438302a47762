import type { RunDescription } from "../engine/files/runDescription.js";
import type { Engine } from "../host/node/engine.js";
import { describeHost } from "../host/node/gpu.js";
import { versions } from "../host/node/project.js";

/** What computed a run. */
export type EngineDescription = Pick<RunDescription, "host" | "adapter" | "fallback" | "versions">;

/** What run.json tells of what computed a run. */
export function describeEngine({ backend, fallback }: Engine): EngineDescription {
  return {
    host: describeHost(),
    adapter: backend.description,
    ...(fallback !== undefined && { fallback }),
    versions: versions(),
  };
}
