import { completeConfig, type TrainConfig } from "../../config.js";
import type { Image } from "../../image/image.js";
import { median } from "../../medians.js";
import type { TrainingState } from "../../model/blobs.js";
import type { Backend, Pipeline } from "../../pipeline.js";
import type { ShaderLibrary } from "../../shaders.js";
import { initialState } from "../../training/initialState.js";
import { type MeasurementPlan, timeSteps, type WarmUp, warmUp } from "../measure.js";
import { compareOutputs, computeOutput, type ProgramOutput } from "./agreement.js";
import { countEvaluatedPairs } from "./evaluatedPairs.js";
import { openProgram, type Program, programConfig, programOf, programs, unsupportedReason } from "./programs.js";
import type { RealtimeJob } from "./realtimeResult.js";

/** The fields of a recorded job; the others are those of the baseline preset. */
export type ProgramJob = Pick<TrainConfig, "blobs" | "tile"> & { gaussiansPerBlock: number };

interface Candidate extends WarmUp {
  program: Program;
  pipeline: Pipeline;
  rounds: number[];
  output: ProgramOutput;
}

/** Training steps before the rounds. */
const startStep = 500;
/** Maximum of pixel–blob pairs for programs that evaluate all of them: beyond, they would take minutes. */
const maxPairs = 1e9;
/** Limits the drift of parameters in the rounds of fast programs. */
const maxRoundSteps = 1000;

/**
 * Measures every program that can run a job. Each is warmed up, then their rounds alternate, all from the same state,
 * at which their outputs are compared too.
 * @param start number of steps before that state
 * @param report called with progress messages
 */
export async function measurePrograms(
  job: ProgramJob,
  image: Image,
  backend: Backend,
  shaders: ShaderLibrary,
  plan: MeasurementPlan,
  report: (progress: string) => void,
  start = startStep,
): Promise<RealtimeJob> {
  const state = await stateAfter(start, job, image, backend);
  const candidates: Candidate[] = [];
  try {
    const pairs = image.width * image.height * job.blobs;
    const canRun = (program: Program) =>
      !unsupportedReason(program, job) && (program.pipeline !== "simple" || pairs <= maxPairs);
    for (const program of programs.filter(canRun)) {
      report(`${job.blobs} blobs, ${program.title}: warming up`);
      const pipeline = await openProgram(program, job, image, backend, shaders, state);
      const output = await computeOutput(pipeline, image);
      candidates.push({ program, pipeline, output, rounds: [], ...(await warmUp(pipeline, plan)) });
    }
    for (let round = 0; candidates.some(({ roundSteps }) => round < roundSteps.length); round++) {
      for (const { program, pipeline, roundSteps, rounds } of candidates) {
        if (round >= roundSteps.length) continue;
        roundSteps[round] = Math.min(roundSteps[round], maxRoundSteps);
        await pipeline.load(state);
        rounds.push((await timeSteps(pipeline, roundSteps[round])) / roundSteps[round]);
        const stepTime = `${rounds[round].toPrecision(4)} ms per step`;
        report(`${job.blobs} blobs, ${program.title}: round ${round + 1} of ${roundSteps.length}, ${stepTime}`);
      }
    }
  } finally {
    for (const { pipeline } of candidates) await pipeline.free();
  }
  const { output: expected } = candidates.at(-1)!;
  return {
    ...job,
    width: image.width,
    height: image.height,
    startStep: start,
    pairs: countEvaluatedPairs(completeConfig({ ...job, pipeline: "tiled" }), state.parameters, image),
    times: candidates.map(({ program: { name }, roundSteps, rounds, output }) => {
      const { psnr, gradients } = compareOutputs(output, expected);
      return {
        name,
        roundSteps,
        rounds,
        median: median(rounds),
        min: Math.min(...rounds),
        max: Math.max(...rounds),
        agreement: { psnr: Number.isFinite(psnr) ? psnr : null, gradients },
      };
    }),
  };
}

/** Trains for some steps with the fastest program and returns the state. */
async function stateAfter(steps: number, job: ProgramJob, image: Image, backend: Backend): Promise<TrainingState> {
  const config = programConfig(programOf("binned"), job);
  const pipeline = await backend.open(config, image, initialState(config, image));
  try {
    await pipeline.advance(steps);
    return await pipeline.state();
  } finally {
    await pipeline.free();
  }
}
