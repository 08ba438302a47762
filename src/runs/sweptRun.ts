import { ConfigError, type TrainConfig } from "../engine/config.js";
import { type SweptResult, withoutResult } from "../engine/sweep/sweep.js";
import { toFailure } from "../terminal/failure.js";
import { acquireFolder } from "./claimFolder.js";
import type { Engines } from "./engines.js";
import { newJob, resumedJob } from "./job.js";
import { runJob } from "./runJob.js";
import type { SweepJob } from "./sweepJob.js";
import { sweptResultOf } from "./sweepResults.js";

/** What the runs of a sweep share, besides config fields. */
type SweptCommon = Pick<SweepJob, "image" | "imageName" | "imageHash" | "recordEvery" | "recordGradientsEvery">;

interface SweptRun {
  common: SweptCommon;
  config: TrainConfig;
  out: string;
  /** Whether the folder has a checkpoint of the run. */
  hasProgress: boolean;
}

/** Trains a run, or continues it. Returns undefined if it was stopped before anything was saved. */
export async function trainSweptRun(
  { common, config, out, hasProgress }: SweptRun,
  engines: Engines,
  signal: AbortSignal,
): Promise<SweptResult | undefined> {
  await using _lock = await acquireFolder(out);
  try {
    const job = hasProgress ? await resumedJob(out) : newJob({ ...common, config, out });
    const engine = await engines.engineFor(job.config.pipeline);
    if (engine.fallback !== undefined && engines.comparesPipelines) {
      return withoutResult("refused", `${engine.fallback} The CPU cannot replace it in a comparison of pipelines.`);
    }
    const adapted = { ...job, config: engine.adaptConfig(job.config) };
    const { description } = await runJob(adapted, engine, {}, signal);
    return sweptResultOf(description);
  } catch (error) {
    if (signal.aborted) return undefined;
    if (error instanceof ConfigError) return withoutResult("refused", error.message);
    return withoutResult("failed", toFailure(error).message);
  }
}
