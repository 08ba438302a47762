import type { TrainConfig } from "../config.js";
import type { Image, Size } from "../image/image.js";
import { psnrOfLoss } from "../image/metrics.js";
import type { TrainingState } from "../model/blobs.js";
import { type Backend, DeviceLostError, type Pipeline, type Rendering, type Tiles } from "../pipeline.js";
import { Course } from "./course.js";
import { growOn } from "./growth.js";
import { HeldPipeline } from "./heldPipeline.js";
import { initialState } from "./initialState.js";
import type { Snapshot } from "./snapshot.js";
import { type Stops, type Stretch, Stretches } from "./stretches.js";
import { Throttle } from "./throttle.js";

interface RunOptions extends Stops {
  /** Steps, counted from the run's beginning, after which to end; the config's number if absent. */
  until?: number;
  /** The step at which the schedule ends; the config's number of steps if absent. */
  horizon?: number;
  /**
   * Seconds of training, counted from the run's beginning, after which to end, however many steps they hold. The
   * schedule runs over them, and no plateau is looked for.
   */
  seconds?: number;
}

/** How often the state is read back, so that a lost device costs no more than this. */
const checkpointInterval = 3000;

/** Devices lost one after the other, with no state read back between them, before the run gives up. */
const mostRecoveries = 3;

/**
 * One training job. It holds memory while `run` is under way, a question is answered or somebody holds it.
 */
export class Trainer {
  /** Seconds of training so far. */
  seconds = 0;
  /** Milliseconds that the latest question took, without the steps that it waited for. */
  questionTime = 0;
  readonly #held: HeldPipeline;
  readonly #throttle = new Throttle();
  /** The state that was read back last; until then the one to begin with, or none where that is the config's own. */
  #state: TrainingState | undefined;
  /** Seconds of training up to that state. */
  #secondsThen = 0;
  #checkpointAt = 0;
  /** Of the run under way. */
  #course: Course | undefined;
  /** Resolves when the steps that were asked for last are done, or have failed. */
  #underWay: Promise<unknown> = Promise.resolve();
  /** When the latest steps were answered, in milliseconds of the page. */
  #answeredAt = Number.NEGATIVE_INFINITY;

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
    this.#held = new HeldPipeline(() => backend.open(config, image, this.#state));
  }

  /** The state as it was last read back: at a checkpoint, by `inspect`, or when `run` ended. */
  get state(): TrainingState {
    this.#state ??= initialState(this.config, this.image);
    return this.#state;
  }

  /** Steps done. */
  get step(): number {
    return this.#held.current?.step ?? this.#stateStep;
  }

  get #stateStep(): number {
    return this.#state?.step ?? 0;
  }

  get paused(): boolean {
    return this.#throttle.steps === 0;
  }

  /** Holds the run; the steps under way are cut short. Resolves when they are done. */
  async pause(): Promise<void> {
    this.#throttle.allow(0);
    await this.#underWay;
  }

  /** Lets a paused run go on. */
  resume(): void {
    this.#throttle.open();
  }

  /** Lets a paused run take some steps and pause again. */
  advance(steps = 1): void {
    this.#throttle.allow(steps);
  }

  /** Asks for a snapshot that rests, soon. */
  rest(): void {
    this.#throttle.rest();
  }

  /**
   * Keeps open what computes, for the questions and the runs to come: each of them opens its own otherwise.
   * @returns what lets go of it
   */
  hold(): () => Promise<void> {
    return this.#held.hold();
  }

  /** Goes on from another state of the same step, between two runs. */
  async load(state: TrainingState): Promise<void> {
    this.#state = state;
    const { current } = this.#held;
    await current?.load(state).catch((error) => {
      if (!(error instanceof DeviceLostError)) throw error;
      return this.#held.drop(current);
    });
  }

  /**
   * Trains, and yields a snapshot at the steps asked for and at the last one. Further steps are asked for while some
   * are under way, so that the engine need not wait for a busy thread: what is asked of the trainer is of whatever step
   * it is at, and of a snapshot's where that one rests. Leaving the loop frees all memory that nobody else holds; when
   * the run ends by itself or by its signal, `state` holds the final state.
   * @throws ConfigError, ShaderError, or an Error of one sentence
   */
  async *run(options: RunOptions = {}): AsyncGenerator<Snapshot, void, void> {
    const { signal } = options;
    const release = this.hold();
    const wake = () => this.#throttle.wake();
    signal?.addEventListener("abort", wake);
    const stretches = new Stretches(options, this.#throttle);
    const run: Run = { options, stretches, course: this.#begin(options), step: this.step, recoveries: 0, failures: 0 };
    this.#secondsThen = this.seconds;
    this.#checkpointAt = performance.now();
    try {
      for (;;) {
        let snapshots: Snapshot[] = [];
        try {
          if (!run.stretch && (run.course.isOver(this.step, this.seconds) || signal?.aborted)) {
            if (this.#held.current) this.#keep(await this.#held.current.state());
            return;
          }
          if (!run.stretch) run.pipeline = await this.#held.get();
          if (run.stretch || !(await this.#waits(run))) snapshots = await this.#goOn(run, run.pipeline!);
        } catch (error) {
          await this.#recover(run, error);
        }
        yield* snapshots;
      }
    } finally {
      signal?.removeEventListener("abort", wake);
      await release();
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

  #begin(options: RunOptions): Course {
    const { until = this.config.steps } = options;
    this.#course = new Course(this.config, { ...options, until }, this.step, this.#state?.plateau);
    return this.#course;
  }

  /** Waits where no step is allowed, and resolves with whether there was a reason to. */
  async #waits({ options: { signal } }: Run): Promise<boolean> {
    // Who stopped it meanwhile does not wake it again.
    if (signal?.aborted) return true;
    if (!this.paused) return false;
    await this.#throttle.change();
    return true;
  }

  /** Takes the next stretch of the steps, asks for the one behind it, and resolves with what there is to tell. */
  async #goOn(run: Run, pipeline: Pipeline): Promise<Snapshot[]> {
    const { course, stretches } = run;
    if (!run.stretch) {
      // Only when the run goes on from it, so that a state that is read at this step is always the one before.
      if (course.nextGrowth(pipeline.step) <= pipeline.step) {
        await this.#grow(pipeline, course.horizon);
        course.hasGrown(pipeline.step);
      }
      run.step = pipeline.step;
    }
    const stretch = run.stretch ?? stretches.ask(pipeline, course, run.step);
    run.stretch = stretches.goOnBehind(stretch) ? stretches.ask(pipeline, course, stretch.end) : undefined;
    this.#underWay = (run.stretch ?? stretch).advanced.catch(() => {});
    const [done, now] = await stretch.advanced;
    const seconds = this.#count(run, stretch, done, now);
    const snapshots = await this.#tell(run, stretch, done, now, seconds, pipeline);
    if (now - this.#checkpointAt > checkpointInterval) await this.#checkpoint(run, pipeline, now);
    // Only now, so that a step that was asked for is taken again where the device was lost; and what is allowed may have
    // changed meanwhile.
    if (!stretch.changed.aborted) this.#throttle.spend(done);
    return snapshots;
  }

  /** Counts steps that are done; returns the seconds before them. */
  #count(run: Run, { start }: Stretch, done: number, now: number): number {
    const { course, stretches } = run;
    const before = this.seconds;
    const taken = now - Math.max(start, this.#answeredAt);
    this.#answeredAt = now;
    this.seconds += taken / 1000;
    run.step += done;
    stretches.chunk.learn(done, taken);
    course.foresee(run.step, this.seconds, stretches.chunk.stepsPerSecond);
    return before;
  }

  /** What there is to tell of a stretch: a snapshot of each step that is recorded, and of the last one where it is time. */
  async #tell(run: Run, stretch: Stretch, done: number, now: number, before: number, pipeline: Pipeline) {
    const measured = await stretch.measured;
    if (done === 0) return [];
    const { course, stretches, step, recoveries } = run;
    const { recordEvery, recordGradientsEvery, lookAt = [] } = run.options;
    const { stepsPerSecond } = stretches.chunk;
    const due = (every?: number, at = step) => every !== undefined && at % every === 0;
    if (due(course.lookEvery)) course.look(step, psnrOfLoss(measured.at(-1)!.loss));
    const isOver = course.isOver(step, this.seconds);
    const isAsked = due(recordGradientsEvery) || lookAt.includes(step) || due(course.lookEvery);
    const isTold = [isOver, isAsked, stretches.chunk.isOver(now), this.#throttle.steps <= done].some(Boolean);
    const gradients = due(recordGradientsEvery) ? await pipeline.gradients() : undefined;
    return measured
      .filter((row) => due(recordEvery, row.step) || (row.step === step && isTold))
      .map((row): Snapshot => {
        const isLast = row.step === step;
        return {
          ...row,
          seconds: isLast ? this.seconds : before + ((this.seconds - before) * (row.step - step + done)) / done,
          psnr: psnrOfLoss(row.loss),
          stepsPerSecond,
          recorded: due(recordEvery, row.step) || (isLast && isOver),
          rests: isLast && !run.stretch,
          recoveries,
          ...(isLast && gradients && { gradients }),
        };
      });
  }

  /** Reads the state back, for a device that is lost. */
  async #checkpoint(run: Run, pipeline: Pipeline, now: number): Promise<void> {
    const kept = pipeline.state().then((state) => {
      this.#keep(state);
      run.failures = 0;
    });
    this.#checkpointAt = now;
    // What fails of a lost device lets the steps fail too.
    if (run.stretch) kept.catch(() => {});
    else await kept;
  }

  /** Goes back to the state that was kept, for another device. */
  async #recover(run: Run, error: unknown): Promise<void> {
    // A question may have found out first, and have replaced what computes.
    const isReplaced = run.pipeline !== undefined && run.pipeline !== this.#held.current;
    if (!(error instanceof DeviceLostError || isReplaced) || ++run.failures > mostRecoveries) throw error;
    run.recoveries++;
    run.stretch = undefined;
    await this.#held.drop(run.pipeline ?? this.#held.current);
    run.pipeline = undefined;
    this.seconds = this.#secondsThen;
    // What is reached next is kept at once, so that devices which do not live long get further too.
    this.#checkpointAt = Number.NEGATIVE_INFINITY;
    run.course = this.#begin(run.options);
  }

  /** Keeps a state that was read back, for a device that is lost. */
  #keep(read: TrainingState): TrainingState {
    const state = this.#marked(read);
    // A run that went on while it was asked may have kept a later state.
    if (state.step < this.#stateStep) return state;
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

  /**
   * Asks what computes. All that is asked at once is answered at one step. A device that is lost is replaced.
   * @throws DeviceLostError if the device is lost and the step with it, to which the run comes again
   */
  async #ask<T>(question: (pipeline: Pipeline) => Promise<T>): Promise<T> {
    const release = this.hold();
    try {
      for (let failures = 0; ; failures++) {
        let pipeline: Pipeline | undefined;
        try {
          pipeline = await this.#held.get();
          const start = performance.now();
          const answer = await question(pipeline);
          this.questionTime = performance.now() - Math.max(start, this.#answeredAt);
          return answer;
        } catch (error) {
          if (!(error instanceof DeviceLostError) || failures === mostRecoveries) throw error;
          if ((pipeline?.step ?? this.#stateStep) !== this.#stateStep) throw error;
          await this.#held.drop(pipeline);
        }
      }
    } finally {
      await release();
    }
  }
}

/** A run under way. */
interface Run {
  readonly options: RunOptions;
  readonly stretches: Stretches;
  course: Course;
  /** What computes it. */
  pipeline?: Pipeline | undefined;
  /** The steps asked for and not answered yet. */
  stretch?: Stretch | undefined;
  /** Steps done, as far as that is known. */
  step: number;
  recoveries: number;
  /** Devices lost since a state was read back. */
  failures: number;
}
