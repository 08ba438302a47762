import { compareOutputs, computeOutput, type ProgramOutput } from "../../../engine/bench/realtime/agreement.js";
import type { EvaluatedPairs } from "../../../engine/bench/realtime/evaluatedPairs.js";
import {
  openProgram,
  type Program,
  programOf,
  programs,
  unsupportedReason,
} from "../../../engine/bench/realtime/programs.js";
import { completeConfig } from "../../../engine/config.js";
import type { FloatImage, Image } from "../../../engine/image/image.js";
import { initialState } from "../../../engine/training/initialState.js";
import type { BrowserEngine } from "../../../host/browser/engine.js";
import { numberText } from "../../page/numberText.js";
import { follow } from "../../training/follow.js";
import { runInWorker } from "../../worker/runInWorker.js";
import { Race } from "./race.js";
import { defaultParticipants, jobChoicesFor, type RaceJob } from "./raceJob.js";

/** Converts a render and computes its PSNR, in a worker. */
async function inspectRender(render: FloatImage, target: Image) {
  const [image, psnr] = await Promise.all([runInWorker("toImage", render), runInWorker("psnr", render, target)]);
  return { image, psnr };
}

/**
 * Returns a race of the programs.
 * @param invalidation Framework's promise that the cell is invalidated: the race ends, and its memory is freed
 */
export function pageRace(
  engine: BrowserEngine,
  job: RaceJob,
  target: Image,
  participants: readonly Program[],
  invalidation: Promise<unknown>,
): Race {
  const race = new Race(engine, job, target, participants, inspectRender);
  void invalidation.then(() => race.free());
  return race;
}

/** The pixel–blob pairs that each method evaluates, at a step of the race. */
export interface CountedPairs {
  step: number;
  parameters: Float32Array;
  pairs: EvaluatedPairs;
}

/** Yields the pairs at the start of a race, and then as it trains. */
export function countedPairs(race: Race): AsyncGenerator<CountedPairs> {
  const { width, height } = race.target;
  const config = completeConfig({ ...race.job, pipeline: "tiled" });
  const count = async ({ step, parameters }: Race["trained"]) => {
    const pairs = await runInWorker("countEvaluatedPairs", config, parameters, { width, height });
    return { step, parameters, pairs };
  };
  let last: { trained: Race["trained"]; counted: Promise<CountedPairs> } | undefined;
  const read = () => {
    if (last?.trained !== race.trained) last = { trained: race.trained, counted: count(race.trained) };
    return last.counted;
  };
  return follow(race, read, { interval: 3000 });
}

/** Steps after which the programs are compared. */
export const comparisonSteps = 20;

/**
 * Gives every program the same half-trained blobs, and compares their renders and gradients with those of binned.
 * @param note called with the progress
 * @returns the number of blobs, and a row of texts per program
 */
export async function comparePrograms(
  engine: BrowserEngine,
  requestedJob: RaceJob,
  target: Image,
  note: (text: string) => void,
) {
  // Programs that take minutes per step are compared with the default job.
  const isLong = !defaultParticipants(requestedJob, target).includes(programOf("every-undo"));
  const job = isLong ? { ...requestedJob, ...jobChoicesFor(engine.kind).defaults } : requestedJob;
  const { blobs, tile, gaussiansPerBlock } = job;
  const config = completeConfig({ blobs, tile, pipeline: "binned" });
  const backend = engine.backend("binned");
  note("Training a little");
  const trainer = await backend.open(config, target, initialState(config, target));
  const state = await trainer
    .advance(comparisonSteps)
    .then(() => trainer.state())
    .finally(() => trainer.free());
  const computed = new Map<Program, ProgramOutput>();
  for (const program of programs.filter((program) => !unsupportedReason(program, job))) {
    note(program.title);
    const raceJob = { ...config, gaussiansPerBlock };
    const pipeline = await openProgram(program, raceJob, target, backend, engine.shaders, state);
    computed.set(program, await computeOutput(pipeline, target).finally(() => pipeline.free()));
  }
  const reference = computed.get(programOf("binned"))!;
  const rows = programs.map((program) => {
    const result = computed.get(program);
    if (!result) return { program, image: "exceeds its limit", gradients: "–" };
    if (result === reference) return { program, image: "reference", gradients: "reference" };
    const { psnr, gradients } = compareOutputs(result, reference);
    const image = Number.isFinite(psnr) ? `${psnr.toFixed(0)} dB` : "equal";
    return { program, image, gradients: gradients === 0 ? "none" : numberText(gradients, 2) };
  });
  return { blobs, rows };
}
