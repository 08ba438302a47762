import type { PipelineName, TrainConfig } from "../config.js";
import type { Image, Size } from "../image/image.js";
import { psnr } from "../image/metrics.js";
import { median, mediansByName } from "../medians.js";
import { countPairs } from "../model/pairs.js";
import type { Backend, Pipeline, Tiles } from "../pipeline.js";
import type { Measurement, RenderTime } from "./benchResult.js";

/** How long to measure. */
export interface MeasurementPlan {
  /** Exact number of measured training steps per pipeline; if absent, as many as the seconds allow. */
  steps?: number;
  /** Approximate seconds of all rounds of a pipeline. */
  seconds: number;
}

/** The result of a warm-up. */
export interface WarmUp {
  /** Planned steps per round. */
  roundSteps: number[];
  /** Milliseconds of rounds of one step. */
  single: number[];
}

/** A pipeline under measurement. */
interface Candidate extends WarmUp {
  config: TrainConfig;
  pipeline: Pipeline;
  /** Milliseconds per step of each round. */
  rounds: number[];
  stageTimes: Record<string, number>[];
}

/** Rounds are few and long, because each ends with a wait for the adapter. */
const maxRounds = 5;
const singleRounds = 5;
const renders = 5;

/**
 * Measures pipelines on one job. Each is warmed up, then their rounds alternate, so that changes on the machine affect
 * all of them alike.
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
  const candidates: Candidate[] = [];
  try {
    for (const config of configs) {
      const pipeline = await backendOf(config.pipeline).open(config, image);
      candidates.push({ config, pipeline, roundSteps: [], rounds: [], stageTimes: [], single: [] });
    }
    for (const candidate of candidates) {
      report(`${candidate.config.pipeline}: warming up`);
      Object.assign(candidate, await warmUp(candidate.pipeline, plan));
    }
    for (let round = 0; round < maxRounds; round++) {
      for (const candidate of candidates) {
        const { length } = candidate.roundSteps;
        if (round >= length) continue;
        const milliseconds = await timeRound(candidate, candidate.roundSteps[round]);
        report(
          `${candidate.config.pipeline}: round ${round + 1} of ${length}, ${milliseconds.toPrecision(4)} ms per step`,
        );
      }
    }
    const measurements: Measurement[] = [];
    for (const candidate of candidates) measurements.push(await summarizeRounds(candidate, image));
    return measurements;
  } finally {
    for (const { pipeline } of candidates) await pipeline.free();
  }
}

/**
 * Trains until the speed is stable, times rounds of one step, and plans the rounds by the time per step.
 * @param signal aborts the training
 */
export async function warmUp(pipeline: Pipeline, plan: MeasurementPlan, signal?: AbortSignal): Promise<WarmUp> {
  const roundBudget = (1000 * plan.seconds) / maxRounds;
  const plannedRounds = plan.steps === undefined ? undefined : splitSteps(plan.steps, Math.min(maxRounds, plan.steps));
  const maxSteps = plannedRounds ? 2 * plannedRounds[0] : Number.POSITIVE_INFINITY;
  let [perStep, previous] = [0, 0];
  let [done, elapsed] = [0, 0];
  // A one-time cost, such as growing lists, is not the steady speed.
  const isSpeedingUp = () => previous === 0 || perStep < previous / 2;
  // With given steps, the warm-up has the same length on every machine.
  for (let count = 1; done < maxSteps && (plannedRounds || elapsed < roundBudget || isSpeedingUp()); count *= 2) {
    const steps = Math.min(count, maxSteps - done);
    const milliseconds = await timeSteps(pipeline, steps, signal);
    previous = perStep;
    perStep = milliseconds / steps;
    done += steps;
    elapsed += milliseconds;
  }
  const single: number[] = [];
  for (let i = 0; plannedRounds ? i < 2 : i < singleRounds && (i === 0 || i * perStep < roundBudget / 2); i++) {
    single.push(await timeSteps(pipeline, 1, signal));
  }
  return { single, roundSteps: plannedRounds ?? planRounds(1000 * plan.seconds, perStep) };
}

/** Returns equal rounds that take about so many milliseconds in total, fewer than `maxRounds` if a step takes long. */
function planRounds(milliseconds: number, perStep: number): number[] {
  const rounds = Math.max(1, Math.min(maxRounds, Math.floor(milliseconds / perStep)));
  return new Array(rounds).fill(Math.max(1, Math.round(milliseconds / rounds / perStep)));
}

/** Splits steps into rounds as evenly as possible, longer rounds first. */
export function splitSteps(steps: number, rounds: number): number[] {
  return Array.from({ length: rounds }, (_, round) => Math.floor((steps + rounds - 1 - round) / rounds));
}

/**
 * Returns the milliseconds until the adapter has completed some steps.
 * @throws the reason of the signal if it aborts
 */
export async function timeSteps(pipeline: Pipeline, steps: number, signal?: AbortSignal): Promise<number> {
  const start = performance.now();
  await pipeline.advance(steps, { signal });
  signal?.throwIfAborted();
  return performance.now() - start;
}

async function timeRound({ pipeline, rounds, stageTimes }: Candidate, steps: number): Promise<number> {
  const milliseconds = (await timeSteps(pipeline, steps)) / steps;
  rounds.push(milliseconds);
  const { stageTimes: stages } = await pipeline.statistics();
  if (stages) stageTimes.push(stages);
  return milliseconds;
}

async function summarizeRounds(candidate: Candidate, image: Image): Promise<Measurement> {
  const { config, pipeline, roundSteps, rounds, stageTimes, single } = candidate;
  const { width, height } = image;
  const tiles = await pipeline.tiles();
  const { parameters } = await pipeline.state();
  const medianTime = median(rounds);
  const pairs = countPairs(config, parameters, { width, height });
  const pairsPerSecond = (1000 * pairs.blended) / medianTime;
  const stages = mediansByName(stageTimes);
  const allocated = await pipeline.allocated?.();
  const render = await measureRenderTime(pipeline, { width, height });
  return {
    pipeline: config.pipeline,
    adapter: pipeline.description,
    roundSteps,
    rounds,
    median: medianTime,
    min: Math.min(...rounds),
    max: Math.max(...rounds),
    wait: Math.max(0, median(single) - medianTime),
    ...(stages && { stageTimes: stages }),
    ...(render && { render }),
    pairs: {
      ...pairs,
      listed: countListedPairs(tiles, image),
      entries: tiles.lengths.reduce((sum, length) => sum + length, 0),
    },
    pairsPerSecond,
    listTile: tiles.size,
    ...(allocated && { allocated }),
    steps: pipeline.step,
    psnr: psnr(await pipeline.render({ width, height }), image),
  };
}

/** Times renders at the target's size, with existing lists, and with one pixel row less, which needs new lists. */
async function measureRenderTime(pipeline: Pipeline, { width, height }: Size): Promise<RenderTime | undefined> {
  const medianTimes = async (size: Size) => {
    const times: Record<string, number>[] = [];
    for (let i = 0; i < renders; i++) times.push((await pipeline.renderTimes?.(size)) ?? {});
    return mediansByName(times);
  };
  const drawing = await medianTimes({ width, height });
  const stages = await medianTimes({ width, height: Math.max(height - 1, 1) });
  return drawing && stages && { drawing: sumTimes(drawing), whole: sumTimes(stages), stages };
}

function sumTimes(times: Record<string, number>): number {
  return Object.values(times).reduce((sum, time) => sum + time, 0);
}

/** Returns the number of pixel–blob pairs on tile lists: Σ over tiles of pixels in the image × list length. */
export function countListedPairs({ size: [width, height], across, lengths }: Tiles, image: Size): number {
  let pairs = 0;
  for (let tile = 0; tile < lengths.length; tile++) {
    const x = (tile % across) * width;
    const y = Math.floor(tile / across) * height;
    pairs += lengths[tile] * Math.min(width, image.width - x) * Math.min(height, image.height - y);
  }
  return pairs;
}
