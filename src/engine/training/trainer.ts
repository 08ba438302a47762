import type { TrainConfig } from "../config.js";
import type { Image, Size } from "../image/image.js";
import { psnrOfLoss } from "../image/metrics.js";
import type { TrainingState } from "../model/blobs.js";
import {
  type Backend,
  DeviceLostError,
  type Pipeline,
  type Rendering,
  type StepRecord,
  type Tiles,
} from "../pipeline.js";
import { densifyPipeline } from "./densification.js";
import { initialState } from "./initialState.js";
import { type RunOptions, Schedule } from "./schedule.js";
import type { Snapshot } from "./snapshot.js";

/** Milliseconds between two checkpoints, so that a lost device costs no more than this. */
const checkpointInterval = 3000;

/** Devices lost in a row, without a checkpoint between them, before the run gives up. */
const maxRecoveries = 3;

/** Steps that a run may still take; replaced by pause and advance, which cut short what was submitted under it. */
interface Budget {
  steps: number;
  readonly interrupt: AbortController;
}

const budgetOf = (steps: number): Budget => ({ steps, interrupt: new AbortController() });

/** Steps that were submitted at once. */
interface Batch {
  /** The step after them, unless they are cut short. */
  end: number;
  /** Whether something is to be done behind them, before others are submitted. */
  isLast: boolean;
  budget: Budget;
  /** When they were submitted, in milliseconds of the page. */
  start: number;
  /** The number of steps done, and when that was known. */
  advanced: Promise<readonly [done: number, now: number]>;
  /** What the recorded ones among them measured, and the last one. */
  measured: Promise<StepRecord[]>;
}

/**
 * One training job. It holds memory while `run` is under way, a question is answered or it is retained.
 */
export class Trainer {
  /** Seconds of training so far. */
  seconds = 0;
  /** Milliseconds that the latest question took, without the steps that it waited for. */
  questionTime = 0;
  #pipeline: Pipeline | undefined;
  #opening: Promise<Pipeline> | undefined;
  /** How many retain the pipeline. */
  #retained = 0;
  #budget = budgetOf(Number.POSITIVE_INFINITY);
  #isIdleWanted = false;
  /** Lets a paused run see what has changed. */
  #wake: () => void = () => {};
  /** The last checkpoint; until then the start, or undefined where that is the config's initial state. */
  #state: TrainingState | undefined;
  /** Seconds of training up to that state. */
  #secondsOfState = 0;
  /** Of the latest run. */
  #schedule: Schedule | undefined;
  /** Resolves when the batch that was submitted last is done, or has failed. */
  #underWay: Promise<unknown> = Promise.resolve();
  /** When the latest batch was done, in milliseconds of the page. */
  #doneAt = Number.NEGATIVE_INFINITY;

  /**
   * @param start the state to continue from; the config's initial one if absent
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
    return this.#pipeline?.step ?? this.#stateStep;
  }

  get #stateStep(): number {
    return this.#state?.step ?? 0;
  }

  get paused(): boolean {
    return this.#budget.steps === 0;
  }

  /** Pauses the run; the steps under way are cut short. Resolves when they are done. */
  async pause(): Promise<void> {
    this.#allow(0);
    await this.#underWay;
  }

  /** Lets a paused run continue. */
  resume(): void {
    this.#budget.steps = Number.POSITIVE_INFINITY;
    this.#wake();
  }

  /** Lets a paused run take some steps and pause again. */
  advance(steps = 1): void {
    this.#allow(steps);
    this.#wake();
  }

  #allow(steps: number): void {
    this.#budget.interrupt.abort();
    this.#budget = budgetOf(steps);
  }

  /** Asks for an idle snapshot, soon. */
  requestIdle(): void {
    this.#isIdleWanted = true;
  }

  /**
   * Keeps the pipeline open for later questions and runs: each of them opens its own otherwise.
   * @returns a function that releases it; the last release frees the pipeline
   */
  retain(): () => Promise<void> {
    this.#retained++;
    let isRetained = true;
    return async () => {
      if (!isRetained) return;
      isRetained = false;
      this.#retained--;
      await this.#opening?.catch(() => {});
      if (this.#retained === 0) await this.#drop(this.#pipeline);
    };
  }

  /** Continues from another state of the same step, between two runs. */
  async load(state: TrainingState): Promise<void> {
    this.#state = state;
    const pipeline = this.#pipeline;
    await pipeline?.load(state).catch((error) => {
      if (!(error instanceof DeviceLostError)) throw error;
      return this.#drop(pipeline);
    });
  }

  /**
   * Trains, and yields a snapshot at the steps asked for and at the last one. A second batch of steps is submitted while
   * one is under way, so that the engine need not wait for a busy thread: questions to the trainer are answered at
   * whatever step it is at, and at a snapshot's where that is idle. Leaving the loop frees all memory that is not
   * retained; when the run ends by itself or by its signal, `state` is the final state.
   * @throws ConfigError, ShaderError, or an Error of one sentence
   */
  async *run(options: RunOptions = {}): AsyncGenerator<Snapshot, void, void> {
    const { signal } = options;
    const release = this.retain();
    const stop = () => {
      this.#budget.interrupt.abort();
      this.#wake();
    };
    signal?.addEventListener("abort", stop);
    const schedule = new Schedule(this.config, options, this.step, this.#state?.plateau);
    this.#schedule = schedule;
    this.#secondsOfState = this.seconds;
    let pipeline: Pipeline | undefined;
    let batch: Batch | undefined;
    let { step } = this;
    let checkpointAt = performance.now();
    let [recoveries, failures] = [0, 0];
    try {
      for (;;) {
        let snapshots: Snapshot[] = [];
        try {
          if (!batch) {
            if (schedule.isOver(this.step, this.seconds) || signal?.aborted) {
              if (this.#pipeline) this.#setCheckpoint(await this.#pipeline.state());
              return;
            }
            pipeline = await this.#open();
            if (signal?.aborted) continue;
            if (this.paused) {
              await new Promise<void>((resolve) => {
                this.#wake = resolve;
              });
              continue;
            }
            // Only now, so that a state read after this step is always the one before blobs are placed.
            if (schedule.densifiesAt(pipeline.step)) await this.#densify(pipeline, schedule);
            step = pipeline.step;
            batch = this.#submit(pipeline, schedule, step);
          }
          const isContinuing = !batch.isLast && this.#budget.steps === Number.POSITIVE_INFINITY && !signal?.aborted;
          const next: Batch | undefined = isContinuing ? this.#submit(pipeline!, schedule, batch.end) : undefined;
          this.#underWay = (next ?? batch).advanced.catch(() => {});

          const [done, now] = await batch.advanced;
          const secondsBefore = this.seconds;
          const milliseconds = now - Math.max(batch.start, this.#doneAt);
          this.#doneAt = now;
          this.seconds += milliseconds / 1000;
          step += done;
          schedule.batchDone(done, milliseconds, step, this.seconds);
          const measured = await batch.measured;
          if (done > 0) {
            const end = { step, done, now, secondsBefore, idle: next === undefined, recoveries };
            snapshots = await this.#snapshots(pipeline!, schedule, measured, end);
          }

          if (now - checkpointAt > checkpointInterval) {
            checkpointAt = now;
            const checkpoint = pipeline!.state().then((state) => {
              this.#setCheckpoint(state);
              failures = 0;
            });
            // Where the device is lost, the next batch fails too.
            if (next) checkpoint.catch(() => {});
            else await checkpoint;
          }
          // Only now, so that steps are taken again where the device was lost.
          batch.budget.steps -= done;
          batch = next;
        } catch (error) {
          // A question may have found out first, and replaced the pipeline.
          const isReplaced = pipeline !== undefined && pipeline !== this.#pipeline;
          if (!(error instanceof DeviceLostError || isReplaced) || ++failures > maxRecoveries) throw error;
          recoveries++;
          batch = undefined;
          await this.#drop(pipeline ?? this.#pipeline);
          pipeline = undefined;
          this.seconds = this.#secondsOfState;
          // The next state is kept at once, so that devices which do not live long make progress too.
          checkpointAt = Number.NEGATIVE_INFINITY;
          schedule.restart(this.step, this.#state?.plateau);
        }
        yield* snapshots;
      }
    } finally {
      signal?.removeEventListener("abort", stop);
      if (signal?.aborted) this.#budget = budgetOf(this.#budget.steps);
      await release();
    }
  }

  /** Submits the batch behind a step. */
  #submit(pipeline: Pipeline, schedule: Schedule, step: number): Batch {
    const { horizon, options } = schedule;
    const { recordEvery = Number.POSITIVE_INFINITY, interval: milliseconds } = options;
    const budget = this.#budget;
    const { steps, isLast } = schedule.nextBatch(step, budget.steps);
    const start = performance.now();
    const advanced = pipeline
      .advance(steps, { signal: budget.interrupt.signal, milliseconds, horizon, recordEvery })
      .then((done) => [done, performance.now()] as const);
    const measured = pipeline.measured();
    // Where the batch before it fails, this one is not awaited.
    for (const pending of [advanced, measured]) pending.catch(() => {});
    const isIdleWanted = this.#isIdleWanted;
    this.#isIdleWanted = false;
    return { end: step + steps, isLast: isLast || isIdleWanted, budget, start, advanced, measured };
  }

  /** The snapshots of a batch: of each recorded step, and of the last one where it is due. */
  async #snapshots(
    pipeline: Pipeline,
    schedule: Schedule,
    measured: StepRecord[],
    end: { step: number; done: number; now: number; secondsBefore: number; idle: boolean; recoveries: number },
  ): Promise<Snapshot[]> {
    const { step, done, now, secondsBefore, idle, recoveries } = end;
    const { seconds } = this;
    const { stepsPerSecond } = schedule;
    if (schedule.comparesAt(step)) schedule.compare(step, psnrOfLoss(measured.at(-1)!.loss));
    const isOver = schedule.isOver(step, seconds);
    const isDue = schedule.isSnapshotDue(step, now) || isOver || this.#budget.steps <= done;
    const gradients = schedule.recordsGradients(step) ? await pipeline.gradients() : undefined;
    return measured
      .filter((row) => schedule.isRecorded(row.step) || (row.step === step && isDue))
      .map((row) => {
        const isLast = row.step === step;
        return {
          ...row,
          seconds: isLast ? seconds : secondsBefore + ((seconds - secondsBefore) * (row.step - step + done)) / done,
          psnr: psnrOfLoss(row.loss),
          stepsPerSecond,
          recorded: schedule.isRecorded(row.step) || (isLast && isOver),
          idle: isLast && idle,
          recoveries,
          ...(isLast && gradients && { gradients }),
        };
      });
  }

  /** The blobs as they are now, at the target's size or another. */
  render(size: Size = this.image): Promise<Rendering> {
    return this.#ask((pipeline) => pipeline.render({ width: size.width, height: size.height }));
  }

  /** The state as it is now and the gradients at it. A device lost later costs no more than the steps since. */
  inspect(): Promise<{ state: TrainingState; gradients: Float32Array }> {
    return this.#ask((pipeline) => this.#inspect(pipeline));
  }

  /** The same, with the tile lists and the render of that state. */
  inspectAll(): Promise<{ state: TrainingState; gradients: Float32Array; tiles: Tiles; render: Rendering }> {
    return this.#ask(async (pipeline) => {
      const { width, height } = this.image;
      const pending = [this.#inspect(pipeline), pipeline.tiles(), pipeline.render({ width, height })] as const;
      const [inspected, tiles, render] = await Promise.all(pending);
      return { ...inspected, tiles, render };
    });
  }

  async #inspect(pipeline: Pipeline): Promise<{ state: TrainingState; gradients: Float32Array }> {
    // Asked for together, so that no step comes between.
    const [read, gradients] = await Promise.all([pipeline.state(), pipeline.computeGradients()]);
    return { state: this.#setCheckpoint(read), gradients };
  }

  /** Keeps a state that was read back as a checkpoint, with what early stopping has compared. */
  #setCheckpoint(read: TrainingState): TrainingState {
    const plateau = this.#schedule ? this.#schedule.plateau : this.#state?.plateau;
    const state = plateau ? { ...read, plateau } : read;
    // A run that went on meanwhile may have kept a later one.
    if (state.step < this.#stateStep) return state;
    this.#state = state;
    this.#secondsOfState = this.seconds;
    return state;
  }

  /** Places blobs where the error is; that counts as training time. */
  async #densify(pipeline: Pipeline, schedule: Schedule): Promise<void> {
    const start = performance.now();
    const { horizon } = schedule;
    await (pipeline.densify?.(horizon) ?? densifyPipeline(pipeline, this.config, this.image, horizon));
    this.seconds += (performance.now() - start) / 1000;
    schedule.markDensified(pipeline.step);
  }

  /**
   * Asks the pipeline. All questions that are asked at once are answered at one step. A lost device is replaced.
   * @throws DeviceLostError if the device is lost and the step with it, to which the run returns
   */
  async #ask<T>(question: (pipeline: Pipeline) => Promise<T>): Promise<T> {
    const release = this.retain();
    try {
      for (let failures = 0; ; failures++) {
        let pipeline: Pipeline | undefined;
        try {
          pipeline = await this.#open();
          const start = performance.now();
          const answer = await question(pipeline);
          this.questionTime = performance.now() - Math.max(start, this.#doneAt);
          return answer;
        } catch (error) {
          if (!(error instanceof DeviceLostError) || failures === maxRecoveries) throw error;
          if ((pipeline?.step ?? this.#stateStep) !== this.#stateStep) throw error;
          await this.#drop(pipeline);
        }
      }
    } finally {
      await release();
    }
  }

  /** The pipeline, opened if it is not. */
  #open(): Promise<Pipeline> {
    this.#opening ??= this.backend.open(this.config, this.image, this.#state).then(
      (pipeline) => {
        this.#pipeline = pipeline;
        return pipeline;
      },
      (error) => {
        this.#opening = undefined;
        throw error;
      },
    );
    return this.#opening;
  }

  /** Frees a pipeline, so that the next question or batch opens another. */
  async #drop(pipeline: Pipeline | undefined): Promise<void> {
    if (!pipeline || pipeline !== this.#pipeline) return;
    this.#pipeline = this.#opening = undefined;
    await pipeline.free();
  }
}
