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

/** What a run does at present; a run that is done can go on. */
export type RunStatus = "starting" | "running" | "paused" | "done" | "failed";

/** All of a run at one step. */
export interface Look {
  state: TrainingState;
  /** dL/draw at the state's parameters. */
  gradients: Float32Array;
  tiles: Tiles;
  picture: Rendering;
}

/** The blobs' picture beside the target, at one step. */
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

/** What is trained: a picture by an engine, and the fields of the config that are not the defaults. */
export interface Job extends Partial<TrainConfig> {
  engine: BrowserEngine;
  picture: ChosenPicture;
  /** Where to go on, if the job is that one's. */
  start?: Continuation;
  /** Whether a job that begins waits before its first step. */
  waits?: (config: TrainConfig, picture: ChosenPicture) => boolean;
}

const taken = new WeakSet<Continuation>();

/**
 * Trains at once, for a cell: `const run = train({engine, picture, blobs, learningRate}, invalidation)`. Where the engine
 * has no GPU it does so on the CPU, unless the job asks for another pipeline.
 * @param invalidation Framework's promise that the cell has run its time: training ends, and its memory is freed
 * @throws ConfigError if the config is wrong, or the engine cannot hold the job
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
/** Looks of either kind take at most about one part in this many of the time. */
const share = 100;
/** Milliseconds between snapshots. */
const snapshotInterval = 125;
/** The same between tables. */
const tableInterval = 250;
/** Rows of metrics that charts are given: more cannot be seen, and take long to draw. */
const mostRows = 1000;

/**
 * A training job that a page shows: it drives the trainer, keeps every snapshot, looks at the blobs as often as the
 * engine can bear, and hands out what it knows as values for cells.
 */
export class Run implements Followed {
  status: RunStatus = "starting";
  /** Why it failed, as a sentence. */
  error: Error | undefined;
  /** What was measured, by ascending step. */
  readonly measured: Snapshot[] = [];
  /** The blobs' picture, as it was seen last. */
  picture: Rendering | undefined;
  look: Look | undefined;
  /** Looks that were taken before, to go back to. */
  readonly moments = new Moments<Look>();
  /** The blobs' picture after some of the steps, small. */
  readonly film: Map<number, Image>;
  /** The step at which it will end. */
  until: number;
  /** Times that a lost device was replaced. */
  recoveries = 0;
  /** Whether it has not begun, since the reader is to choose first. */
  waits = false;
  /** Whether the reader wants it to hold; it is paused when the steps under way are done. */
  isHeld = false;
  /** What else is to be told of it, as a sentence. */
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
  readonly #pictureLook = new Pacing(pictureInterval);
  readonly #wholeLook = new Pacing(lookInterval);

  /**
   * @param before the run that it continues
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

  /** Whether it is stopped for good. */
  get isOver(): boolean {
    return this.#change.isOver;
  }

  get rests(): boolean {
    return this.status !== "running" && this.status !== "starting";
  }

  /** The latest numbers, some times a second. */
  snapshots(): AsyncGenerator<Snapshot, void, void> {
    return follow(this, () => this.latest);
  }

  /**
   * All of the run at one step: the newest, about once a second.
   * @param moment where the reader has gone back to, here and below: what is told is of that step, and stays
   */
  looks(moment?: Look | null): AsyncGenerator<Look, void, void> {
    return this.#follow(
      moment,
      () => this.look,
      (look) => look,
    );
  }

  /** The blobs' picture beside the target, a few times a second. */
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
      { share: 6 },
    );
  }

  /** A row a measured step, as metrics.arrow holds; of many rows, some evenly apart. */
  metrics(): AsyncGenerator<Table, void, void> {
    return this.#follow(
      null,
      () => this.latest,
      () => arrowTable(metricsFile(this.config, thinned(this.measured, mostRows))),
      { interval: tableInterval },
    );
  }

  /** A row a blob, raw and decoded, as parameters.arrow holds. */
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

  /** A row a blob: dL/draw at these parameters, as gradients.arrow holds, which is of the step to come. */
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
   * The state as it was last read back: exact where the run is paused or done, otherwise of a few seconds ago; undefined
   * as long as none was.
   */
  get state(): TrainingState | undefined {
    return this.look || this.#before ? this.#trainer.state : undefined;
  }

  /** Who computes, for people. */
  get adapter(): string {
    return this.#trainer.backend.description;
  }

  get latest(): Snapshot | undefined {
    return this.measured.at(-1);
  }

  /** What was measured at a step, or at the last one before it that was. */
  measuredAt(step: number): Snapshot | undefined {
    return this.measured.findLast((snapshot) => snapshot.step <= step);
  }

  /** Where in the store the state stands that it goes on from, and that its later ones replace. */
  get place(): string | undefined {
    return this.#before?.place;
  }

  /** The step that it went on from. */
  get firstStep(): number {
    return this.#before?.state.step ?? 0;
  }

  /** Trains until `until`, or until it is stopped. */
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

  /** Holds the run, and resolves when it is paused. */
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

  /** Draws files of the run's blobs. */
  get draw(): Draw {
    return drawOn(this.#trainer.backend, this.config, this.target.image);
  }

  /** Goes on, also past the end: by as many steps again as the config has. */
  resume(): void {
    if (this.status === "failed") return;
    this.isHeld = this.waits = false;
    this.#trainer.resume();
    if (this.status === "done") this.#extend(this.config.steps);
    else this.#setStatus("running");
  }

  /** Takes one step and holds. */
  takeStep(): void {
    if (this.status === "failed") return;
    this.isHeld = true;
    this.waits = false;
    this.#trainer.advance(1);
    if (this.status === "done") this.#extend(1);
    else this.#change.tell();
  }

  /** Back to the first step, and waits there. */
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

  /** Ends the run; what it showed stays. */
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
  }

  /** One look at a time. */
  async #look(pacing: Pacing, look: () => Promise<void>): Promise<void> {
    await this.#looks.take(async () => {
      if (this.isOver) return;
      await look().catch((error) => {
        if (!this.isOver) unlessLost(error);
      });
      pacing.looked(this.#trainer.questionTime);
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
  #dueAt = Number.NEGATIVE_INFINITY;

  constructor(readonly interval: number) {}

  get isDue(): boolean {
    return performance.now() >= this.#dueAt;
  }

  /** @param cost milliseconds that the look took of the engine */
  looked(cost: number): void {
    this.#dueAt = performance.now() + Math.max(this.interval, share * cost);
  }
}
