import { clamp } from "../clamp.js";
import type { PipelineName, TrainConfig } from "../config.js";
import { type Image, type Size, sizeOf } from "../image/image.js";
import { psnr } from "../image/metrics.js";
import { median, mediansByName } from "../medians.js";
import type { TrainingState } from "../model/blobs.js";
import { countListed, countPairs } from "../model/pairs.js";
import type { Backend, Pipeline } from "../pipeline.js";
import type { BenchImage, BenchOrigin } from "./results.js";

/** Rounds are few and long, because each ends with a wait for the adapter. */
const maxRounds = 5;
const renders = 5;

/** Steps of a round that starts from a given state, since the speed changes with the blobs. */
const maxStepsFromState = 1000;

/** How long to measure. */
interface MeasurementPlan {
  /** Number of measured training steps; if absent, as many as the seconds allow. */
  steps?: number;
  /** Approximate seconds of all rounds of a pipeline. */
  seconds: number;
  /** State that each round starts from, in rounds of limited length; if absent, the state after the round before. */
  start?: TrainingState;
  /** Aborts the measurement. */
  signal?: AbortSignal;
}

/** The times of a pipeline. */
interface RoundTimes {
  /** Training steps per round. */
  roundSteps: number[];
  /** Milliseconds per step of each round, in order, including the wait at the end of the round. */
  rounds: number[];
  median: number;
  min: number;
  max: number;
}

/**
 * Times the training steps of pipelines. Each is warmed up, then their rounds alternate, so that changes on the machine
 * affect all of them alike.
 * @param onRound called after each round with the index of its pipeline and the rounds of this pipeline so far
 * @throws the reason of the signal if it aborts
 */
export async function timeRounds(
  pipelines: Pipeline[],
  plan: MeasurementPlan,
  onRound: (index: number, rounds: number[]) => unknown = () => {},
): Promise<RoundTimes[]> {
  const times = [];
  for (const pipeline of pipelines) times.push({ rounds: [] as number[], roundSteps: await warmUp(pipeline, plan) });
  for (let round = 0; round < maxRounds; round++) {
    for (const [index, { roundSteps, rounds }] of times.entries()) {
      if (round >= roundSteps.length) continue;
      if (plan.start) await pipelines[index].load(plan.start);
      rounds.push((await timeSteps(pipelines[index], roundSteps[round], plan.signal)) / roundSteps[round]);
      await onRound(index, rounds);
    }
  }
  return times.map(({ roundSteps, rounds }) => {
    return { roundSteps, rounds, median: median(rounds), min: Math.min(...rounds), max: Math.max(...rounds) };
  });
}

/** Trains until the speed is stable, and returns the steps of each round. */
async function warmUp(pipeline: Pipeline, plan: MeasurementPlan): Promise<number[]> {
  const { steps: planned, seconds, start, signal } = plan;
  if (planned !== undefined) {
    const roundSteps = splitSteps(planned, Math.min(maxRounds, planned));
    // The warm-up has the same length on every machine.
    await timeSteps(pipeline, 2 * roundSteps[0], signal);
    return roundSteps;
  }
  const milliseconds = 1000 * seconds;
  let [perStep, previous, elapsed] = [0, 0, 0];
  // A one-time cost, such as growing lists, is not the steady speed.
  const isSpeedingUp = () => previous === 0 || perStep < previous / 2;
  for (let steps = 1; elapsed < milliseconds / maxRounds || isSpeedingUp(); steps *= 2) {
    const time = await timeSteps(pipeline, steps, signal);
    [previous, perStep] = [perStep, time / steps];
    elapsed += time;
  }
  const rounds = clamp(Math.floor(milliseconds / perStep), 1, maxRounds);
  const most = start ? maxStepsFromState : Number.POSITIVE_INFINITY;
  return new Array(rounds).fill(clamp(Math.round(milliseconds / rounds / perStep), 1, most));
}

/** Splits steps into rounds as evenly as possible, longer rounds first. */
export function splitSteps(steps: number, rounds: number): number[] {
  return Array.from({ length: rounds }, (_, round) => Math.floor((steps + rounds - 1 - round) / rounds));
}

async function timeSteps(pipeline: Pipeline, steps: number, signal?: AbortSignal): Promise<number> {
  const start = performance.now();
  await pipeline.advance(steps, { signal });
  signal?.throwIfAborted();
  return performance.now() - start;
}

/** The measurement of one pipeline at one job. Times are in milliseconds. */
export type Measurement = Awaited<ReturnType<typeof describe>>;

/** The result of `splatbook bench`, as `--json` prints it. `config` is what the pipelines share. */
export interface BenchResult extends BenchOrigin {
  image: BenchImage;
  config: Omit<TrainConfig, "pipeline">;
  measurements: Measurement[];
}

/**
 * Measures pipelines at one job.
 * @param configs the job's configuration for each pipeline
 * @param backendOf returns the backend of a pipeline
 * @param report called with progress messages
 */
export async function measure(
  configs: TrainConfig[],
  image: Image,
  backendOf: (name: PipelineName) => Backend,
  plan: MeasurementPlan,
  report: (progress: string) => void,
): Promise<Measurement[]> {
  const pipelines: Pipeline[] = [];
  try {
    for (const config of configs) pipelines.push(await backendOf(config.pipeline).open(config, image));
    const stages = configs.map((): Record<string, number>[] => []);
    const times = await timeRounds(pipelines, plan, async (index, rounds) => {
      stages[index].push((await pipelines[index].statistics()).stageTimes ?? {});
      report(`${configs[index].pipeline}: round ${rounds.length}, ${rounds.at(-1)!.toPrecision(4)} ms per step`);
    });
    const measurements: Measurement[] = [];
    for (const [index, config] of configs.entries()) {
      measurements.push(await describe(config, pipelines[index], image, times[index], mediansByName(stages[index])));
    }
    return measurements;
  } finally {
    for (const pipeline of pipelines) await pipeline.free();
  }
}

/** @param stageTimes of each kernel of a step, if the adapter has timestamps */
async function describe(
  config: TrainConfig,
  pipeline: Pipeline,
  image: Image,
  times: RoundTimes,
  stageTimes: Record<string, number> | undefined,
) {
  const size = sizeOf(image);
  const single = [];
  for (let i = 0; i < 3; i++) single.push(await timeSteps(pipeline, 1));
  const tiles = await pipeline.tiles();
  const pairs = {
    ...countPairs(config, (await pipeline.state()).parameters, size),
    ...countListed(tiles.lengths, tiles.across, tiles.size, size),
  };
  return {
    pipeline: config.pipeline,
    adapter: pipeline.description,
    ...times,
    // A round of one step takes this much longer than the median step.
    wait: Math.max(0, median(single) - times.median),
    stageTimes,
    render: await timeRender(pipeline, size),
    pairs,
    // Each with a forward and a backward pass.
    pairsPerSecond: (1000 * pairs.blended) / times.median,
    // Tiles that have lists may be larger than configured.
    listTile: tiles.size,
    // Bytes of each buffer on the GPU.
    allocated: await pipeline.allocated?.(),
    // With the warm-up.
    steps: pipeline.step,
    psnr: psnr(await pipeline.render(size), image),
  };
}

/**
 * Times renders, if the adapter has timestamps: at the target's size, for which lists exist, and with one pixel row less,
 * which needs new lists.
 */
async function timeRender(pipeline: Pipeline, { width, height }: Size) {
  const medianTimes = async (size: Size) => {
    const times: Record<string, number>[] = [];
    for (let i = 0; i < renders; i++) times.push((await pipeline.renderTimes?.(size)) ?? {});
    return mediansByName(times);
  };
  const sum = (times: Record<string, number>) => Object.values(times).reduce((total, time) => total + time, 0);
  const drawing = await medianTimes({ width, height });
  const stages = await medianTimes({ width, height: Math.max(height - 1, 1) });
  return drawing && stages && { drawing: sum(drawing), whole: sum(stages), stages };
}
