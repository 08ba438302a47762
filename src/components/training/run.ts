import type { Table } from "apache-arrow";
import { completeConfig, type TrainConfig } from "../../engine/config.js";
import { type MetricsRow, metricsFile } from "../../engine/files/arrow.js";
import { type Draw, drawOn } from "../../engine/files/splat2d/roundTrip.js";
import { type Image, toImage } from "../../engine/image/image.js";
import type { TrainingState } from "../../engine/model/blobs.js";
import { type Backend, DeviceLostError, type Rendering, type Tiles } from "../../engine/pipeline.js";
import { filmSteps, frameSize } from "../../engine/training/film.js";
import type { Snapshot } from "../../engine/training/snapshot.js";
import { Trainer } from "../../engine/training/trainer.js";
import { Turns } from "../../engine/turns.js";
import type { BrowserEngine } from "../../host/browser/engine.js";
import type { ChosenPicture } from "../../host/browser/pictures.js";
import { backstage } from "../backstage/backstage.js";
import { freezeWhatIsUsed } from "../inputs/usedNodes.js";
import type { BesideTarget } from "../pictures/besideTarget.js";
import { colorRamp } from "../pictures/colorRamp.js";
import { thinned } from "../runs/curve.js";
import { arrowTable } from "../tables/arrowTable.js";
import { Change, type Followed, type FollowOptions, follow } from "./follow.js";
import { Moments } from "./moments.js";
import { Pacing, restAfter } from "./pacing.js";

/** The state of a run. A run that is done can be continued. */
export type RunStatus = "starting" | "running" | "paused" | "done" | "failed";

/** The full state of a run at one step. */
export interface Look {
  state: TrainingState;
  /** Gradient of the raw parameters at this state, 9·N, field-major. */
  gradients: Float32Array;
  tiles: Tiles;
  picture: Rendering;
}

/** The render next to the target, at one step. */
export interface Render extends BesideTarget {
  step: number;
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

/** A run that is to go on: the next one of this very config and picture does, once, from where it was. */
export interface Continuation {
  config: TrainConfig;
  picture: ChosenPicture;
  before: Before;
  /** Whether it waits there. */
  paused: boolean;
}

/** A training job: an engine, an image, and the fields of the configuration that differ from the defaults. */
export interface Job extends Partial<TrainConfig> {
  engine: BrowserEngine;
  picture: ChosenPicture;
  /** A run to continue, if it has the same configuration and image. */
  start?: Continuation;
  /** Whether a new run waits before its first step. */
  waits?: (config: TrainConfig, picture: ChosenPicture) => boolean;
}

const taken = new WeakSet<Continuation>();

/**
 * Starts training and returns the run. In a cell: `const run = train({engine, picture, blobs, learningRate}, invalidation)`.
 * Without a GPU it uses the pipeline `cpu`, unless the job names another one.
 * @param invalidation Framework's promise that resolves when the cell runs again; training then stops and frees its memory
 * @throws ConfigError if the configuration is not valid, or the engine cannot hold the job
 */
export function train({ engine, picture, start, waits, ...fields }: Job, invalidation?: Promise<unknown>): Run {
  const config = completeConfig({
    ...fields,
    pipeline: fields.pipeline ?? (engine.kind === "cpu" ? "cpu" : undefined),
  });
  const isSame = start?.picture === picture && JSON.stringify(start.config) === JSON.stringify(config);
  const goesOn = isSame && !taken.has(start) ? start : undefined;
  const run = new Run(config, picture, engine.backend(config.pipeline), goesOn?.before);
  if (goesOn) taken.add(goesOn);
  run.waits = !goesOn && waits?.(config, picture) === true;
  if (run.waits || goesOn?.paused) void run.pause();
  void run.train();
  freezeWhatIsUsed();
  void invalidation?.then(() => run.stop());
  return run;
}

/** Milliseconds between looks at the picture, at the least. */
const pictureInterval = 200;
/** The same for looks at all of the run. */
const lookInterval = 1000;
/** Looks of either kind take at most about one part in this many of the time, except that renders stay current. */
const share = 100;
/** Milliseconds between snapshots. */
const snapshotInterval = 125;
/** The same between tables. */
const tableInterval = 250;
/** Rows of metrics that charts are given: more cannot be seen, and take long to draw. */
const mostRows = 1000;

/**
 * A training run in a page. It drives the trainer, keeps the snapshots, and yields renders and tables as values for
 * cells.
 */
export class Run implements Followed {
  status: RunStatus = "starting";
  /** Why the run failed, as a sentence. */
  error: Error | undefined;
  /** All snapshots, by ascending step. */
  readonly measured: Snapshot[] = [];
  /** The latest render. */
  picture: Rendering | undefined;
  /** The latest full state. */
  look: Look | undefined;
  /** Earlier full states, to go back to. */
  readonly moments = new Moments<Look>();
  /** Small renders, by step. */
  readonly film: Map<number, Image>;
  /** The step at which the run ends. */
  until: number;
  /** How often a lost device was replaced. */
  recoveries = 0;
  /** Whether the run waits for the reader before its first step. */
  waits = false;
  /** Whether a pause was requested. The run is paused after the steps in progress. */
  isHeld = false;
  /** A sentence to show with the run. */
  notice = "";
  #before: Before | undefined;
  #trainer: Trainer;
  readonly #backend: Backend;
  #controller = new AbortController();
  readonly #change = new Change();
  readonly #looks = new Turns();
  #isGlancing = false;
  /** What a look failed of that nobody waited for. */
  #glanceError: unknown;
  readonly #pictureLook = new Pacing((cost) => restAfter(cost, pictureInterval, share));
  /** A render and its PSNR. */
  #rendered: { picture?: Rendering; psnr?: number } = {};
  readonly #wholeLook = new Pacing((cost) => Math.max(lookInterval, share * cost));

  /**
   * @param before the run to continue
   * @throws ConfigError if the backend cannot hold the job
   */
  constructor(
    readonly config: TrainConfig,
    readonly target: ChosenPicture,
    backend: Backend,
    before?: Before,
  ) {
    this.#backend = backend;
    this.#before = before;
    this.#trainer = new Trainer(config, target.image, backend, before?.state);
    this.until = before?.until ?? config.steps;
    this.film = new Map(before?.film);
    if (!before) return;
    this.#trainer.seconds = before.seconds;
    this.measured.push(
      ...before.metrics.map((row) => ({ ...row, stepsPerSecond: 0, recorded: true, idle: true, recoveries: 0 })),
    );
  }

  get changed(): Promise<void> {
    return this.#change.changed;
  }

  /** Whether the run was stopped. */
  get isOver(): boolean {
    return this.#change.isOver;
  }

  get rests(): boolean {
    return this.status !== "running" && this.status !== "starting";
  }

  /** Yields the latest snapshot, eight times per second at most. */
  snapshots(): AsyncGenerator<Snapshot, void, void> {
    return follow(this, () => this.latest);
  }

  /**
   * Yields the latest full state, once per second at most.
   * @param moment a state to stay at instead, here and below
   */
  looks(moment?: Look | null): AsyncGenerator<Look, void, void> {
    return this.#follow(
      moment,
      () => this.look,
      (look) => look,
    );
  }

  /** Yields the latest render next to the target, about once per second at least and five times at most. */
  renders(moment?: Look | null): AsyncGenerator<Render, void, void> {
    const ramp = colorRamp("inferno");
    return this.#follow(
      moment?.picture,
      () => (this.picture?.width === this.target.image.width ? this.picture : undefined),
      async (picture) => ({
        ...(await backstage("besideTarget", picture, this.target.image, ramp.bytes)),
        step: picture.step,
      }),
      // Most of it is done behind the page.
      { share: 6, isBounded: true },
    );
  }

  /**
   * Yields a table with the columns of metrics.arrow, about once per second: one row per snapshot, or every n-th if there
   * are many.
   */
  metrics(): AsyncGenerator<Table, void, void> {
    return this.#follow(
      null,
      () => this.latest,
      () => arrowTable(metricsFile(this.config, thinned(this.measured, mostRows))),
      { interval: tableInterval, isBounded: true },
    );
  }

  /** Yields a table with the columns of parameters.arrow: one row per blob. */
  parameters(moment?: Look | null): AsyncGenerator<Table, void, void> {
    const { width, height } = this.target.image;
    return this.#follow(
      moment,
      () => this.look,
      async ({ state: { step, parameters } }) => {
        const given = [this.config, { width, height }, { step, parameters }] as const;
        return arrowTable(await backstage("parametersFile", ...given));
      },
      { interval: tableInterval },
    );
  }

  /** Yields a table with the columns of gradients.arrow: one row per blob, for the step after the current one. */
  gradients(moment?: Look | null): AsyncGenerator<Table, void, void> {
    return this.#follow(
      moment,
      () => this.look,
      async ({ state, gradients }) =>
        arrowTable(await backstage("gradientsFile", this.config, [{ step: state.step + 1, gradients }])),
      { interval: tableInterval },
    );
  }

  /** Follows what is made of something, once of each; of what is held, that alone. */
  async *#follow<From, Value>(
    held: From | null | undefined,
    read: () => From | undefined,
    make: (from: From) => Value | Promise<Value>,
    options?: FollowOptions,
  ): AsyncGenerator<Awaited<Value>, void, void> {
    if (held) {
      yield await make(held);
      return;
    }
    let from: From | undefined;
    let made: Value | Promise<Value> | undefined;
    yield* follow(
      this,
      () => {
        const next = read();
        if (next !== undefined && next !== from) {
          from = next;
          made = make(next);
        }
        return made;
      },
      options,
    );
  }

  /** Steps done. */
  get step(): number {
    return this.#trainer.step;
  }

  /**
   * The training state that was read back last: exact if the run is paused or done, otherwise a few seconds old.
   * Undefined before the first one.
   */
  get state(): TrainingState | undefined {
    return this.look || this.#before ? this.#trainer.state : undefined;
  }

  /** Name of the adapter or engine. */
  get adapter(): string {
    return this.#trainer.backend.description;
  }

  /** PSNR in decibels of the render at the current step, once it is measured; undefined while training goes on. */
  get psnr(): number | undefined {
    const { picture, psnr } = this.#rendered;
    return this.rests && picture === this.picture && picture?.step === this.step ? psnr : undefined;
  }

  get latest(): Snapshot | undefined {
    return this.measured.at(-1);
  }

  /** Returns the snapshot of a step, or the last one before it. */
  measuredAt(step: number): Snapshot | undefined {
    return this.measured.findLast((snapshot) => snapshot.step <= step);
  }

  /** Id in the run store of the state that the run continues from and replaces. */
  get place(): string | undefined {
    return this.#before?.place;
  }

  /** The step that the run continues from, or 0. */
  get firstStep(): number {
    return this.#before?.state.step ?? 0;
  }

  /** Trains until `until`, or until the run is stopped. */
  async train(): Promise<void> {
    const { signal } = this.#controller;
    const recoveriesBefore = this.recoveries;
    const release = this.#trainer.retain();
    this.#setStatus(this.isHeld ? "paused" : "starting");
    try {
      if (this.isHeld) await this.#lookAtAll().then(() => this.#change.tell());
      // Where training begins is worth a snapshot, so the first step is taken by itself.
      else if (this.step === 0) this.#trainer.advance(1);
      const options = { until: this.until, interval: snapshotInterval, inspectAt: filmSteps, signal };
      for await (const snapshot of this.#trainer.run(options)) {
        if (signal.aborted) break;
        // After a recovery the run goes on from its last checkpoint.
        while ((this.latest?.step ?? 0) >= snapshot.step) this.measured.pop();
        this.measured.push(snapshot);
        this.recoveries = recoveriesBefore + snapshot.recoveries;
        if (filmSteps.includes(snapshot.step)) await this.#keepFrame(snapshot.step);
        if (filmSteps.includes(snapshot.step)) await this.#lookAtAll();
        if (signal.aborted) break;
        if (!this.isHeld) this.status = "running";
        else if (snapshot.idle) this.status = "paused";
        if (!this.isHeld) this.#trainer.resume();
        if (this.isHeld || snapshot.step >= this.until) await this.#lookAtAll();
        else if (!document.hidden) this.#glance();
        if (this.#glanceError) throw this.#glanceError;
        this.#change.tell();
      }
      if (signal.aborted) return;
      await this.#lookAtAll();
      this.#setStatus("done");
    } catch (error) {
      if (signal.aborted) return;
      this.error = error as Error;
      this.#setStatus("failed");
    } finally {
      await release();
    }
  }

  /** Pauses the run, and resolves when it is paused. */
  async pause(): Promise<void> {
    if (this.status === "done" || this.status === "failed") return;
    const trainer = this.#trainer;
    this.isHeld = true;
    this.#change.tell();
    await trainer.pause();
    const goes = this.status === "starting" || this.status === "running";
    if (!this.isHeld || trainer !== this.#trainer || !goes) return;
    this.#setStatus("paused");
    // The loop looks at the step that was under way; if none was, nobody would.
    await this.#lookAtAll().catch(() => {});
    this.#change.tell();
  }

  /** Renders `.splat2d` files of the run. */
  get draw(): Draw {
    return drawOn(this.#trainer.backend, this.config, this.target.image);
  }

  /** Continues. A run that is done gets as many further steps as its configuration has. */
  resume(): void {
    if (this.status === "failed") return;
    this.isHeld = this.waits = false;
    this.#trainer.resume();
    if (this.status === "done") this.#extend(this.config.steps);
    else this.#setStatus("running");
  }

  /** Takes one step and pauses. */
  takeStep(): void {
    if (this.status === "failed") return;
    this.isHeld = true;
    this.waits = false;
    this.#trainer.advance(1);
    if (this.status === "done") this.#extend(1);
    else this.#change.tell();
  }

  /** Returns to the first step and waits there. */
  reset(): void {
    this.#controller.abort();
    this.#controller = new AbortController();
    this.#before = this.error = this.look = this.picture = this.#glanceError = undefined;
    this.measured.length = this.recoveries = 0;
    this.film.clear();
    this.moments.clear();
    this.until = this.config.steps;
    this.#trainer = new Trainer(this.config, this.target.image, this.#backend);
    this.status = "starting";
    this.isHeld = true;
    void this.#trainer.pause();
    void this.train();
  }

  /** Stops the run. Its last values stay. */
  stop(): void {
    this.#controller.abort();
    this.#change.end();
  }

  #extend(steps: number): void {
    this.until = this.#trainer.step + steps;
    void this.train();
  }

  #setStatus(status: RunStatus): void {
    this.status = status;
    this.#change.tell();
  }

  async #keepFrame(step: number): Promise<void> {
    if (this.film.has(step)) return;
    await this.#looks.take(async () => {
      const frame = await this.#trainer.render(frameSize(this.target.image)).catch(unlessLost);
      if (frame) this.film.set(step, toImage(frame));
    });
  }

  /** Looks while training goes on, where it is time and no look is under way. */
  #glance(): void {
    if (this.#isGlancing || !(this.#wholeLook.isDue || this.#pictureLook.isDue)) return;
    this.#isGlancing = true;
    const trainer = this.#trainer;
    void (this.#wholeLook.isDue ? this.#lookAtAll() : this.#lookAtPicture())
      .catch((error) => {
        if (trainer === this.#trainer) this.#glanceError = error;
      })
      .finally(() => {
        this.#isGlancing = false;
        this.#change.tell();
      });
  }

  async #lookAtPicture(): Promise<void> {
    await this.#look(this.#pictureLook, async () => {
      const trainer = this.#trainer;
      const picture = await trainer.render();
      if (trainer === this.#trainer) this.picture = picture;
    });
  }

  async #lookAtAll(): Promise<void> {
    await this.#look(this.#wholeLook, async () => {
      if (this.look?.state.step === this.#trainer.step) return;
      const trainer = this.#trainer;
      const look = await trainer.inspectAll();
      if (trainer !== this.#trainer) return;
      this.look = look;
      this.picture = look.picture;
      this.moments.keep(look);
    });
    if (this.isHeld || this.rests || this.step >= this.until) void this.#measurePsnr();
  }

  async #measurePsnr(): Promise<void> {
    const { picture } = this;
    if (!picture || picture === this.#rendered.picture) return;
    this.#rendered = { picture };
    // Where it cannot be measured, the training PSNR stays.
    const psnr = await backstage("psnr", picture, this.target.image).catch(() => undefined);
    if (this.#rendered.picture !== picture) return;
    this.#rendered = { picture, psnr };
    this.#change.tell();
  }

  /** One look at a time. */
  async #look(pacing: Pacing, look: () => Promise<void>): Promise<void> {
    await this.#looks.take(async () => {
      if (this.isOver) return;
      await look().catch((error) => {
        if (!this.isOver) unlessLost(error);
      });
      pacing.done(this.#trainer.questionTime);
    });
  }
}

/** A device that is lost meanwhile is for the trainer to replace. */
function unlessLost(error: unknown): undefined {
  if (!(error instanceof DeviceLostError)) throw error;
  return undefined;
}
