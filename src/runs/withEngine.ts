import type { TrainConfig } from "../engine/config.js";
import { type Engine, openEngine } from "../host/node/engine.js";
import { readLibrary } from "../host/node/project.js";

/** Asks something of the engine that a run's config names, or of the CPU in its place. */
export async function withEngine<T>(config: TrainConfig, use: (engine: Engine) => Promise<T>): Promise<T> {
  const engine = await openEngine(config.pipeline, readLibrary);
  try {
    if (engine.fallback !== undefined) process.stderr.write(`${engine.fallback} The CPU computes in its place.\n`);
    return await use(engine);
  } finally {
    engine.close();
  }
}
