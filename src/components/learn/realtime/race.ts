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
  /** Whether all of it was recorded elsewhere. */
  readonly isRecorded?: boolean;
  step: number;
  /** Of its own turns. */
  seconds: number;
  /** Milliseconds a step of each of its turns. */
  rounds: number[];
  points: { seconds: number; step: number; psnr: number }[];
  image: Image | undefined;
}

export type RaceState = "ready" | "opening" | "running" | "paused" | "done" | "failed";

/** What a picture is worth, and its pixels, away from the page's own thread. */
export type InspectRender = (picture: FloatImage, target: Image) => Promise<{ image: Image; psnr: number }>;

interface OpenedProgram {
  pipeline: Pipeline;
  turnSteps: number;
  renderedAt: number;
}

/** Milliseconds that a turn takes, about, and between two looks at a program. */
const turnTime = { gpu: 120, software: 150, cpu: 150 };
const renderInterval = 500;
const stateInterval = 3000;

/**
 * All programs learn one picture from one start, and take turns on the one adapter: next is always the one that has had
 * the least time so far, so that each moment shows what all of them did with the same seconds. Each turn is a
 * measurement too: its time over its steps.
 */
export class Race extends ChangeSignal {
  state: RaceState = "ready";
  message = "";
  readonly runners: Runner[];
  /** Where the fastest program has brought the blobs. */
  trained: { step: number; parameters: Float32Array };
  readonly #opened = new Map<ProgramName, OpenedProgram>();
  readonly #end = new AbortController();
  #under: Promise<void> = Promise.resolve();
  #wantsPause = false;
  /** Seconds of all turns together at which it pauses by itself. */
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

  /** Whether it is freed. */
  get isIdle(): boolean {
    return this.state !== "running";
  }

  standings(): AsyncGenerator<Runner[]> {
    return follow(this, () => this.runners.map((runner) => ({ ...runner })), { interval: 400 });
  }

  /**
   * Starts, or goes on.
   * @param seconds of all turns together after which it pauses by itself
   */
  start(seconds = Number.POSITIVE_INFINITY): void {
    if (!this.canRun || this.#end.signal.aborted) return;
    if (["opening", "running", "done"].includes(this.state)) return;
    this.#wantsPause = false;
    this.#pauseAt = this.#seconds + seconds;
    this.#tell("opening", "Opening the programs");
    this.#under = this.#under.then(() => this.#run(this.#end.signal));
  }

  /** Pauses at the end of the turn under way. */
  pause(): void {
    this.#wantsPause = true;
  }

  async free(): Promise<void> {
    this.#end.abort(new Error("The race was ended."));
    this.end();
    await this.#under;
    await Promise.all([...this.#opened.values()].map(({ pipeline }) => pipeline.free().catch(() => {})));
  }

  #tell(state: RaceState, message: string): void {
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
        if (!next) return this.#tell("done", `All programs have done ${iterations.toLocaleString("en-US")} steps.`);
        if (this.#wantsPause) return this.#tell("paused", "");
        if (this.#seconds >= this.#pauseAt) {
          const message = `Paused after ${Math.round(this.#seconds)} seconds.`;
          return this.#tell("paused", message);
        }
        await this.#turn(next, signal);
        if (next === this.runners.findLast(({ isParticipating }) => isParticipating) && performance.now() > stateAt) {
          this.trained = await this.#opened.get(next.program.name)!.pipeline.state();
          stateAt = performance.now() + stateInterval;
        }
        this.#tell("running", "");
      }
    } catch (error) {
      if (!signal.aborted) this.#tell("failed", error instanceof Error ? error.message : String(error));
    }
  }

  get #seconds(): number {
    return this.runners.reduce((sum, { seconds }) => sum + seconds, 0);
  }

  #next(): Runner | undefined {
    const remaining = this.runners.filter(({ isParticipating, step }) => isParticipating && step < iterations);
    return remaining.length === 0
      ? undefined
      : remaining.reduce((least, other) => (other.seconds < least.seconds ? other : least));
  }

  async #open(runner: Runner, signal: AbortSignal): Promise<void> {
    const { program } = runner;
    signal.throwIfAborted();
    if (this.#opened.has(program.name)) return;
    this.#tell("opening", `${program.title}: compiling and warming up`);
    const job = { ...this.job, steps: iterations };
    const state: TrainingState = initialState(programConfig(program, job), this.target);
    const backend = this.engine.backend(program.pipeline);
    const pipeline = await openProgram(program, job, this.target, backend, this.engine.shaders, state);
    try {
      const milliseconds = turnTime[this.engine.kind];
      const { roundSteps } = await warmUp(pipeline, { seconds: (3 * milliseconds) / 1000 }, signal);
      await pipeline.load(state);
      const turnSteps = Math.max(1, Math.round(roundSteps[0] * (roundSteps.length / 3)));
      const opened = { pipeline, turnSteps, renderedAt: 0 };
      this.#opened.set(program.name, opened);
      await this.#look(runner, opened);
    } catch (error) {
      await pipeline.free().catch(() => {});
      throw error;
    }
  }

  async #turn(runner: Runner, signal: AbortSignal): Promise<void> {
    const opened = this.#opened.get(runner.program.name)!;
    const steps = Math.min(opened.turnSteps, iterations - runner.step);
    const milliseconds = await timeSteps(opened.pipeline, steps, signal);
    runner.step += steps;
    runner.seconds += milliseconds / 1000;
    runner.rounds.push(milliseconds / steps);
    const desiredSteps = (steps * turnTime[this.engine.kind]) / milliseconds;
    opened.turnSteps = Math.max(1, Math.round(Math.min(desiredSteps, 2 * steps)));
    if (performance.now() - opened.renderedAt >= renderInterval || runner.step === iterations) {
      await this.#look(runner, opened);
    }
  }

  /** Renders a program's picture, which takes none of its seconds. */
  async #look(runner: Runner, opened: OpenedProgram): Promise<void> {
    const { width, height } = this.target;
    const { image, psnr } = await this.inspectRender(await opened.pipeline.render({ width, height }), this.target);
    runner.image = image;
    runner.points.push({ seconds: runner.seconds, step: runner.step, psnr });
    opened.renderedAt = performance.now();
  }
}

/** Milliseconds a step over a program's turns: the middle one, and what bounds the middle half of them. */
export function paceOf({ rounds }: Pick<Runner, "rounds">): { median: number; low: number; high: number } | undefined {
  if (rounds.length === 0) return undefined;
  const sorted = rounds.toSorted((a, b) => a - b);
  const quantile = (fraction: number) => sorted[Math.round(fraction * (sorted.length - 1))];
  return { median: median(rounds), low: quantile(0.25), high: quantile(0.75) };
}
