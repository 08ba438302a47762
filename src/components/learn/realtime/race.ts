import { timeSteps, warmUp } from "../../../engine/bench/measure.js";
import {
  openProgram,
  type Program,
  type ProgramName,
  programConfig,
  programOf,
  programs,
} from "../../../engine/bench/realtime/programs.js";
import { iterations } from "../../../engine/bench/realtime/realtimeResult.js";
import type { FloatImage, Image } from "../../../engine/image/image.js";
import { median } from "../../../engine/medians.js";
import type { TrainingState } from "../../../engine/model/blobs.js";
import type { Pipeline } from "../../../engine/pipeline.js";
import { initialState } from "../../../engine/training/initialState.js";
import type { BrowserEngine } from "../../../host/browser/engine.js";
import { ChangeSignal, follow } from "../../training/follow.js";
import type { RaceJob } from "./raceJob.js";

/** A program in the race. */
export interface Runner {
  readonly program: Program;
  readonly isParticipating: boolean;
  /** Whether its results were recorded on another machine. */
  readonly isRecorded?: boolean;
  step: number;
  /** Seconds of its own batches. */
  seconds: number;
  /** Milliseconds per step of each of its batches. */
  rounds: number[];
  points: { seconds: number; step: number; psnr: number }[];
  image: Image | undefined;
}

export type RaceState = "ready" | "opening" | "running" | "paused" | "done" | "failed";

/** Converts a render to an image and computes its PSNR. */
export type InspectRender = (render: FloatImage, target: Image) => Promise<{ image: Image; psnr: number }>;

interface OpenedProgram {
  pipeline: Pipeline;
  batchSteps: number;
  renderedAt: number;
}

/** Milliseconds of a batch, about, and between two renders of a program and two reads of the parameters. */
const batchTime = { gpu: 120, software: 150, cpu: 150 };
const renderInterval = 500;
const stateInterval = 3000;

/**
 * A race of programs that train on the same image from the same start, in batches on one adapter. The program with the
 * least time always runs next, so at any moment all have had about the same time. Each batch is also a measurement: its
 * time divided by its steps.
 */
export class Race extends ChangeSignal {
  state: RaceState = "ready";
  message = "";
  readonly runners: Runner[];
  /** Parameters of the fastest program. */
  trained: { step: number; parameters: Float32Array };
  readonly #opened = new Map<ProgramName, OpenedProgram>();
  readonly #end = new AbortController();
  #running: Promise<void> = Promise.resolve();
  /** Seconds of all batches together after which it pauses. */
  #pauseAt = Number.POSITIVE_INFINITY;

  /** @param participants the programs that take part */
  constructor(
    readonly engine: BrowserEngine,
    readonly job: RaceJob,
    readonly target: Image,
    participants: readonly Program[],
    readonly inspectRender: InspectRender,
  ) {
    super();
    this.trained = initialState(programConfig(programOf("binned"), job), target);
    this.runners = programs.map((program) => {
      const isParticipating = participants.includes(program);
      return { program, isParticipating, step: 0, seconds: 0, rounds: [], points: [], image: undefined };
    });
  }

  get canRun(): boolean {
    return this.engine.kind !== "cpu";
  }

  get isIdle(): boolean {
    return this.state !== "running";
  }

  standings(): AsyncGenerator<Runner[]> {
    return follow(this, () => this.runners.map((runner) => ({ ...runner })), { interval: 400 });
  }

  /**
   * Starts or continues the race.
   * @param seconds of all batches together after which it pauses
   */
  start(seconds = Number.POSITIVE_INFINITY): void {
    if (!this.canRun || this.#end.signal.aborted) return;
    if (["opening", "running", "done"].includes(this.state)) return;
    this.#pauseAt = this.#seconds + seconds;
    this.#setState("opening", "Opening the programs");
    this.#running = this.#running.then(() => this.#run(this.#end.signal));
  }

  /** Pauses at the end of the current batch. */
  pause(): void {
    this.#pauseAt = 0;
  }

  async free(): Promise<void> {
    this.#end.abort(new Error("The race was ended."));
    this.end();
    await this.#running;
    await Promise.all([...this.#opened.values()].map(({ pipeline }) => pipeline.free().catch(() => {})));
  }

  #setState(state: RaceState, message = ""): void {
    this.state = state;
    this.message = message;
    this.notify();
  }

  async #run(signal: AbortSignal): Promise<void> {
    try {
      for (const runner of this.runners) if (runner.isParticipating) await this.#open(runner, signal);
      let stateAt = 0;
      for (;;) {
        signal.throwIfAborted();
        const next = this.#next();
        if (!next) return this.#setState("done", `All programs have done ${iterations.toLocaleString("en-US")} steps.`);
        if (this.#seconds >= this.#pauseAt) return this.#setState("paused");
        await this.#runBatch(next, signal);
        if (next === this.runners.findLast(({ isParticipating }) => isParticipating) && performance.now() > stateAt) {
          this.trained = await this.#opened.get(next.program.name)!.pipeline.state();
          stateAt = performance.now() + stateInterval;
        }
        this.#setState("running");
      }
    } catch (error) {
      if (!signal.aborted) this.#setState("failed", error instanceof Error ? error.message : String(error));
    }
  }

  get #seconds(): number {
    return this.runners.reduce((sum, { seconds }) => sum + seconds, 0);
  }

  #next(): Runner | undefined {
    const remaining = this.runners.filter(({ isParticipating, step }) => isParticipating && step < iterations);
    return remaining.sort((a, b) => a.seconds - b.seconds).at(0);
  }

  async #open(runner: Runner, signal: AbortSignal): Promise<void> {
    const { program } = runner;
    signal.throwIfAborted();
    if (this.#opened.has(program.name)) return;
    this.#setState("opening", `${program.title}: compiling and warming up`);
    const job = { ...this.job, steps: iterations };
    const state: TrainingState = initialState(programConfig(program, job), this.target);
    const backend = this.engine.backend(program.pipeline);
    const pipeline = await openProgram(program, job, this.target, backend, this.engine.shaders, state);
    try {
      const milliseconds = batchTime[this.engine.kind];
      const { roundSteps } = await warmUp(pipeline, { seconds: (3 * milliseconds) / 1000 }, signal);
      await pipeline.load(state);
      const batchSteps = Math.max(1, Math.round(roundSteps[0] * (roundSteps.length / 3)));
      const opened = { pipeline, batchSteps, renderedAt: 0 };
      this.#opened.set(program.name, opened);
      await this.#render(runner, opened);
    } catch (error) {
      await pipeline.free().catch(() => {});
      throw error;
    }
  }

  async #runBatch(runner: Runner, signal: AbortSignal): Promise<void> {
    const opened = this.#opened.get(runner.program.name)!;
    const steps = Math.min(opened.batchSteps, iterations - runner.step);
    const milliseconds = await timeSteps(opened.pipeline, steps, signal);
    runner.step += steps;
    runner.seconds += milliseconds / 1000;
    runner.rounds.push(milliseconds / steps);
    const desiredSteps = (steps * batchTime[this.engine.kind]) / milliseconds;
    opened.batchSteps = Math.max(1, Math.round(Math.min(desiredSteps, 2 * steps)));
    if (performance.now() - opened.renderedAt >= renderInterval || runner.step === iterations) {
      await this.#render(runner, opened);
    }
  }

  /** Renders the image of a program; this time does not count. */
  async #render(runner: Runner, opened: OpenedProgram): Promise<void> {
    const { width, height } = this.target;
    const { image, psnr } = await this.inspectRender(await opened.pipeline.render({ width, height }), this.target);
    runner.image = image;
    runner.points.push({ seconds: runner.seconds, step: runner.step, psnr });
    opened.renderedAt = performance.now();
  }
}

/** Returns the milliseconds per step of a program: the median over its batches, and the quartiles. */
export function paceOf({ rounds }: Pick<Runner, "rounds">): { median: number; low: number; high: number } | undefined {
  if (rounds.length === 0) return undefined;
  const sorted = rounds.toSorted((a, b) => a - b);
  const quantile = (fraction: number) => sorted[Math.round(fraction * (sorted.length - 1))];
  return { median: median(rounds), low: quantile(0.25), high: quantile(0.75) };
}
