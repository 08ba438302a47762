import { uniformGenerator } from "../../../engine/blobs.js";
import type { Lab } from "../../lab/lab.js";
import { whileShown } from "../whileShown.js";
import { type RunMoment, type StepSample, sampleAt, takeSample } from "./stepSample.js";

/** The blob and pixel that the figures of a page look at together. */
export class SharedSample {
  #sample: StepSample | undefined;
  #taken = 0;
  readonly #listeners = new Set<(sample: StepSample) => void>();

  constructor(readonly lab: Lab) {
    // The first one is taken as soon as the run has been looked at.
    const end = lab.observe(() => {
      if (this.#sample || this.takeAnother()) end();
    });
    if (this.takeAnother()) end();
  }

  get sample(): StepSample | undefined {
    return this.#sample;
  }

  /** Calls the listener with the sample, now if there is one, and whenever another is taken, while `node` is shown. */
  follow(node: Node, listener: (sample: StepSample) => void): void {
    const call = whileShown(node, listener, () => this.#listeners.delete(call));
    this.#listeners.add(call);
    if (this.#sample) call(this.#sample);
  }

  /** Another pixel and blob, of the run as it is now; false while there is none. */
  takeAnother(): boolean {
    const moment = this.#moment();
    return moment !== undefined && this.#set(takeSample(moment, uniformGenerator(++this.#taken)));
  }

  /** That pixel, of the run as it is now; false where no blob is. */
  takePixel(x: number, y: number): boolean {
    const moment = this.#moment();
    return moment !== undefined && this.#set(sampleAt(moment, { x, y }));
  }

  #moment(): RunMoment | undefined {
    const run = this.lab.run;
    if (!run?.look) return undefined;
    const { state, gradients } = run.look;
    return { config: run.config, image: run.target.image, state, gradients };
  }

  #set(sample: StepSample | undefined): boolean {
    if (!sample) return false;
    this.#sample = sample;
    for (const listener of this.#listeners) listener(sample);
    return true;
  }
}

const samples = new WeakMap<Lab, SharedSample>();

/** The one of a lab. */
export function sharedSample(lab: Lab): SharedSample {
  let shared = samples.get(lab);
  if (!shared) {
    shared = new SharedSample(lab);
    samples.set(lab, shared);
  }
  return shared;
}
