import type { TrainConfig } from "../config.js";
import { checkFinite, DivergedError } from "../divergence.js";
import { type Image, type Size, sizeOf } from "../image/image.js";
import { psnrOfLoss } from "../image/metrics.js";
import type { TrainingState } from "../model/blobs.js";
import type { Backend, Pipeline, Rendering, StepRecord, Tiles } from "../pipeline.js";
import { densifyPipeline } from "./densification.js";
import { initialState } from "./initialState.js";
import { RecoverablePipeline } from "./recoverablePipeline.js";
import { type RunOptions, Schedule } from "./schedule.js";
import type { Snapshot } from "./snapshot.js";

/** Milliseconds between checkpoints: the most that a lost device costs. */
const checkpointInterval = 3000;

/** Returns the steps that a run may still take, and what interrupts the batches that use them. */
const budgetOf = (steps: number) => ({ steps, interrupt: new AbortController() });

/** Steps that were submitted together. */
interface Batch {
  steps: number;
  /** The step after the batch, unless it ends early. */
  end: number;
  /** Whether the next batch is submitted only after this one is done. */
  endsIdle: boolean;
  budget: ReturnType<typeof budgetOf>;
  /** Time of submission, by performance.now(). */
  submittedAt: number;
  /**
   * The number of steps done and the time of the answer; measurements of the recorded steps and of the last one; the
   * gradients of the last one, if they are recorded.
   */
  result: Promise<[advanced: { done: number; now: number }, measured: StepRecord[], gradients?: Float32Array]>;
}

/** One training job. It holds memory while it is retained, runs or answers a request such as `render`. */
export class Trainer {
  /** Training time in seconds so far. */
  seconds = 0;
  /** Milliseconds of the latest request such as `render`, without the steps before it. */
  questionTime = 0;
  readonly #pipeline: RecoverablePipeline;
  #budget = budgetOf(Number.POSITIVE_INFINITY);
  #isIdleRequested = false;
  /** Wakes a paused run. */
  #wake: () => void = () => {};
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
    const open = (state?: TrainingState) => backend.open(config, image, state);
    this.#pipeline = new RecoverablePipeline(open, start);
  }

  /** The state when it was last read back: at a checkpoint, by `inspect`, or at the end of `run`. */
  get state(): TrainingState {
    this.#pipeline.checkpoint ??= initialState(this.config, this.image);
    return this.#pipeline.checkpoint;
  }

  /** Steps done. */
  get step(): number {
    return this.#pipeline.current?.step ?? this.#pipeline.checkpointStep;
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
  }

  /** Replaces the budget, and interrupts the batches that use it. */
  #allow(steps: number): void {
    this.#budget.interrupt.abort();
    this.#budget = budgetOf(steps);
    this.#wake();
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
    return this.#pipeline.retain();
  }

  /** Replaces the state by another one of the same step, between two runs. */
  async load(state: TrainingState): Promise<void> {
    const { current } = this.#pipeline;
    this.#pipeline.checkpoint = state;
    await current?.load(state).catch((error) => this.#pipeline.recover(error, current, 1));
  }

  /** Returns to the last checkpoint, after an error. */
  revert(): Promise<void> {
    this.seconds = this.#pipeline.checkpointSeconds;
    return this.#pipeline.drop();
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
    const recoverable = this.#pipeline;
    const release = this.retain();
    const stop = () => this.#allow(this.#budget.steps);
    signal?.addEventListener("abort", stop);
    const schedule = new Schedule(this.config, options, this.step, recoverable.checkpoint?.plateau);
    this.#schedule = schedule;
    recoverable.checkpointSeconds = this.seconds;
    /** Devices lost since the last checkpoint. */
    let losses = 0;
    try {
      for (let recoveries = 0; ; recoveries++) {
        const { checkpointStep } = recoverable;
        let pipeline: Pipeline | undefined;
        try {
          pipeline = this.#isOver(schedule) ? recoverable.current : await recoverable.open();
          if (!pipeline) return;
          yield* this.#train(pipeline, schedule, recoveries);
          this.#setCheckpoint(await pipeline.state());
          return;
        } catch (error) {
          losses = recoverable.checkpointStep > checkpointStep ? 1 : losses + 1;
          await recoverable.recover(error, pipeline, losses);
          this.seconds = recoverable.checkpointSeconds;
          schedule.restart(this.step, recoverable.checkpoint?.plateau);
        }
      }
    } finally {
      signal?.removeEventListener("abort", stop);
      await release();
    }
  }

  /** Trains on a pipeline until the run is over. */
  async *#train(pipeline: Pipeline, schedule: Schedule, recoveries: number): AsyncGenerator<Snapshot, void, void> {
    const { signal } = schedule.options;
    // After a loss the state is saved at once, so that devices with a short life make progress too.
    let checkpointAt = recoveries > 0 ? Number.NEGATIVE_INFINITY : performance.now();
    let reading: Promise<TrainingState> | undefined;
    for (let batch = await this.#begin(pipeline, schedule); batch; ) {
      const isContinuing = !batch.endsIdle && this.#budget.steps === Number.POSITIVE_INFINITY && !signal?.aborted;
      const next: Batch | undefined = isContinuing ? this.#submit(pipeline, schedule, batch.end) : undefined;
      for (const snapshot of await this.#finish(batch, schedule, next)) {
        const { loss, step } = snapshot;
        if (!Number.isFinite(loss)) throw new DivergedError("the loss", loss, step, loss);
        yield { ...snapshot, recoveries };
      }
      if (reading) this.#setCheckpoint(await reading);
      reading = undefined;
      if (this.#doneAt - checkpointAt > checkpointInterval) {
        checkpointAt = this.#doneAt;
        reading = pipeline.state();
        // It is awaited with the next batch, which fails first if the device is lost.
        reading.catch(() => {});
        if (!next) this.#setCheckpoint(await reading);
      }
      batch = next ?? (await this.#begin(pipeline, schedule));
    }
  }

  #isOver(schedule: Schedule): boolean {
    return schedule.isOver(this.step, this.seconds) || schedule.options.signal?.aborted === true;
  }

  /**
   * Submits the next batch, once the run is not paused; undefined if it is over. Density control runs only now, so that a
   * state read after the previous batch always precedes it.
   */
  async #begin(pipeline: Pipeline, schedule: Schedule): Promise<Batch | undefined> {
    while (!this.#isOver(schedule)) {
      if (this.paused) {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      } else if (schedule.densifiesAt(pipeline.step)) await this.#densify(pipeline, schedule);
      else return this.#submit(pipeline, schedule, pipeline.step);
    }
    return undefined;
  }

  /** Submits the batch after a step. */
  #submit(pipeline: Pipeline, schedule: Schedule, start: number): Batch {
    const { horizon, options } = schedule;
    const { recordEvery = Number.POSITIVE_INFINITY, interval: milliseconds } = options;
    const budget = this.#budget;
    const { steps, endsIdle } = schedule.nextBatch(start, budget.steps);
    const submittedAt = performance.now();
    const end = start + steps;
    const { signal } = budget.interrupt;
    const advanced = pipeline.advance(steps, { signal, milliseconds, horizon, recordEvery });
    // Requested together, so that no other request comes between.
    const result = Promise.all([
      advanced.then((done) => ({ done, now: performance.now() })),
      pipeline.measured(),
      schedule.recordsGradients(end) ? pipeline.gradients() : undefined,
    ]);
    // If the previous batch fails, this one is not awaited.
    this.#latestBatch = result.catch(() => {});
    const isIdleNext = endsIdle || this.#isIdleRequested;
    this.#isIdleRequested = false;
    return { steps, end, endsIdle: isIdleNext, budget, submittedAt, result };
  }

  /** Waits for a batch, and returns its snapshots: of each recorded step, and of the last one if it is due. */
  async #finish(batch: Batch, schedule: Schedule, next: Batch | undefined) {
    const [{ done, now }, measured, gradients] = await batch.result;
    const start = batch.end - batch.steps;
    const step = start + done;
    // If the batch ended early, so does the next one.
    if (next) next.end -= batch.end - step;
    const secondsBefore = this.seconds;
    const milliseconds = now - Math.max(batch.submittedAt, this.#doneAt);
    this.#doneAt = now;
    const seconds = secondsBefore + milliseconds / 1000;
    this.seconds = seconds;
    schedule.batchDone(done, milliseconds, step, seconds);
    if (done === 0) return [];
    if (schedule.comparesAt(step)) schedule.compare(step, psnrOfLoss(measured.at(-1)!.loss));
    const isOver = schedule.isOver(step, seconds);
    const isDue = schedule.isSnapshotDue(step, now) || isOver || this.#budget.steps <= done;
    batch.budget.steps -= done;
    const { stepsPerSecond } = schedule;
    return measured
      .filter((row) => schedule.isRecorded(row.step) || (row.step === step && isDue))
      .map((row) => {
        const isLast = row.step === step;
        return {
          ...row,
          seconds: isLast ? seconds : secondsBefore + ((seconds - secondsBefore) * (row.step - start)) / done,
          psnr: psnrOfLoss(row.loss),
          stepsPerSecond,
          recorded: schedule.isRecorded(row.step) || (isLast && isOver),
          idle: isLast && next === undefined,
          ...(isLast && gradients && schedule.recordsGradients(step) && { gradients }),
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
    const recoverable = this.#pipeline;
    const plateau = this.#schedule ? this.#schedule.plateau : recoverable.checkpoint?.plateau;
    const state = plateau ? { ...read, plateau } : read;
    // The run may have saved a later one already.
    if (state.step < recoverable.checkpointStep) return state;
    recoverable.checkpointSeconds = this.seconds;
    recoverable.checkpoint = state;
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

  /** Resolves with what the pipeline returns. Requests made together refer to the same step. */
  #request<T>(read: (pipeline: Pipeline) => Promise<T>): Promise<T> {
    return this.#pipeline.ask(async (pipeline) => {
      const start = performance.now();
      const value = await read(pipeline);
      this.questionTime = performance.now() - Math.max(start, this.#doneAt);
      return value;
    });
  }
}
