import { untilDivergence } from "../engine/divergence.js";
import { Trainer } from "../engine/training/trainer.js";
import type { Engine } from "../host/node/engine.js";
import type { Job } from "./job.js";

/** Steps that are not measured, since kernels are compiled and workers start. */
const warmUpSteps = 2;

/**
 * Returns the steps per second at the start of a job. The trained state is discarded.
 * @param seconds approximate duration of the measurement
 */
export async function measureStepsPerSecond(
  job: Job,
  engine: Engine,
  signal: AbortSignal,
  seconds: number,
): Promise<number> {
  const probe = new Trainer(job.config, job.image, engine.backend);
  let [step, elapsed] = [0, 0];
  let measuredFrom: { step: number; seconds: number } | undefined;
  const run = probe.run({ interval: 0, until: warmUpSteps + 20, signal });
  for await (const snapshot of untilDivergence(run)) {
    if (!measuredFrom && snapshot.step >= warmUpSteps) measuredFrom = snapshot;
    step = snapshot.step - (measuredFrom?.step ?? 0);
    elapsed = snapshot.seconds - (measuredFrom?.seconds ?? 0);
    if (step > 0 && snapshot.seconds > seconds) break;
  }
  return step / Math.max(elapsed, 1e-6);
}
