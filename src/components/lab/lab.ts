import type { TrainConfig } from "../../engine/config.js";
import type { Size } from "../../engine/image.js";
import type { BrowserEngine } from "../../host/browser.js";
import type { ChosenPicture } from "../../host/pictures.js";
import type { StoredRun } from "../../host/runStore.js";
import { type Curve, curveOf } from "../runs/curve.js";
import { whileFollowed } from "../training/follow.js";
import { type Continuation, Run } from "../training/run.js";

/** Earlier runs that stay on the charts. */
const mostEarlier = 3;

/** The page's training: the run that goes on, and the curves of those before it. */
export class Lab {
  run: Run | undefined;
  /** Oldest first. */
  readonly earlier: Curve[] = [];
  #expected: Continuation | undefined;
  /** A run that waits for the reader to choose. */
  #waiting: Run | undefined;
  readonly #listeners = new Set<() => void>();

  /**
   * @param offers stored runs that can be gone on with: the lab does not begin by itself what one of them has begun
   */
  constructor(
    readonly engine: BrowserEngine,
    public offers: readonly StoredRun[] = [],
  ) {}

  /** Whether the run has not begun, since a stored one of its very job can be gone on with in its place. */
  get waits(): boolean {
    return this.run !== undefined && this.run === this.#waiting && this.run.status === "paused" && this.run.step === 0;
  }

  /**
   * Starts a run in place of the one under way, whose curve stays.
   * @param paused whether it waits before its first step
   * @throws ConfigError if the engine cannot hold the job
   */
  start(config: TrainConfig, target: ChosenPicture, paused = false): Run {
    const expected = this.#expected;
    const goesOn = expected?.config === config && expected.picture === target;
    if (goesOn) this.#expected = undefined;
    const before = goesOn ? expected.before : undefined;
    const waits = !goesOn && !this.run && this.#isOffered(config, target);
    const run = new Run(config, target, this.engine.backend(config.pipeline), before);
    this.run?.stop();
    if (this.run && this.run.measured.length > 1) this.earlier.push(curveOf(this.run));
    if (this.earlier.length > mostEarlier) this.earlier.shift();
    this.run = run;
    if (waits) this.#waiting = run;
    if (paused || waits || (goesOn && expected.paused)) run.pause();
    void run.train();
    void whileFollowed(run, document, this.#notify);
    return run;
  }

  /** Lets the next run, if it is the one that is told, go on from where it was. */
  expect(continuation: Continuation): void {
    this.#expected = continuation;
  }

  /** Goes on without an offer; a run that waited for it begins. */
  decline(offer: StoredRun): void {
    this.offers = this.offers.filter((other) => other !== offer);
    if (this.waits && !this.#isOffered(this.run!.config, this.run!.target)) this.run!.resume();
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

  #isOffered(config: TrainConfig, target: ChosenPicture): boolean {
    return this.offers.some((offer) => hasBegun(offer, config, target));
  }

  readonly #notify = () => {
    for (const listener of this.#listeners) listener();
  };
}

/** Whether a stored run is of this job, by whatever pipeline, and has not come to its end. */
function hasBegun({ description, until, inGallery }: StoredRun, config: TrainConfig, target: ChosenPicture): boolean {
  const { config: stored, image, step } = description;
  const job = (of: TrainConfig, name: string, { width, height }: Size, from?: string) =>
    JSON.stringify([{ ...of, pipeline: undefined }, name, width, height, from]);
  const isSame = job(stored, image.name, image, inGallery) === job(config, target.name, target.image, target.inGallery);
  return isSame && step < until;
}
