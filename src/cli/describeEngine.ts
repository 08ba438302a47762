import { describeHost } from "../host/node.js";
import type { Engine } from "./engine.js";
import { versions } from "./versions.js";

/** What run.json tells of what computed a run. */
export function describeEngine({ backend, fallback }: Engine) {
  return {
    host: describeHost(),
    adapter: backend.description,
    ...(fallback !== undefined && { fallback }),
    versions: versions(),
  };
}
