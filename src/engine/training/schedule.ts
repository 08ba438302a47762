import type { TrainConfig } from "../config.js";
import type { Plateau } from "../model/blobs.js";
import { lastDensification, nextDensification } from "./densification.js";

/** When a run ends, and after which steps it yields a snapshot. */
export interface RunOptions {
  /** The step after which to end, counted from the start of the run; the config's number of steps if absent. */
  until?: number;
  /** The step at which the learning-rate schedule ends; the config's number of steps if absent. */
  horizon?: number;
  /**
   * Training time in seconds after which to end, counted from the start of the run. It replaces the number of steps: the
   * learning-rate schedule runs over it, and there is no early stopping.
   */
  seconds?: number;
  /** Steps between recorded snapshots. */
  recordEvery?: number;
  /** Steps between snapshots with gradients. */
  recordGradientsEvery?: number;
  /** Steps with idle snapshots, ascending; see `Snapshot`. */
  inspectAt?: readonly number[];
  /** Approximate largest number of milliseconds between snapshots. */
  interval?: number;
  /** Ends the run after the running steps. */
  signal?: AbortSignal;
}

/** Fraction of a run in seconds after which its number of steps is known well enough for density control. */
const minProgress = 0.05;

const isMultiple = (step: number, every?: number) => every !== undefined && step % every === 0;

/** Decides when a run ends, when density control runs, and the size of the next batch. */
export class Schedule {
  /** The step after which the run ends; infinite where it is given in seconds. */
  end = Number.POSITIVE_INFINITY;
  /** The step at which the learning-rate schedule ends: of a run in seconds, the expected last one. */
  horizon = 0;
  /** State of early stopping. */
  plateau: Plateau | undefined;
  stepsPerSecond = 0;
  /** Steps between two comparisons of early stopping. */
  readonly #compareEvery: number | undefined;
  readonly #interval: number;
  /** Size of a batch that takes about half an interval. */
  #batchSize = 1;
  /** Exponentially decaying sums over the latest batches. */
  #latest = { done: 0, milliseconds: 0 };
  #snapshotAt = performance.now();
  /** The latest step of density control, and whether it was the last one. */
  #densifiedAt = 0;
  #isDensificationOver = false;
  /** Fraction of the seconds that has passed. */
  #progress = 0;

  /**
   * @param step at which the run starts
   * @param plateau state of early stopping
   */
  constructor(
    readonly config: TrainConfig,
    readonly options: RunOptions,
    step: number,
    plateau?: Plateau,
  ) {
    const { seconds, interval = 125 } = options;
    this.#interval = interval;
    if (config.plateau > 0 && seconds === undefined) this.#compareEvery = Math.max(1, Math.round(config.steps / 20));
    this.restart(step, plateau);
  }

  /** Restarts at a step, like a new run with the same options, but keeps the measured speed. */
  restart(step: number, plateau?: Plateau): void {
    const { until = this.config.steps, horizon = this.config.steps, seconds } = this.options;
    this.plateau = plateau;
    if (seconds === undefined) this.end = Math.min(until, plateau?.end ?? until);
    this.horizon = plateau?.end ?? horizon;
    this.#densifiedAt = step - 1;
    this.#isDensificationOver = this.config.growEvery === 0 || step > lastDensification(this.config, horizon);
    this.#progress = 0;
  }

  isOver(step: number, seconds: number): boolean {
    return step >= this.end || seconds >= (this.options.seconds ?? Number.POSITIVE_INFINITY);
  }

  /**
   * Returns the size of the batch after a step, and whether it must be done before the next one is submitted, such as for
   * density control.
   * @param budget most steps of the batch
   */
  nextBatch(step: number, budget: number): { steps: number; endsIdle: boolean } {
    const { recordGradientsEvery, inspectAt = [], seconds } = this.options;
    const toNext = (every = Number.POSITIVE_INFINITY) => every - (step % every);
    const maxSteps = Math.min(
      budget,
      seconds === undefined ? this.end - step : Math.max(1, this.horizon - step),
      this.#nextDensification(step) - step,
      toNext(this.#compareEvery),
      toNext(recordGradientsEvery),
      (inspectAt.find((later) => later > step) ?? Number.POSITIVE_INFINITY) - step,
    );
    const steps = Math.min(this.#batchSize, maxSteps);
    return { steps, endsIdle: steps === maxSteps };
  }

  /** Updates the measured speed and the horizon after a batch. */
  batchDone(done: number, milliseconds: number, step: number, seconds: number): void {
    if (done > 0) this.#updateSpeed(done, milliseconds);
    const target = this.options.seconds;
    if (target === undefined) return;
    this.#progress = seconds / target;
    this.horizon = Math.max(step, Math.round(step + (target - seconds) * this.stepsPerSecond));
  }

  #updateSpeed(done: number, milliseconds: number): void {
    // A busy thread gets one result late and the next at once, so only sums give the speed.
    const { done: before, milliseconds: pastMilliseconds } = this.#latest;
    this.#latest = { done: 0.7 * before + done, milliseconds: 0.7 * pastMilliseconds + milliseconds };
    const isFirst = this.stepsPerSecond === 0;
    this.stepsPerSecond = (1000 * this.#latest.done) / Math.max(this.#latest.milliseconds, 0.01);
    // The first batch includes the compilation of the kernels.
    if (isFirst) this.#latest = { done: 0, milliseconds: 0 };
    const target = Math.round((0.5 * this.#interval * this.stepsPerSecond) / 1000);
    this.#batchSize = Math.max(1, Math.min(target, 4 * Math.max(done, this.#batchSize)));
  }

  /** Returns whether density control runs between a step and the next one. */
  densifiesAt(step: number): boolean {
    return this.#nextDensification(step) <= step;
  }

  /** Records that density control has run after a step. */
  markDensified(step: number): void {
    this.#densifiedAt = step;
    this.#isDensificationOver = step >= lastDensification(this.config, this.horizon);
  }

  #nextDensification(step: number): number {
    // The number of steps of a run in seconds is unknown at first.
    const isUnknown = this.options.seconds !== undefined && this.#progress < minProgress;
    if (this.#isDensificationOver || isUnknown) return Number.POSITIVE_INFINITY;
    // The horizon may have moved, and the last densification with it.
    if (step > lastDensification(this.config, this.horizon)) return step;
    return nextDensification(this.config, Math.max(step, this.#densifiedAt + 1), this.horizon);
  }

  /** Returns whether early stopping compares the PSNR of a step. */
  comparesAt(step: number): boolean {
    return isMultiple(step, this.#compareEvery);
  }

  /** Compares the PSNR of a step: once it no longer rises, the run and its schedule end at the next comparison. */
  compare(step: number, psnr: number): void {
    const before = this.plateau?.psnr ?? Number.NEGATIVE_INFINITY;
    const next = step + this.#compareEvery!;
    let end = this.plateau?.end;
    // The difference of two infinite PSNRs is NaN.
    if (this.#isDensificationOver && !(psnr - before >= this.config.plateau) && next < this.end) {
      end = this.end = this.horizon = next;
    }
    this.plateau = { psnr, ...(end !== undefined && { end }) };
  }

  /** Returns whether to yield the snapshot of a step that is not recorded, and if its interval is over, starts the next. */
  isSnapshotDue(step: number, now: number): boolean {
    const { recordGradientsEvery, inspectAt = [] } = this.options;
    const isLate = now - this.#snapshotAt >= this.#interval;
    if (isLate) this.#snapshotAt = now;
    return (
      isLate ||
      isMultiple(step, recordGradientsEvery) ||
      isMultiple(step, this.#compareEvery) ||
      inspectAt.includes(step)
    );
  }

  isRecorded(step: number): boolean {
    return isMultiple(step, this.options.recordEvery);
  }

  recordsGradients(step: number): boolean {
    return isMultiple(step, this.options.recordGradientsEvery);
  }
}
