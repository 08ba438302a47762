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

/** What a job of the recording says; the other fields are the baseline preset's. */
export type ProgramJob = Pick<TrainConfig, "blobs" | "tile"> & { gaussiansPerBlock: number };

interface Candidate extends WarmUp {
  program: Program;
  pipeline: Pipeline;
  rounds: number[];
  computed: ProgramOutput;
}

/** Steps with which a run is under way, where the rounds begin. */
const startStep = 500;
/** Pairs of a pixel and a blob beyond which a program that evaluates all of them is left out: it would take minutes. */
const maxPairs = 1e9;
/** So that the rounds of a fast program do not go far beyond those of a slow one. */
const maxRoundSteps = 1000;

/**
 * Times every program that can run a job, side by side: each is warmed up, then they take turns, round by round, each
 * round from the same state. They are compared at that state too.
 * @param start steps after which that state is taken
 * @param report told of what goes on
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
      const computed = await computeOutput(pipeline, image);
      candidates.push({ program, pipeline, computed, rounds: [], ...(await warmUp(pipeline, plan)) });
    }
    for (let round = 0; candidates.some(({ roundSteps }) => round < roundSteps.length); round++) {
      for (const { program, pipeline, roundSteps, rounds } of candidates) {
        if (round >= roundSteps.length) continue;
        roundSteps[round] = Math.min(roundSteps[round], maxRoundSteps);
        await pipeline.load(state);
        rounds.push((await timeSteps(pipeline, roundSteps[round])) / roundSteps[round]);
        const roundTime = rounds[round].toPrecision(4);
        report(
          `${job.blobs} blobs, ${program.title}: round ${round + 1} of ${roundSteps.length}, ${roundTime} ms a step`,
        );
      }
    }
  } finally {
    for (const { pipeline } of candidates) await pipeline.free();
  }
  const { computed: expected } = candidates.at(-1)!;
  return {
    ...job,
    width: image.width,
    height: image.height,
    startStep: start,
    pairs: countEvaluatedPairs(completeConfig({ ...job, pipeline: "tiled" }), state.parameters, image),
    times: candidates.map(({ program: { name }, roundSteps, rounds, computed }) => {
      const { psnr, gradients } = compareOutputs(computed, expected);
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

/** Where training is after some steps, by the program that takes least time. */
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
