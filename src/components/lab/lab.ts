import type { TrainConfig } from "../../engine/config.js";
import type { BrowserEngine } from "../../host/browser.js";
import type { ChosenPicture } from "../pictures.js";
import { type Curve, curveOf } from "../runs/curve.js";
import { type Before, LabRun } from "./labRun.js";

/** A run that is to go on: the next one of this very config and picture does, from where it was. */
export interface Continuation {
  config: TrainConfig;
  target: ChosenPicture;
  before: Before;
  /** Whether it waits there. */
  paused: boolean;
}

/** Earlier runs that stay on the charts. */
const mostEarlier = 3;

/** The page's training: the run that goes on, and the curves of those before it. */
export class Lab {
  run: LabRun | undefined;
  /** Oldest first. */
  readonly earlier: Curve[] = [];
  #expected: Continuation | undefined;
  readonly #listeners = new Set<() => void>();

  constructor(readonly engine: BrowserEngine) {}

  /**
   * Starts a run in place of the one under way, whose curve stays.
   * @param paused whether it waits before its first step
   * @throws ConfigError if the engine cannot hold the job
   */
  start(config: TrainConfig, target: ChosenPicture, paused = false): LabRun {
    const expected = this.#expected;
    const goesOn = expected?.config === config && expected.target === target;
    if (goesOn) this.#expected = undefined;
    const before = goesOn ? expected.before : undefined;
    const run = new LabRun(config, target, this.engine.backend(config.pipeline), this.#notify, before);
    this.run?.stop();
    if (this.run && this.run.snapshots.length > 1) this.earlier.push(curveOf(this.run));
    if (this.earlier.length > mostEarlier) this.earlier.shift();
    this.run = run;
    if (paused || (goesOn && expected.paused)) run.pause();
    void run.train();
    return run;
  }

  /** Lets the next run, if it is the one that is told, go on from where it was. */
  expect(continuation: Continuation): void {
    this.#expected = continuation;
  }

  /** Back to the first step, and waits there. */
  reset(): void {
    if (this.run) this.start(this.run.config, this.run.target, true);
  }

  /** Ends training for good. */
  stop(): void {
    this.run?.stop();
  }

  /** Forgets the earlier runs. */
  clearEarlier(): void {
    this.earlier.length = 0;
    this.#notify();
  }

  /** Calls the listener after each change; returns what ends that. */
  observe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  readonly #notify = () => {
    for (const listener of this.#listeners) listener();
  };
}
