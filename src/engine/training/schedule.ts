import type { TrainConfig } from "../config.js";
import type { Plateau } from "../model/blobs.js";
import { lastDensification, nextDensification } from "./densification.js";

/** How far a run trains, and after which steps it yields a snapshot. */
export interface RunOptions {
  /** The step, counted from the run's beginning, after which to end; the config's number of steps if absent. */
  until?: number;
  /** The step at which the learning-rate schedule ends; the config's number of steps if absent. */
  horizon?: number;
  /**
   * Seconds of training, counted from the run's beginning, after which to end, however many steps they hold. The
   * learning-rate schedule runs over them, and there is no early stopping.
   */
  seconds?: number;
  /** A snapshot of every this many steps. */
  recordEvery?: number;
  /** The gradients in the snapshot after every this many steps. */
  recordGradientsEvery?: number;
  /** Steps, ascending, whose snapshots are idle: see `Snapshot`. */
  inspectAt?: readonly number[];
  /** Milliseconds between two snapshots, at most and about. */
  interval?: number;
  /** Ends the run after the steps under way. */
  signal?: AbortSignal;
}

/** Share of a run's seconds after which their number of steps is known well enough to place blobs by. */
const minProgress = 0.05;

const isMultiple = (step: number, every?: number) => every !== undefined && step % every === 0;

/** Decides when a run ends, when blobs are placed, and how many steps the next batch has. */
export class Schedule {
  /** The step after which the run ends; infinite where it is given in seconds. */
  end = Number.POSITIVE_INFINITY;
  /** The step at which the learning-rate schedule ends: of a run in seconds, the expected last one. */
  horizon = 0;
  /** The latest PSNR compared by early stopping, and the end that it decided on. */
  plateau: Plateau | undefined;
  stepsPerSecond = 0;
  /** Steps between two comparisons of early stopping. */
  readonly #compareEvery: number | undefined;
  readonly #interval: number;
  /** Steps of a batch that takes about half an interval. */
  #batchSize = 1;
  /** Sums over the latest batches, in which older ones count ever less. */
  #latest = { done: 0, milliseconds: 0 };
  #snapshotAt = performance.now();
  /** The step after which blobs were placed last, and whether for the last time. */
  #densifiedAt = 0;
  #isDensificationOver = false;
  /** Share of the seconds that has passed. */
  #progress = 0;

  /**
   * @param step where the run begins
   * @param plateau what early stopping has compared before
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

  /** Begins again at a step, as a new run with the same options. The speed stays known. */
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
   * Returns the size of the batch behind a step, and whether something is to be done before the next one.
   * @param budget steps at most
   */
  nextBatch(step: number, budget: number): { steps: number; isLast: boolean } {
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
    return { steps, isLast: steps === maxSteps };
  }

  /** Learns from a batch that is done, after which the run is at a step and has trained for so many seconds. */
  batchDone(done: number, milliseconds: number, step: number, seconds: number): void {
    if (done > 0) this.#learnSpeed(done, milliseconds);
    const target = this.options.seconds;
    if (target === undefined) return;
    this.#progress = seconds / target;
    this.horizon = Math.max(step, Math.round(step + (target - seconds) * this.stepsPerSecond));
  }

  #learnSpeed(done: number, milliseconds: number): void {
    // A busy thread hears of one batch late and of the next at once, so only sums give the speed.
    const { done: before, milliseconds: pastMilliseconds } = this.#latest;
    this.#latest = { done: 0.7 * before + done, milliseconds: 0.7 * pastMilliseconds + milliseconds };
    const isFirst = this.stepsPerSecond === 0;
    this.stepsPerSecond = (1000 * this.#latest.done) / Math.max(this.#latest.milliseconds, 0.01);
    // The first batch waits for the kernels to be compiled.
    if (isFirst) this.#latest = { done: 0, milliseconds: 0 };
    const target = Math.round((0.5 * this.#interval * this.stepsPerSecond) / 1000);
    this.#batchSize = Math.max(1, Math.min(target, 4 * Math.max(done, this.#batchSize)));
  }

  /** Whether blobs are placed after a step, before the next one. */
  densifiesAt(step: number): boolean {
    return this.#nextDensification(step) <= step;
  }

  /** Takes note that they have been. */
  markDensified(step: number): void {
    this.#densifiedAt = step;
    this.#isDensificationOver = step >= lastDensification(this.config, this.horizon);
  }

  #nextDensification(step: number): number {
    // At first the number of steps in the seconds is unknown.
    const isUnknown = this.options.seconds !== undefined && this.#progress < minProgress;
    if (this.#isDensificationOver || isUnknown) return Number.POSITIVE_INFINITY;
    // The horizon may have moved to before the last growth.
    if (step > lastDensification(this.config, this.horizon)) return step;
    return nextDensification(this.config, Math.max(step, this.#densifiedAt + 1), this.horizon);
  }

  /** Whether early stopping compares the PSNR of a step. */
  comparesAt(step: number): boolean {
    return isMultiple(step, this.#compareEvery);
  }

  /** Does so: once the PSNR no longer rises, the run ends at the next comparison, and its schedule with it. */
  compare(step: number, psnr: number): void {
    const before = this.plateau?.psnr ?? Number.NEGATIVE_INFINITY;
    const next = step + this.#compareEvery!;
    let end = this.plateau?.end;
    // Of two perfect renders the difference is NaN.
    if (this.#isDensificationOver && !(psnr - before >= this.config.plateau) && next < this.end) {
      end = this.end = this.horizon = next;
    }
    this.plateau = { psnr, ...(end !== undefined && { end }) };
  }

  /** Whether the snapshot of a step is to be yielded though it is not recorded. */
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
