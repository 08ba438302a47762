import type { TrainConfig } from "../engine/config.js";
import { type Engine, openEngine } from "../host/node/engine.js";
import { readLibrary } from "../host/node/project.js";
import { printLines } from "../terminal/streams.js";

/** Calls `use` with the engine for a config, or with the CPU engine if there is no GPU. Returns its result. */
export async function withEngine<T>(config: TrainConfig, use: (engine: Engine) => Promise<T>): Promise<T> {
  const engine = await openEngine(config.pipeline, readLibrary);
  try {
    if (engine.fallback !== undefined) printLines(`${engine.fallback} Using the CPU instead.`, "stderr");
    return await use(engine);
  } finally {
    engine.close();
  }
}
