import { psnrOfLoss } from "../image/metrics.js";
import { limitText } from "../quoted.js";

/** Something that a run reports while it trains. */
export interface Alert {
  kind: "diverged" | "stalled" | "goal";
  step: number;
  /** NaN if a parameter or moment is not finite. Infinite and NaN are null in JSON. */
  loss: number;
  sentence: string;
}

/** The step with the loss of the initial parameters, to which later losses are compared. */
export const firstStep = 1;

/** Decibels that the training PSNR must rise for a run not to be stalled. */
const leastProgress = 0.01;
/** Decibels below the best training PSNR, and below that of the first row, from which a run is far off. */
const farBelowBest = 6;
const farBelowFirst = 0.2;
/** Training PSNR above which no run is far off. */
const highestFar = 50;

/** Returns the steps without progress, or far from the best loss, after which a run is stalled or has diverged. */
export function defaultAlertAfter(steps: number): number {
  return Math.max(100, Math.round(steps / 5));
}

/** Detects in the recorded losses of a run that it diverges or stalls. It reports each of them once. */
export class LossWatch {
  readonly #reported: Set<string>;
  #first: number | undefined;
  #best = { step: 0, psnr: Number.NEGATIVE_INFINITY };
  /** The step of the latest progress, and the training PSNR then. */
  #progress = { step: 0, psnr: Number.NEGATIVE_INFINITY };
  /** The step since which the loss has been far above its best. */
  #farSince: number | undefined;
  #step = 0;

  /**
   * @param after steps, as `defaultAlertAfter`
   * @param earlier alerts of the part of the run that is resumed
   */
  constructor(
    readonly after: number,
    earlier: readonly { kind: string }[] = [],
  ) {
    this.#reported = new Set(earlier.map(({ kind }) => kind));
  }

  /** Returns whether the loss has been far above its best for long. */
  get isDiverged(): boolean {
    return this.#farSince !== undefined && this.#step - this.#farSince >= this.after;
  }

  /** Takes the finite loss of a step, and returns what it reveals, if that is new. */
  next({ step, loss }: { step: number; loss: number }): Alert | undefined {
    const psnr = psnrOfLoss(loss);
    this.#step = step;
    this.#first ??= psnr;
    if (psnr > this.#best.psnr) this.#best = { step, psnr };
    if (psnr >= this.#progress.psnr + leastProgress) this.#progress = { step, psnr };
    const limit = Math.max(this.#best.psnr - farBelowBest, this.#first - farBelowFirst);
    if (psnr >= Math.min(highestFar, limit)) this.#farSince = undefined;
    else this.#farSince ??= step;
    if (this.isDiverged) {
      const best = `after ${this.#best.psnr.toFixed(2)} dB at step ${limitText(this.#best.step)}`;
      return this.#report("diverged", { step, loss }, `Diverged: ${atStep(psnr, step)}, ${best}.`);
    }
    if (this.#farSince === undefined && step - this.#progress.step >= this.after && loss > 0) {
      const steps = limitText(step - this.#progress.step);
      return this.#report("stalled", { step, loss }, `No progress for ${steps} steps: ${atStep(psnr, step)}.`);
    }
    return undefined;
  }

  #report(kind: Alert["kind"], at: { step: number; loss: number }, sentence: string): Alert | undefined {
    if (this.#reported.has(kind)) return undefined;
    this.#reported.add(kind);
    return { kind, ...at, sentence };
  }
}

function atStep(psnr: number, step: number): string {
  return `the training PSNR is ${psnr.toFixed(2)} dB at step ${limitText(step)}`;
}
