import type { Measurement } from "../../engine/benchResult.js";
import { initialState } from "../../engine/blobs.js";
import type { PipelineName, TrainConfig } from "../../engine/config.js";
import type { Image } from "../../engine/image.js";
import { psnr } from "../../engine/metrics.js";
import type { Backend, Pipeline, Tiles } from "../../engine/pipeline.js";

/** A pipeline under measurement. */
interface Entrant {
  config: TrainConfig;
  pipeline: Pipeline;
  rounds: number[];
  stageTimes: Record<string, number>[];
}

const warmUpRounds = 2;

/**
 * Times pipelines at one job, side by side: each is warmed up, then they take turns, round by round, so that what
 * changes on the machine meanwhile changes all of them alike.
 * @param configs the job, once for each pipeline
 * @param backendOf the engine of a pipeline
 * @param note told of what goes on
 */
export async function measure(
  configs: TrainConfig[],
  image: Image,
  backendOf: (name: PipelineName) => Backend,
  { rounds, stepsPerRound }: { rounds: number; stepsPerRound: number },
  note: (progress: string) => void,
): Promise<Measurement[]> {
  const entrants: Entrant[] = [];
  try {
    for (const config of configs) {
      const pipeline = await backendOf(config.pipeline).open(config, image, initialState(config));
      entrants.push({ config, pipeline, rounds: [], stageTimes: [] });
    }
    for (const { config, pipeline } of entrants) {
      note(`${config.pipeline}: warming up`);
      for (let round = 0; round < warmUpRounds; round++) await pipeline.advance(stepsPerRound);
    }
    for (let round = 0; round < rounds; round++) {
      for (const entrant of entrants) {
        const milliseconds = await timeRound(entrant, stepsPerRound);
        note(`${entrant.config.pipeline}: round ${round + 1} of ${rounds}, ${milliseconds.toPrecision(4)} ms a step`);
      }
    }
    const measurements: Measurement[] = [];
    for (const entrant of entrants) measurements.push(await conclude(entrant, image, stepsPerRound));
    return measurements;
  } finally {
    for (const { pipeline } of entrants) await pipeline.free();
  }
}

async function timeRound({ pipeline, rounds, stageTimes }: Entrant, steps: number): Promise<number> {
  const start = performance.now();
  await pipeline.advance(steps);
  const milliseconds = (performance.now() - start) / steps;
  rounds.push(milliseconds);
  const { stageTimes: stages } = await pipeline.statistics();
  if (stages) stageTimes.push(stages);
  return milliseconds;
}

async function conclude(entrant: Entrant, image: Image, stepsPerRound: number): Promise<Measurement> {
  const { config, pipeline, rounds, stageTimes } = entrant;
  const pairsPerStep = countPairs(await pipeline.tiles(), image);
  const middle = median(rounds);
  const stages = Object.keys(stageTimes[0] ?? {}).map((stage) => [
    stage,
    median(stageTimes.map((times) => times[stage])),
  ]);
  return {
    pipeline: config.pipeline,
    adapter: pipeline.description,
    stepsPerRound,
    rounds,
    median: middle,
    min: Math.min(...rounds),
    max: Math.max(...rounds),
    ...(stages.length > 0 && { stageTimes: Object.fromEntries(stages) }),
    pairsPerStep,
    pairsPerSecond: (1000 * pairsPerStep) / middle,
    steps: pipeline.step,
    psnr: psnr(await pipeline.render({ width: image.width, height: image.height }), image),
  };
}

/** Σ over tiles of their pixels on the image × their short-list's length. */
function countPairs({ size: [width, height], across, lengths }: Tiles, image: Image): number {
  let pairs = 0;
  for (let tile = 0; tile < lengths.length; tile++) {
    const x = (tile % across) * width;
    const y = Math.floor(tile / across) * height;
    pairs += lengths[tile] * Math.min(width, image.width - x) * Math.min(height, image.height - y);
  }
  return pairs;
}

function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
