import type { TrainingState } from "./blobs.js";
import { Chunk } from "./chunk.js";
import type { TrainConfig } from "./config.js";
import { Course } from "./course.js";
import { growOn } from "./growth.js";
import type { Image, Size } from "./image.js";
import { initialState } from "./initialState.js";
import { psnrOfLoss } from "./metrics.js";
import {
  type Backend,
  DeviceLostError,
  type Pipeline,
  type Rendering,
  type StepStatistics,
  type Tiles,
} from "./pipeline.js";

/** What is known after a step: plain data. Its loss is that of the parameters with which the step began. */
export interface Snapshot extends StepStatistics {
  /** Steps done. */
  step: number;
  /**
   * Seconds of training so far, without pauses and without the time that the consumer took; of a run that asks ahead,
   * with what was asked of the engine meanwhile.
   */
  seconds: number;
  /** Decibels, from the loss. */
  psnr: number;
  stepsPerSecond: number;
  /** Whether the step is one of those asked for by `recordEvery`, or the last. */
  recorded: boolean;
  /** Times that a lost device was replaced. */
  recoveries: number;
  /** dL/draw of the step, 9·N, where `recordGradientsEvery` asks for it. */
  gradients?: Float32Array;
}

export interface RunOptions {
  /** Steps, counted from the run's beginning, after which to end; the config's number if absent. */
  until?: number;
  /** The step at which the schedule ends; the config's number of steps if absent. */
  horizon?: number;
  /**
   * Seconds of training, counted from the run's beginning, after which to end, however many steps they hold. The
   * schedule runs over them, and no plateau is looked for.
   */
  seconds?: number;
  /** A snapshot after every this many steps. */
  recordEvery?: number;
  /** The gradients in the snapshot after every this many steps. */
  recordGradientsEvery?: number;
  /** Steps after which a snapshot comes besides, ascending. */
  lookAt?: readonly number[];
  /** Milliseconds after which a snapshot comes in any case. */
  interval?: number;
  /**
   * Asks for further steps while some are under way, so that the engine need not wait for a busy thread. Between the steps
   * asked for, snapshots and what is asked of the trainer are then of whatever step it is at.
   */
  ahead?: boolean;
  /** Ends the run after the step under way. */
  signal?: AbortSignal;
}

/** How often the state is read back, so that a lost device costs no more than this. */
const checkpointInterval = 3000;

/** Devices lost one after the other, with no state read back between them, before the run gives up. */
const mostRecoveries = 3;

/**
 * One training job. It holds memory while `run` is under way, and none before or after.
 */
export class Trainer {
  /** Seconds of training so far. */
  seconds = 0;
  /** Milliseconds that the latest question took, without the steps that it waited for. */
  questionTime = 0;
  #pipeline: Pipeline | undefined;
  /** The state that was read back last; until then the one to begin with, or none where that is the config's own. */
  #state: TrainingState | undefined;
  /** Seconds of training up to that state. */
  #secondsThen = 0;
  /** Of the run under way. */
  #course: Course | undefined;
  /** Steps that may still be asked for. */
  #allowed = Number.POSITIVE_INFINITY;
  /** Told when steps that were asked for ahead are not wanted any more. */
  #hold = new AbortController();
  #wake: () => void = () => {};
  /** When the latest steps were answered, in milliseconds of the page. */
  #answeredAt = Number.NEGATIVE_INFINITY;
  /** Settles when what is still to be asked about the steps under way is answered; undefined where nothing is. */
  #stepping: Promise<void> | undefined;

  /**
   * @param start the state to go on from; the config's initial one if absent
   * @throws ConfigError if the backend cannot hold the job
   */
  constructor(
    readonly config: TrainConfig,
    readonly image: Image,
    readonly backend: Backend,
    start?: TrainingState,
  ) {
    backend.check(config, image);
    this.#state = start;
  }

  /** The state as it was last read back: at a checkpoint, by `inspect`, or when `run` ended. */
  get state(): TrainingState {
    this.#state ??= initialState(this.config, this.image);
    return this.#state;
  }

  /** Steps done. */
  get step(): number {
    return this.#pipeline?.step ?? this.#state?.step ?? 0;
  }

  get paused(): boolean {
    return this.#allowed === 0;
  }

  /** Holds the run after the steps under way; those that were asked for ahead are cut short. */
  pause(): void {
    this.#allow(0);
  }

  /** Lets a paused run go on. */
  resume(): void {
    this.#allowed = Number.POSITIVE_INFINITY;
    this.#wake();
  }

  /** Lets a paused run take some steps and pause again. */
  advance(steps = 1): void {
    this.#allow(steps);
    this.#wake();
  }

  /** Steps that are under way do not count. */
  #allow(steps: number): void {
    this.#allowed = steps;
    this.#hold.abort();
    this.#hold = new AbortController();
  }

  /**
   * Trains, and yields a snapshot at the steps asked for and at the last one. Leaving the loop frees all memory;
   * when the run ends by itself or by its signal, `state` holds the final state.
   * @throws ConfigError, ShaderError, or an Error of one sentence
   */
  async *run(options: RunOptions = {}): AsyncGenerator<Snapshot, void, void> {
    const { until = this.config.steps, recordEvery, recordGradientsEvery, interval = 125, signal } = options;
    const { lookAt = [], ahead = false } = options;
    const begin = () => {
      this.#course = new Course(this.config, { ...options, until }, this.step, this.#state?.plateau);
      return this.#course;
    };
    let course = begin();
    this.#secondsThen = this.seconds;
    const chunk = new Chunk(interval);
    /** How many steps may be asked for at once behind a step. */
    const mostAfter = (step: number) => {
      const toNext = (every = Number.POSITIVE_INFINITY) => every - (step % every);
      return Math.min(
        course.stepsLeft(step),
        course.nextGrowth(step) - step,
        toNext(course.lookEvery),
        toNext(recordEvery),
        toNext(recordGradientsEvery),
        (lookAt.find((later) => later > step) ?? Number.POSITIVE_INFINITY) - step,
        this.#allowed,
      );
    };
    const take = (pipeline: Pipeline, from: number): Part => {
      const most = mostAfter(from);
      const steps = chunk.steps(most);
      const hold = this.#hold.signal;
      const stop = ahead ? AbortSignal.any(signal ? [hold, signal] : [hold]) : signal;
      const start = performance.now();
      const advanced = pipeline.advance(steps, stop, course.horizon).then((done) => [done, performance.now()] as const);
      const statistics = ahead ? pipeline.statistics() : undefined;
      // Where the part before it fails nobody asks for this one any more.
      for (const asked of [advanced, statistics]) asked?.catch(() => {});
      return { end: from + steps, isLast: steps === most, hold, start, advanced, statistics };
    };
    /** The steps asked for and not answered yet. */
    let part: Part | undefined;
    /** Steps done, as far as that is known. */
    let step = this.step;
    let checkpointAt = performance.now();
    let recoveries = 0;
    let failures = 0;
    const wake = () => this.#wake();
    signal?.addEventListener("abort", wake);
    try {
      for (;;) {
        let snapshot: Snapshot | undefined;
        let stepped = () => {};
        try {
          if (!part && (course.isOver(this.step, this.seconds) || signal?.aborted)) {
            if (this.#pipeline) this.#keep(await this.#pipeline.state());
            return;
          }
          this.#pipeline ??= await this.backend.open(this.config, this.image, this.#state);
          // Who stopped it meanwhile does not wake it again.
          if (!part && signal?.aborted) continue;
          if (!part && this.#allowed === 0) {
            await new Promise<void>((resolve) => {
              this.#wake = resolve;
            });
            continue;
          }
          const pipeline: Pipeline = this.#pipeline;
          if (!ahead) {
            this.#stepping = new Promise((resolve) => {
              stepped = resolve;
            });
          }
          // Only when the run goes on from it, so that a state that is read at this step is always the one before.
          if (!part && course.nextGrowth(pipeline.step) <= pipeline.step) {
            await this.#grow(pipeline, course.horizon);
            course.hasGrown(pipeline.step);
          }
          if (!part) step = pipeline.step;
          const { end, isLast, hold, start, advanced, statistics: told } = part ?? take(pipeline, step);
          const goesOn = ahead && !isLast && this.#allowed === Number.POSITIVE_INFINITY && !signal?.aborted;
          part = goesOn ? take(pipeline, end) : undefined;
          const [done, now] = await advanced;
          step += done;
          const taken = now - Math.max(start, this.#answeredAt);
          this.#answeredAt = now;
          this.seconds += taken / 1000;
          chunk.learn(done, taken);
          course.foresee(step, this.seconds, chunk.stepsPerSecond);
          const due = (every?: number) => every !== undefined && step % every === 0;
          const recorded = due(recordEvery) || course.isOver(step, this.seconds);
          const asked = due(recordGradientsEvery) || lookAt.includes(step);
          const looked = asked || due(course.lookEvery) || chunk.isOver(now);
          if (done > 0 && (recorded || looked || this.#allowed <= done)) {
            const statistics = await (told ?? pipeline.statistics());
            if (due(course.lookEvery)) course.look(step, psnrOfLoss(statistics.loss));
            const gradients = due(recordGradientsEvery) ? await pipeline.gradients() : undefined;
            snapshot = {
              step,
              seconds: this.seconds,
              psnr: psnrOfLoss(statistics.loss),
              stepsPerSecond: chunk.stepsPerSecond,
              recorded,
              recoveries,
              ...statistics,
              ...(gradients && { gradients }),
            };
          }
          if (now - checkpointAt > checkpointInterval) {
            const kept = pipeline.state().then((state) => {
              this.#keep(state);
              failures = 0;
            });
            checkpointAt = now;
            // What fails of a lost device lets the steps fail too.
            if (part) kept.catch(() => {});
            else await kept;
          }
          // Only now, so that a step that was asked for is taken again where the device was lost; and what is allowed may
          // have changed meanwhile.
          if (!hold.aborted) this.#allowed = Math.max(0, this.#allowed - done);
        } catch (error) {
          if (!(error instanceof DeviceLostError) || ++failures > mostRecoveries) throw error;
          recoveries++;
          part = undefined;
          await this.#free();
          this.seconds = this.#secondsThen;
          // What is reached next is kept at once, so that devices which do not live long get further too.
          checkpointAt = Number.NEGATIVE_INFINITY;
          course = begin();
          continue;
        } finally {
          this.#stepping = undefined;
          stepped();
        }
        if (snapshot) yield snapshot;
      }
    } finally {
      signal?.removeEventListener("abort", wake);
      await this.#free();
    }
  }

  /** The blobs as they are now, at the target's size or another. */
  render(size: Size = this.image): Promise<Rendering> {
    return this.#ask((pipeline) => pipeline.render({ width: size.width, height: size.height }));
  }

  /** The state as it is now and the gradients at it. A device lost later costs no more than the steps since. */
  async inspect(): Promise<{ state: TrainingState; gradients: Float32Array }> {
    return this.#ask((pipeline) => this.#inspect(pipeline));
  }

  /** The same, with the short-lists and the picture of that very state. */
  async look(): Promise<{ state: TrainingState; gradients: Float32Array; tiles: Tiles; picture: Rendering }> {
    return this.#ask(async (pipeline) => {
      const { width, height } = this.image;
      const asked = [this.#inspect(pipeline), pipeline.tiles(), pipeline.render({ width, height })] as const;
      const [inspected, tiles, picture] = await Promise.all(asked);
      return { ...inspected, tiles, picture };
    });
  }

  /** The short-lists of the latest step. */
  tiles(): Promise<Tiles> {
    return this.#ask(async (pipeline) => {
      const live = pipeline === this.#pipeline && pipeline.step > 0;
      const [, tiles] = await Promise.all([live ? undefined : pipeline.computeGradients(), pipeline.tiles()]);
      return tiles;
    });
  }

  /** Keeps a state that was read back, for a device that is lost. */
  #keep(read: TrainingState): TrainingState {
    const state = this.#marked(read);
    // A run that went on while it was asked may have kept a later state.
    if (state.step < (this.#state?.step ?? 0)) return state;
    this.#state = state;
    this.#secondsThen = this.seconds;
    return state;
  }

  /** A state with what the run under way, or the one before, has seen of a plateau. */
  #marked(state: TrainingState): TrainingState {
    const plateau = this.#course ? this.#course.plateau : this.#state?.plateau;
    return plateau ? { ...state, plateau } : state;
  }

  /** Places blobs where the error is; that takes of the training's seconds too. */
  async #grow(pipeline: Pipeline, horizon: number): Promise<void> {
    const start = performance.now();
    await (pipeline.grow?.(horizon) ?? growOn(pipeline, this.config, this.image, horizon));
    this.seconds += (performance.now() - start) / 1000;
  }

  async #inspect(pipeline: Pipeline): Promise<{ state: TrainingState; gradients: Float32Array }> {
    // Asked for together, so that no step comes between.
    const [read, gradients] = await Promise.all([pipeline.state(), pipeline.computeGradients()]);
    return { state: this.#keep(read), gradients };
  }

  /** Whoever asks from now on is answered by another pipeline. */
  async #free(): Promise<void> {
    const pipeline = this.#pipeline;
    this.#pipeline = undefined;
    await pipeline?.free();
  }

  /**
   * Asks the run's pipeline, or one opened for the question when no run is under way. All that is asked at once is
   * answered at one step, and not between a step and its statistics, which would be those of the answer then.
   * @throws DeviceLostError if the device is lost and the step with it, to which the run comes again
   */
  async #ask<T>(question: (pipeline: Pipeline) => Promise<T>): Promise<T> {
    while (this.#stepping) await this.#stepping;
    const pipeline = this.#pipeline;
    const start = performance.now();
    try {
      if (pipeline) {
        const answer = await question(pipeline);
        this.questionTime = performance.now() - Math.max(start, this.#answeredAt);
        return answer;
      }
    } catch (error) {
      if (!(error instanceof DeviceLostError) || pipeline?.step !== this.#state?.step) throw error;
    }
    return this.#askAnother(question);
  }

  /** Asks a pipeline that is opened for the question at the state that is kept, and another where its device is lost. */
  async #askAnother<T>(question: (pipeline: Pipeline) => Promise<T>): Promise<T> {
    for (let failures = 0; ; failures++) {
      let pipeline: Pipeline | undefined;
      try {
        pipeline = await this.backend.open(this.config, this.image, this.#state);
        return await question(pipeline);
      } catch (error) {
        if (!(error instanceof DeviceLostError) || failures === mostRecoveries) throw error;
      } finally {
        await pipeline?.free();
      }
    }
  }
}

/** Steps that were asked for at once. */
interface Part {
  /** Steps done after them, unless they are stopped. */
  end: number;
  /** Whether something is to be done behind them, before others are asked for. */
  isLast: boolean;
  /** Aborted once the steps that are allowed are others. */
  hold: AbortSignal;
  /** When they were asked for, in milliseconds of the page. */
  start: number;
  /** The steps done, and when that was known. */
  advanced: Promise<readonly [done: number, now: number]>;
  /** What the last of them measured, where that was asked for with them. */
  statistics: Promise<StepStatistics> | undefined;
}
