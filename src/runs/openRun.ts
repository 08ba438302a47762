import type { TrainConfig } from "../engine/config.js";
import type { Image } from "../engine/image/image.js";
import type { TrainingState } from "../engine/model/blobs.js";
import { Trainer } from "../engine/training/trainer.js";
import { type Engine, openEngine } from "../host/node/engine.js";
import { readLibrary } from "../host/node/project.js";

/** Asks something of the engine that a run's config names, or of the CPU in its place. */
export async function withEngine<T>(config: TrainConfig, question: (engine: Engine) => Promise<T>): Promise<T> {
  const engine = await openEngine(config.pipeline, readLibrary);
  try {
    if (engine.fallback !== undefined) process.stderr.write(`${engine.fallback} The CPU computes in its place.\n`);
    return await question(engine);
  } finally {
    engine.close();
  }
}

/** Asks a question of a run's blobs, on the engine that the run's config names or on the CPU in its place. */
export function withTrainer<T>(
  config: TrainConfig,
  state: TrainingState,
  image: Image,
  question: (trainer: Trainer) => Promise<T>,
): Promise<T> {
  return withEngine(config, (engine) => question(new Trainer(engine.asTrained(config), image, engine.backend, state)));
}
