import type { MetricsRow } from "../../engine/arrow.js";
import type { TrainingState } from "../../engine/blobs.js";
import type { TrainConfig } from "../../engine/config.js";
import { filmSteps, frameSize } from "../../engine/film.js";
import { type Image, type Picture, toImage } from "../../engine/image.js";
import { type Backend, DeviceLostError, type Tiles } from "../../engine/pipeline.js";
import { type Draw, drawOn } from "../../engine/splat2d/roundTrip.js";
import { type Snapshot, Trainer } from "../../engine/trainer.js";
import { Turns } from "../../engine/turns.js";
import type { ChosenPicture } from "../pictures.js";

export type RunStatus = "starting" | "running" | "paused" | "done" | "failed";

/** All of a run at one step, for tables, downloads and the overlay. */
export interface View {
  state: TrainingState;
  /** dL/draw at the state's parameters. */
  gradients: Float32Array;
  tiles: Tiles;
  picture: Picture;
}

/** Where a run goes on from. */
export interface Before {
  state: TrainingState;
  metrics: MetricsRow[];
  /** By step. */
  film: Map<number, Image>;
  /** Of training. */
  seconds: number;
  /** The step at which it was to end. */
  until: number;
  /** Where in the store the state stands that the run goes on from and makes dispensable: its later ones go there. */
  place?: string;
}

/** Milliseconds between looks at the picture, at the least. */
const pictureInterval = 150;
/** The same for looks at all of the run. */
const viewInterval = 500;
/** Looks take at most about one part in this many of the time. */
const share = 6;
/** Milliseconds between snapshots. */
const snapshotInterval = 125;

/**
 * A training job that the page shows: it drives the trainer, keeps every snapshot, and looks at the blobs as often as
 * the engine can bear.
 */
export class LabRun {
  status: RunStatus = "starting";
  /** Why it failed, as a sentence. */
  error: Error | undefined;
  readonly snapshots: Snapshot[] = [];
  /** The blobs' picture, of the step `pictureStep`. */
  picture: Picture | undefined;
  pictureStep = 0;
  view: View | undefined;
  /** The blobs' picture after some of the steps, small. */
  readonly film: Map<number, Image>;
  /** The step at which it will end. */
  until: number;
  /** Times that a lost device was replaced. */
  recoveries = 0;
  readonly #trainer: Trainer;
  /** Whether the reader wants it to hold. */
  #isHeld = false;
  readonly #controller = new AbortController();
  readonly #changed: () => void;
  readonly #looks = new Turns();
  readonly #pictureLook = new Pacing(pictureInterval);
  readonly #viewLook = new Pacing(viewInterval);

  /**
   * @param changed called after each change of what is above
   * @param before the run that it continues
   * @throws ConfigError if the backend cannot hold the job
   */
  constructor(
    readonly config: TrainConfig,
    readonly target: ChosenPicture,
    backend: Backend,
    changed: () => void,
    readonly before?: Before,
  ) {
    this.#trainer = new Trainer(config, target.image, backend, before?.state);
    this.#changed = changed;
    this.until = before?.until ?? config.steps;
    this.film = new Map(before?.film);
    if (!before) return;
    this.#trainer.seconds = before.seconds;
    this.snapshots.push(...before.metrics.map((row) => ({ ...row, stepsPerSecond: 0, recorded: true, recoveries: 0 })));
  }

  /** Steps done. */
  get step(): number {
    return this.#trainer.step;
  }

  /**
   * The state as it was last read back: exact where the run is paused or done, otherwise of a few seconds ago; undefined
   * as long as none was.
   */
  get state(): TrainingState | undefined {
    return this.view || this.before ? this.#trainer.state : undefined;
  }

  /** Who computes, for people. */
  get adapter(): string {
    return this.#trainer.backend.description;
  }

  get latest(): Snapshot | undefined {
    return this.snapshots.at(-1);
  }

  /** Whether it is stopped for good. */
  get isStopped(): boolean {
    return this.#controller.signal.aborted;
  }

  /** Trains until `until`, or until it is stopped. */
  async train(): Promise<void> {
    const { signal } = this.#controller;
    const recoveriesBefore = this.recoveries;
    this.#setStatus(this.#isHeld ? "paused" : "starting");
    try {
      if (this.#isHeld) await this.#lookAtAll();
      // Where training begins is worth a snapshot, so the first step is taken by itself.
      else if (this.step === 0) this.#trainer.advance(1);
      const options = { until: this.until, interval: snapshotInterval, lookAt: filmSteps, signal };
      for await (const snapshot of this.#trainer.run(options)) {
        if (signal.aborted) break;
        // After a recovery the run goes on from its last checkpoint.
        while ((this.latest?.step ?? 0) >= snapshot.step) this.snapshots.pop();
        this.snapshots.push(snapshot);
        this.recoveries = recoveriesBefore + snapshot.recoveries;
        if (filmSteps.includes(snapshot.step)) await this.#keepFrame(snapshot.step);
        this.status = this.#isHeld ? "paused" : "running";
        if (!this.#isHeld) this.#trainer.resume();
        const mustLook = this.#isHeld || snapshot.step >= this.until;
        if (mustLook || (this.#viewLook.isDue() && !document.hidden)) await this.#lookAtAll();
        else if (this.#pictureLook.isDue() && !document.hidden) await this.#lookAtPicture();
        this.#changed();
      }
      if (signal.aborted) return;
      await this.#lookAtAll();
      this.#setStatus("done");
    } catch (error) {
      if (signal.aborted) return;
      this.error = error as Error;
      this.#setStatus("failed");
    }
  }

  /** Holds the run after the steps under way. */
  pause(): void {
    if (this.status === "done" || this.status === "failed") return;
    this.#isHeld = true;
    this.#trainer.pause();
    this.#setStatus("paused");
    // The loop looks at the step that was under way; if none was, nobody would.
    void this.#lookAtAll().then(this.#changed, () => {});
  }

  /** Draws files of the run's blobs. */
  get draw(): Draw {
    return drawOn(this.#trainer.backend, this.config, this.target.image);
  }

  /** Goes on, also past the end: by as many steps again as the config has. */
  resume(): void {
    if (this.status === "failed") return;
    this.#isHeld = false;
    this.#trainer.resume();
    if (this.status === "done") this.#extend(this.config.steps);
    else this.#setStatus("running");
  }

  /** Takes one step and holds. */
  takeStep(): void {
    if (this.status === "failed") return;
    this.#isHeld = true;
    this.#trainer.advance(1);
    if (this.status === "done") this.#extend(1);
    else this.#setStatus("paused");
  }

  /** Ends the run; what it showed stays. */
  stop(): void {
    this.#controller.abort();
  }

  #extend(steps: number): void {
    this.until = this.#trainer.step + steps;
    void this.train();
  }

  #setStatus(status: RunStatus): void {
    this.status = status;
    this.#changed();
  }

  async #keepFrame(step: number): Promise<void> {
    if (this.film.has(step)) return;
    await this.#looks.take(async () => {
      const frame = await this.#trainer.render(frameSize(this.target.image)).catch(unlessLost);
      if (frame) this.film.set(step, toImage(frame));
    });
  }

  async #lookAtPicture(): Promise<void> {
    await this.#look(this.#pictureLook, async () => {
      const step = this.#trainer.step;
      this.picture = await this.#trainer.render();
      this.pictureStep = step;
    });
  }

  async #lookAtAll(): Promise<void> {
    await this.#look(this.#viewLook, async () => {
      if (this.view?.state.step === this.#trainer.step) return;
      this.view = await this.#trainer.look();
      this.picture = this.view.picture;
      this.pictureStep = this.view.state.step;
    });
  }

  /** One look at a time. */
  async #look(pacing: Pacing, look: () => Promise<void>): Promise<void> {
    await this.#looks.take(async () => {
      if (this.isStopped) return;
      await pacing.time(look).catch((error) => {
        if (!this.isStopped) unlessLost(error);
      });
    });
  }
}

/** A device that is lost meanwhile is for the trainer to replace. */
function unlessLost(error: unknown): undefined {
  if (!(error instanceof DeviceLostError)) throw error;
  return undefined;
}

/** Says when it is time to look again: not before an interval has passed, nor before it has paid for the last look. */
class Pacing {
  #cost = 0;
  #endedAt = Number.NEGATIVE_INFINITY;

  constructor(readonly interval: number) {}

  isDue(): boolean {
    return performance.now() - this.#endedAt >= Math.max(this.interval, share * this.#cost);
  }

  async time(look: () => Promise<void>): Promise<void> {
    const start = performance.now();
    try {
      await look();
    } finally {
      this.#endedAt = performance.now();
      this.#cost = this.#endedAt - start;
    }
  }
}
