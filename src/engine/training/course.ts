import type { TrainConfig } from "../config.js";
import type { Plateau } from "../model/blobs.js";
import { lastGrowth, nextGrowth } from "./growth.js";

/** Share of a run's seconds after which the steps that they hold are known well enough to place blobs by. */
const leastPassed = 0.05;

/** Until when a run goes, and where its schedule ends: at its last step, or where its seconds are likely to. */
export class Course {
  /** The step after which the run ends. */
  end: number;
  /** The step at which the schedule ends. */
  horizon: number;
  /** Steps between two looks for a plateau. */
  readonly lookEvery: number | undefined;
  readonly seconds: number | undefined;
  /** What was seen of one, once it was looked for. */
  plateau: Plateau | undefined;
  /** The step after which blobs were placed last. */
  #grown: number;
  /** Whether those were the last ones. */
  #allPlaced: boolean;
  /** Share of the seconds that has passed. */
  #passed = 0;

  constructor(
    readonly config: TrainConfig,
    { until, seconds, horizon = config.steps }: { until: number; seconds?: number; horizon?: number },
    step: number,
    plateau?: Plateau,
  ) {
    this.seconds = seconds;
    const { steps } = config;
    this.end = seconds === undefined ? Math.min(until, plateau?.end ?? until) : Number.POSITIVE_INFINITY;
    this.horizon = plateau?.end ?? horizon;
    this.lookEvery = config.plateau > 0 && seconds === undefined ? Math.max(1, Math.round(steps / 20)) : undefined;
    this.#grown = step - 1;
    this.#allPlaced = config.growEvery === 0 || step > lastGrowth(config, horizon);
    this.plateau = plateau;
  }

  isOver(step: number, seconds: number): boolean {
    return step >= this.end || (this.seconds !== undefined && seconds >= this.seconds);
  }

  /** How many steps there are to come, as far as that is known. */
  stepsLeft(step: number): number {
    return this.seconds === undefined ? this.end - step : Math.max(1, this.horizon - step);
  }

  /** Reckons how many steps the seconds hold. */
  foresee(step: number, seconds: number, stepsPerSecond: number): void {
    if (this.seconds === undefined) return;
    this.#passed = seconds / this.seconds;
    this.horizon = Math.max(step, Math.round(step + (this.seconds - seconds) * stepsPerSecond));
  }

  /** The step from which on blobs are to be placed: now, if it is not after `step`. */
  nextGrowth(step: number): number {
    // At first nobody knows how many steps the seconds hold.
    const isUnknown = this.seconds !== undefined && this.#passed < leastPassed;
    if (this.#allPlaced || isUnknown) return Number.POSITIVE_INFINITY;
    // The horizon may have come nearer, so that the time for the last ones has passed.
    if (step > lastGrowth(this.config, this.horizon)) return step;
    return nextGrowth(this.config, Math.max(step, this.#grown + 1), this.horizon);
  }

  hasGrown(step: number): void {
    this.#grown = step;
    this.#allPlaced = step >= lastGrowth(this.config, this.horizon);
  }

  /** Where nothing is gained any more, what is left of the schedule is passed in the steps between two looks. */
  look(step: number, psnr: number): void {
    const before = this.plateau?.psnr ?? Number.NEGATIVE_INFINITY;
    let end = this.plateau?.end;
    // Where nothing is left to gain, the difference is no number.
    if (this.#allPlaced && !(psnr - before >= this.config.plateau) && step + this.lookEvery! < this.end) {
      end = step + this.lookEvery!;
      this.end = end;
      this.horizon = end;
    }
    this.plateau = { psnr, ...(end !== undefined && { end }) };
  }
}
