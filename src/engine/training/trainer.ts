import type { TrainConfig } from "../config.js";
import { checkFinite, DivergedError } from "../divergence.js";
import { type Image, type Size, sizeOf } from "../image/image.js";
import { psnrOfLoss } from "../image/metrics.js";
import type { TrainingState } from "../model/blobs.js";
import {
  type Backend,
  DeviceLostError,
  maxRecoveries,
  type Pipeline,
  type Rendering,
  type StepRecord,
  type Tiles,
} from "../pipeline.js";
import { densifyPipeline } from "./densification.js";
import { initialState } from "./initialState.js";
import { type RunOptions, Schedule } from "./schedule.js";
import type { Snapshot } from "./snapshot.js";

/** Milliseconds between checkpoints: the most that a lost device costs. */
const checkpointInterval = 3000;

/** The steps that a run may still take. `pause` and `advance` replace the budget, and interrupt the batches that use it. */
interface Budget {
  steps: number;
  readonly interrupt: AbortController;
}

/** What a run continues from if the device is lost. Its numbers are finite. */
interface Checkpoint {
  /** Undefined for the config's initial state. */
  state: TrainingState | undefined;
  /** Training time up to that state, in seconds. */
  seconds: number;
}

const budgetOf = (steps: number): Budget => ({ steps, interrupt: new AbortController() });

/** Steps that were submitted together. */
interface Batch {
  /** The step after the batch, unless it is interrupted. */
  end: number;
  /** Whether the next batch is submitted only after this one is done. */
  endsIdle: boolean;
  budget: Budget;
  /** Time of submission, by performance.now(). */
  start: number;
  /** The number of steps done, and the time of the answer. */
  advanced: Promise<readonly [done: number, now: number]>;
  /** Measurements of the recorded steps and of the last one. */
  measured: Promise<StepRecord[]>;
}

/** One training job. It holds memory while it is retained, runs or answers a request such as `render`. */
export class Trainer {
  /** Training time in seconds so far. */
  seconds = 0;
  /** Milliseconds of the latest request such as `render`, without the steps before it. */
  questionTime = 0;
  #pipeline: Pipeline | undefined;
  #opening: Promise<Pipeline> | undefined;
  /** Number of unreleased calls of `retain`. */
  #retained = 0;
  #budget = budgetOf(Number.POSITIVE_INFINITY);
  #isIdleRequested = false;
  /** Wakes a paused run. */
  #wake: () => void = () => {};
  #checkpoint: Checkpoint;
  /** Schedule of the latest run. */
  #schedule: Schedule | undefined;
  /** Resolves when the latest batch is done or has failed. */
  #latestBatch: Promise<unknown> = Promise.resolve();
  /** Time at which a batch was last done, by performance.now(). */
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
    this.#checkpoint = { state: start, seconds: 0 };
  }

  /** The state when it was last read back: at a checkpoint, by `inspect`, or at the end of `run`. */
  get state(): TrainingState {
    this.#checkpoint.state ??= initialState(this.config, this.image);
    return this.#checkpoint.state;
  }

  /** Steps done. */
  get step(): number {
    return this.#pipeline?.step ?? this.#checkpointStep;
  }

  get #checkpointStep(): number {
    return this.#checkpoint.state?.step ?? 0;
  }

  get paused(): boolean {
    return this.#budget.steps === 0;
  }

  /** Pauses the run and interrupts the running batch. Resolves when that is done. */
  async pause(): Promise<void> {
    this.#allow(0);
    await this.#latestBatch;
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

  /** Requests an idle snapshot soon: see `Snapshot.idle`. */
  requestIdle(): void {
    this.#isIdleRequested = true;
  }

  /**
   * Keeps the pipeline open for later requests and runs, each of which would otherwise open a new one.
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

  /** Replaces the state by another one of the same step, between two runs. */
  async load(state: TrainingState): Promise<void> {
    this.#checkpoint.state = state;
    const pipeline = this.#pipeline;
    await pipeline?.load(state).catch((error) => {
      if (!(error instanceof DeviceLostError)) throw error;
      return this.#drop(pipeline);
    });
  }

  /** Returns to the last checkpoint, after an error. */
  revert(): Promise<void> {
    this.seconds = this.#checkpoint.seconds;
    return this.#drop(this.#pipeline);
  }

  /**
   * Trains, and yields a snapshot at the requested steps and at the last one. A second batch of steps is submitted while
   * one is running, so that the engine need not wait for a busy thread. Requests such as `inspect` are answered at the
   * current step, which is that of a snapshot only if it is idle. Leaving the loop frees all memory that is not retained.
   * When the run ends by itself or by its signal, `state` is the final state.
   * @throws ConfigError, ShaderError, DivergedError, or an Error of one sentence
   */
  async *run(options: RunOptions = {}): AsyncGenerator<Snapshot, void, void> {
    const { signal } = options;
    const release = this.retain();
    const stop = () => {
      this.#budget.interrupt.abort();
      this.#wake();
    };
    signal?.addEventListener("abort", stop);
    const schedule = new Schedule(this.config, options, this.step, this.#checkpoint.state?.plateau);
    this.#schedule = schedule;
    this.#checkpoint.seconds = this.seconds;
    let pipeline: Pipeline | undefined;
    let batch: Batch | undefined;
    let { step } = this;
    let checkpointAt = performance.now();
    let recoveries = 0;
    /** Recoveries since the last checkpoint. */
    let failures = 0;
    let pending: Promise<TrainingState> | undefined;
    const setPending = async () => {
      if (!pending) return;
      this.#setCheckpoint(await pending);
      pending = undefined;
      failures = 0;
    };
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
            // Only now, so that a state read after this step always precedes density control.
            if (schedule.densifiesAt(pipeline.step)) await this.#densify(pipeline, schedule);
            step = pipeline.step;
            batch = this.#submit(pipeline, schedule, step);
          }
          const isContinuing = !batch.endsIdle && this.#budget.steps === Number.POSITIVE_INFINITY && !signal?.aborted;
          const next: Batch | undefined = isContinuing ? this.#submit(pipeline!, schedule, batch.end) : undefined;
          this.#latestBatch = (next ?? batch).advanced.catch(() => {});

          const [done, now] = await batch.advanced;
          const secondsBefore = this.seconds;
          const milliseconds = now - Math.max(batch.start, this.#doneAt);
          this.#doneAt = now;
          this.seconds += milliseconds / 1000;
          step += done;
          schedule.batchDone(done, milliseconds, step, this.seconds);
          const measured = await batch.measured;
          if (done > 0) {
            const result = { step, done, now, secondsBefore, idle: next === undefined, recoveries };
            snapshots = await this.#snapshots(pipeline!, schedule, measured, result);
          }
          const end = snapshots.findIndex(({ loss }) => !Number.isFinite(loss));
          if (end >= 0) {
            const [{ step, loss }] = snapshots.splice(end);
            throw new DivergedError("the loss", loss, step, loss);
          }
          await setPending();

          if (now - checkpointAt > checkpointInterval) {
            checkpointAt = now;
            pending = pipeline!.state();
            // Otherwise it is awaited with the next batch, which fails first if the device is lost.
            pending.catch(() => {});
            if (!next) await setPending();
          }
          // Only now, so that steps are repeated if the device was lost.
          batch.budget.steps -= done;
          batch = next;
        } catch (error) {
          if (error instanceof DivergedError) {
            yield* snapshots;
            throw error;
          }
          // A request may have noticed the loss first, and replaced the pipeline.
          const isReplaced = pipeline !== undefined && pipeline !== this.#pipeline;
          if (!(error instanceof DeviceLostError || isReplaced) || ++failures > maxRecoveries) throw error;
          recoveries++;
          batch = pending = undefined;
          await this.#drop(pipeline ?? this.#pipeline);
          pipeline = undefined;
          this.seconds = this.#checkpoint.seconds;
          // The next state is saved at once, so that devices with a short life make progress too.
          checkpointAt = Number.NEGATIVE_INFINITY;
          schedule.restart(this.step, this.#checkpoint.state?.plateau);
        }
        yield* snapshots;
      }
    } finally {
      signal?.removeEventListener("abort", stop);
      // The signal has aborted the budget's controller, which a later run must not find aborted.
      if (signal?.aborted) this.#budget = budgetOf(this.#budget.steps);
      await release();
    }
  }

  /** Submits the batch after a step. */
  #submit(pipeline: Pipeline, schedule: Schedule, step: number): Batch {
    const { horizon, options } = schedule;
    const { recordEvery = Number.POSITIVE_INFINITY, interval: milliseconds } = options;
    const budget = this.#budget;
    const { steps, endsIdle } = schedule.nextBatch(step, budget.steps);
    const start = performance.now();
    const advanced = pipeline
      .advance(steps, { signal: budget.interrupt.signal, milliseconds, horizon, recordEvery })
      .then((done) => [done, performance.now()] as const);
    const measured = pipeline.measured();
    // If the previous batch fails, this one is not awaited.
    for (const pending of [advanced, measured]) pending.catch(() => {});
    const isIdleRequested = this.#isIdleRequested;
    this.#isIdleRequested = false;
    return { end: step + steps, endsIdle: endsIdle || isIdleRequested, budget, start, advanced, measured };
  }

  /** Returns the snapshots of a batch that is done: of each recorded step, and of the last one if it is due. */
  async #snapshots(
    pipeline: Pipeline,
    schedule: Schedule,
    measured: StepRecord[],
    result: { step: number; done: number; now: number; secondsBefore: number; idle: boolean; recoveries: number },
  ): Promise<Snapshot[]> {
    const { step, done, now, secondsBefore, idle, recoveries } = result;
    const { seconds } = this;
    const { stepsPerSecond } = schedule;
    if (schedule.comparesAt(step)) schedule.compare(step, psnrOfLoss(measured.at(-1)!.loss));
    const isOver = schedule.isOver(step, seconds);
    const isDue = schedule.isSnapshotDue(step, now) || isOver || this.#budget.steps <= done;
    const gradients = idle && schedule.recordsGradients(step) ? await pipeline.gradients() : undefined;
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

  /** Renders the current blobs, at the target's size or another. */
  render(size: Size = this.image): Promise<Rendering> {
    return this.#request((pipeline) => pipeline.render(sizeOf(size)));
  }

  /** Resolves with the current state, which becomes a checkpoint. */
  readState(): Promise<TrainingState> {
    return this.#request(async (pipeline) => this.#setCheckpoint(await pipeline.state()));
  }

  /** Resolves with the current state and its gradients. The state becomes a checkpoint. */
  inspect(): Promise<{ state: TrainingState; gradients: Float32Array }> {
    return this.#request((pipeline) => this.#inspect(pipeline));
  }

  /** Like `inspect`, with the tile lists and the render of the state. */
  inspectAll(): Promise<{ state: TrainingState; gradients: Float32Array; tiles: Tiles; render: Rendering }> {
    return this.#request(async (pipeline) => {
      const pending = [this.#inspect(pipeline), pipeline.tiles(), pipeline.render(sizeOf(this.image))] as const;
      const [inspected, tiles, render] = await Promise.all(pending);
      return { ...inspected, tiles, render };
    });
  }

  async #inspect(pipeline: Pipeline): Promise<{ state: TrainingState; gradients: Float32Array }> {
    // Requested together, so that no step comes between.
    const [read, gradients] = await Promise.all([pipeline.state(), pipeline.computeGradients()]);
    return { state: this.#setCheckpoint(read), gradients };
  }

  /**
   * Saves a state as a checkpoint, with the state of early stopping, and returns it.
   * @throws DivergedError if a number is not finite
   */
  #setCheckpoint(read: TrainingState): TrainingState {
    checkFinite(this.config, read);
    const plateau = this.#schedule ? this.#schedule.plateau : this.#checkpoint.state?.plateau;
    const state = plateau ? { ...read, plateau } : read;
    // The run may have saved a later one already.
    if (state.step < this.#checkpointStep) return state;
    this.#checkpoint = { state, seconds: this.seconds };
    return state;
  }

  /** Runs density control, which counts as training time. */
  async #densify(pipeline: Pipeline, schedule: Schedule): Promise<void> {
    const start = performance.now();
    const { horizon } = schedule;
    await (pipeline.densify?.(horizon) ?? densifyPipeline(pipeline, this.config, this.image, horizon));
    this.seconds += (performance.now() - start) / 1000;
    schedule.markDensified(pipeline.step);
  }

  /**
   * Resolves with what the pipeline returns. Requests made together refer to the same step. A lost device is replaced.
   * @throws DeviceLostError if the current step was lost with the device; the run repeats it
   */
  async #request<T>(read: (pipeline: Pipeline) => Promise<T>): Promise<T> {
    const release = this.retain();
    try {
      for (let failures = 0; ; failures++) {
        let pipeline: Pipeline | undefined;
        try {
          pipeline = await this.#open();
          const start = performance.now();
          const value = await read(pipeline);
          this.questionTime = performance.now() - Math.max(start, this.#doneAt);
          return value;
        } catch (error) {
          if (!(error instanceof DeviceLostError) || failures === maxRecoveries) throw error;
          if ((pipeline?.step ?? this.#checkpointStep) !== this.#checkpointStep) throw error;
          await this.#drop(pipeline);
        }
      }
    } finally {
      await release();
    }
  }

  /** Returns the pipeline, and opens it if necessary. */
  #open(): Promise<Pipeline> {
    this.#opening ??= this.backend.open(this.config, this.image, this.#checkpoint.state).then(
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

  /** Frees a pipeline; the next request or batch opens another. */
  async #drop(pipeline: Pipeline | undefined): Promise<void> {
    if (!pipeline || pipeline !== this.#pipeline) return;
    this.#pipeline = this.#opening = undefined;
    await pipeline.free();
  }
}
