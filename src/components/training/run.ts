import type { Table } from "apache-arrow";
import { completeConfig, type TrainConfig } from "../../engine/config.js";
import { type MetricsRow, metricsFile } from "../../engine/files/arrow.js";
import { type DrawFile, drawWith } from "../../engine/files/splat2d/roundTrip.js";
import { type Image, toImage } from "../../engine/image/image.js";
import type { TrainingState } from "../../engine/model/blobs.js";
import { type Backend, DeviceLostError, type Rendering, type Tiles } from "../../engine/pipeline.js";
import { SerialQueue } from "../../engine/serialQueue.js";
import { filmSteps, frameSize } from "../../engine/training/film.js";
import type { Snapshot } from "../../engine/training/snapshot.js";
import { Trainer } from "../../engine/training/trainer.js";
import type { BrowserEngine } from "../../host/browser/engine.js";
import type { ChosenImage } from "../../host/browser/pictures.js";
import type { BesideTarget } from "../images/besideTarget.js";
import { colorRamp } from "../images/colorRamp.js";
import { freezeUsedNodes } from "../inputs/usedNodes.js";
import { thinRows } from "../runs/curve.js";
import { arrowTable } from "../tables/arrowTable.js";
import { runInWorker } from "../worker/runInWorker.js";
import { ChangeSignal, type ChangeSource, type FollowOptions, follow } from "./follow.js";
import { InspectionHistory } from "./inspectionHistory.js";
import { Pacing, pauseAfter } from "./pacing.js";

/** The state of a run. A run that is done can be continued. */
export type RunStatus = "starting" | "running" | "paused" | "done" | "failed";

/** The full state of a run at one step. */
export interface Inspection {
  state: TrainingState;
  /** Gradient of the raw parameters at this state, 9·N, field-major. */
  gradients: Float32Array;
  tiles: Tiles;
  render: Rendering;
}

/** The render next to the target, at one step. */
export interface Render extends BesideTarget {
  step: number;
}

/** Where a run goes on from. */
export interface ResumePoint {
  state: TrainingState;
  metrics: MetricsRow[];
  /** By step. */
  film: Map<number, Image>;
  /** Of training. */
  seconds: number;
  /** The step at which it was to end. */
  until: number;
  /** Where in the store the state stands that the run goes on from and makes dispensable: its later ones go there. */
  storeId?: string;
}

/** A run that is to go on: the next one of this very config and picture does, once, from where it was. */
export interface Continuation {
  config: TrainConfig;
  image: ChosenImage;
  resumePoint: ResumePoint;
  /** Whether it waits there. */
  paused: boolean;
}

/** A training job: an engine, an image, and the fields of the configuration that differ from the defaults. */
export interface Job extends Partial<TrainConfig> {
  engine: BrowserEngine;
  image: ChosenImage;
  /** A run to continue, if it has the same configuration and image. */
  start?: Continuation;
  /** Whether a new run waits before its first step. */
  waits?: (config: TrainConfig, image: ChosenImage) => boolean;
}

const usedContinuations = new WeakSet<Continuation>();

/**
 * Starts training and returns the run. In a cell: `const run = train({engine, image, blobs, learningRate}, invalidation)`.
 * Without a GPU it uses the pipeline `cpu`, unless the job names another one.
 * @param invalidation Framework's promise that resolves when the cell runs again; training then stops and frees its memory
 * @throws ConfigError if the configuration is not valid, or the engine cannot hold the job
 */
export function train({ engine, image, start, waits, ...fields }: Job, invalidation?: Promise<unknown>): Run {
  const config = completeConfig({
    ...fields,
    pipeline: fields.pipeline ?? (engine.kind === "cpu" ? "cpu" : undefined),
  });
  const isSame = start?.image === image && JSON.stringify(start.config) === JSON.stringify(config);
  const continuation = isSame && !usedContinuations.has(start) ? start : undefined;
  const run = new Run(config, image, engine.backend(config.pipeline), continuation?.resumePoint);
  if (continuation) usedContinuations.add(continuation);
  run.waits = !continuation && waits?.(config, image) === true;
  if (run.waits || continuation?.paused) void run.pause();
  void run.train();
  freezeUsedNodes();
  void invalidation?.then(() => run.stop());
  return run;
}

/** Milliseconds between looks at the picture, at the least. */
const renderInterval = 200;
/** The same for looks at all of the run. */
const inspectionInterval = 1000;
/** Looks of either kind take at most about one part in this many of the time, except that renders stay current. */
const costFactor = 100;
/** Milliseconds between snapshots. */
const snapshotInterval = 125;
/** The same between tables. */
const tableInterval = 250;
/** Rows of metrics that charts are given: more cannot be seen, and take long to draw. */
const maxRows = 1000;

/**
 * A training run in a page. It drives the trainer, keeps the snapshots, and yields renders and tables as values for
 * cells.
 */
export class Run implements ChangeSource {
  status: RunStatus = "starting";
  /** Why the run failed, as a sentence. */
  error: Error | undefined;
  /** All snapshots, by ascending step. */
  readonly measured: Snapshot[] = [];
  /** The latest render. */
  render: Rendering | undefined;
  /** The latest full state. */
  inspection: Inspection | undefined;
  /** Earlier full states, to go back to. */
  readonly inspectionHistory = new InspectionHistory<Inspection>();
  /** Small renders, by step. */
  readonly film: Map<number, Image>;
  /** The step at which the run ends. */
  until: number;
  /** How often a lost device was replaced. */
  recoveries = 0;
  /** Whether the run waits for the reader before its first step. */
  waits = false;
  /** Whether a pause was requested. The run is paused after the steps in progress. */
  isPauseRequested = false;
  /** A sentence to show with the run. */
  notice = "";
  #resumePoint: ResumePoint | undefined;
  #trainer: Trainer;
  readonly #backend: Backend;
  #controller = new AbortController();
  readonly #change = new ChangeSignal();
  readonly #inspectionQueue = new SerialQueue();
  #isInspecting = false;
  /** What a look failed of that nobody waited for. */
  #inspectionError: unknown;
  readonly #renderPacing = new Pacing((cost) => pauseAfter(cost, renderInterval, costFactor));
  /** A render and its PSNR. */
  #rendered: { picture?: Rendering; psnr?: number } = {};
  readonly #inspectionPacing = new Pacing((cost) => Math.max(inspectionInterval, costFactor * cost));

  /**
   * @param resumePoint the run to continue
   * @throws ConfigError if the backend cannot hold the job
   */
  constructor(
    readonly config: TrainConfig,
    readonly target: ChosenImage,
    backend: Backend,
    resumePoint?: ResumePoint,
  ) {
    this.#backend = backend;
    this.#resumePoint = resumePoint;
    this.#trainer = new Trainer(config, target.image, backend, resumePoint?.state);
    this.until = resumePoint?.until ?? config.steps;
    this.film = new Map(resumePoint?.film);
    if (!resumePoint) return;
    this.#trainer.seconds = resumePoint.seconds;
    this.measured.push(
      ...resumePoint.metrics.map((row) => ({ ...row, stepsPerSecond: 0, recorded: true, idle: true, recoveries: 0 })),
    );
  }

  get changed(): Promise<void> {
    return this.#change.changed;
  }

  /** Whether the run was stopped. */
  get isOver(): boolean {
    return this.#change.isOver;
  }

  get isIdle(): boolean {
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
  inspections(moment?: Inspection | null): AsyncGenerator<Inspection, void, void> {
    return this.#follow(
      moment,
      () => this.inspection,
      (inspection) => inspection,
    );
  }

  /** Yields the latest render next to the target, about once per second at least and five times at most. */
  renders(moment?: Inspection | null): AsyncGenerator<Render, void, void> {
    const ramp = colorRamp("inferno");
    return this.#follow(
      moment?.render,
      () => (this.render?.width === this.target.image.width ? this.render : undefined),
      async (render) => ({
        ...(await runInWorker("besideTarget", render, this.target.image, ramp.bytes)),
        step: render.step,
      }),
      // Most of it is done behind the page.
      { costFactor: 6, isBounded: true },
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
      () => arrowTable(metricsFile(this.config, thinRows(this.measured, maxRows))),
      { interval: tableInterval, isBounded: true },
    );
  }

  /** Yields a table with the columns of parameters.arrow: one row per blob. */
  parameters(moment?: Inspection | null): AsyncGenerator<Table, void, void> {
    const { width, height } = this.target.image;
    return this.#follow(
      moment,
      () => this.inspection,
      async ({ state: { step, parameters } }) => {
        const args = [this.config, { width, height }, { step, parameters }] as const;
        return arrowTable(await runInWorker("parametersFile", ...args));
      },
      { interval: tableInterval },
    );
  }

  /** Yields a table with the columns of gradients.arrow: one row per blob, for the step after the current one. */
  gradients(moment?: Inspection | null): AsyncGenerator<Table, void, void> {
    return this.#follow(
      moment,
      () => this.inspection,
      async ({ state, gradients }) =>
        arrowTable(await runInWorker("gradientsFile", this.config, [{ step: state.step + 1, gradients }])),
      { interval: tableInterval },
    );
  }

  /** Follows what is made of something, once of each; of what is held, that alone. */
  async *#follow<From, Value>(
    frozen: From | null | undefined,
    read: () => From | undefined,
    make: (from: From) => Value | Promise<Value>,
    options?: FollowOptions,
  ): AsyncGenerator<Awaited<Value>, void, void> {
    if (frozen) {
      yield await make(frozen);
      return;
    }
    let from: From | undefined;
    let value: Value | Promise<Value> | undefined;
    yield* follow(
      this,
      () => {
        const next = read();
        if (next !== undefined && next !== from) {
          from = next;
          value = make(next);
        }
        return value;
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
    return this.inspection || this.#resumePoint ? this.#trainer.state : undefined;
  }

  /** Name of the adapter or engine. */
  get adapter(): string {
    return this.#trainer.backend.description;
  }

  /** PSNR in decibels of the render at the current step, once it is measured; undefined while training goes on. */
  get psnr(): number | undefined {
    const { picture, psnr } = this.#rendered;
    return this.isIdle && picture === this.render && picture?.step === this.step ? psnr : undefined;
  }

  get latest(): Snapshot | undefined {
    return this.measured.at(-1);
  }

  /** Returns the snapshot of a step, or the last one before it. */
  measuredAt(step: number): Snapshot | undefined {
    return this.measured.findLast((snapshot) => snapshot.step <= step);
  }

  /** Id in the run store of the state that the run continues from and replaces. */
  get storeId(): string | undefined {
    return this.#resumePoint?.storeId;
  }

  /** The step that the run continues from, or 0. */
  get firstStep(): number {
    return this.#resumePoint?.state.step ?? 0;
  }

  /** Trains until `until`, or until the run is stopped. */
  async train(): Promise<void> {
    const { signal } = this.#controller;
    const recoveriesBefore = this.recoveries;
    const release = this.#trainer.retain();
    this.#setStatus(this.isPauseRequested ? "paused" : "starting");
    try {
      if (this.isPauseRequested) await this.#inspectAll().then(() => this.#change.notify());
      // Where training begins is worth a snapshot, so the first step is taken by itself.
      else if (this.step === 0) this.#trainer.advance(1);
      const options = { until: this.until, interval: snapshotInterval, inspectAt: filmSteps, signal };
      for await (const snapshot of this.#trainer.run(options)) {
        if (signal.aborted) break;
        // After a recovery the run goes on from its last checkpoint.
        while ((this.latest?.step ?? 0) >= snapshot.step) this.measured.pop();
        this.measured.push(snapshot);
        this.recoveries = recoveriesBefore + snapshot.recoveries;
        if (filmSteps.includes(snapshot.step)) await this.#saveFrame(snapshot.step);
        if (filmSteps.includes(snapshot.step)) await this.#inspectAll();
        if (signal.aborted) break;
        if (!this.isPauseRequested) this.status = "running";
        else if (snapshot.idle) this.status = "paused";
        if (!this.isPauseRequested) this.#trainer.resume();
        if (this.isPauseRequested || snapshot.step >= this.until) await this.#inspectAll();
        else if (!document.hidden) this.#inspectWhenDue();
        if (this.#inspectionError) throw this.#inspectionError;
        this.#change.notify();
      }
      if (signal.aborted) return;
      await this.#inspectAll();
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
    this.isPauseRequested = true;
    this.#change.notify();
    await trainer.pause();
    const isActive = this.status === "starting" || this.status === "running";
    if (!this.isPauseRequested || trainer !== this.#trainer || !isActive) return;
    this.#setStatus("paused");
    // The loop looks at the step that was under way; if none was, nobody would.
    await this.#inspectAll().catch(() => {});
    this.#change.notify();
  }

  /** Renders `.splat2d` files of the run. */
  get draw(): DrawFile {
    return drawWith(this.#trainer.backend, this.config, this.target.image);
  }

  /** Continues. A run that is done gets as many further steps as its configuration has. */
  resume(): void {
    if (this.status === "failed") return;
    this.isPauseRequested = this.waits = false;
    this.#trainer.resume();
    if (this.status === "done") this.#extend(this.config.steps);
    else this.#setStatus("running");
  }

  /** Takes one step and pauses. */
  takeStep(): void {
    if (this.status === "failed") return;
    this.isPauseRequested = true;
    this.waits = false;
    this.#trainer.advance(1);
    if (this.status === "done") this.#extend(1);
    else this.#change.notify();
  }

  /** Returns to the first step and waits there. */
  reset(): void {
    this.#controller.abort();
    this.#controller = new AbortController();
    this.#resumePoint = this.error = this.inspection = this.render = this.#inspectionError = undefined;
    this.measured.length = this.recoveries = 0;
    this.film.clear();
    this.inspectionHistory.clear();
    this.until = this.config.steps;
    this.#trainer = new Trainer(this.config, this.target.image, this.#backend);
    this.status = "starting";
    this.isPauseRequested = true;
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
    this.#change.notify();
  }

  async #saveFrame(step: number): Promise<void> {
    if (this.film.has(step)) return;
    await this.#inspectionQueue.run(async () => {
      const frame = await this.#trainer.render(frameSize(this.target.image)).catch(ignoreDeviceLoss);
      if (frame) this.film.set(step, toImage(frame));
    });
  }

  /** Looks while training goes on, where it is time and no look is under way. */
  #inspectWhenDue(): void {
    if (this.#isInspecting || !(this.#inspectionPacing.isDue || this.#renderPacing.isDue)) return;
    this.#isInspecting = true;
    const trainer = this.#trainer;
    void (this.#inspectionPacing.isDue ? this.#inspectAll() : this.#renderNow())
      .catch((error) => {
        if (trainer === this.#trainer) this.#inspectionError = error;
      })
      .finally(() => {
        this.#isInspecting = false;
        this.#change.notify();
      });
  }

  async #renderNow(): Promise<void> {
    await this.#inspect(this.#renderPacing, async () => {
      const trainer = this.#trainer;
      const render = await trainer.render();
      if (trainer === this.#trainer) this.render = render;
    });
  }

  async #inspectAll(): Promise<void> {
    await this.#inspect(this.#inspectionPacing, async () => {
      if (this.inspection?.state.step === this.#trainer.step) return;
      const trainer = this.#trainer;
      const inspection = await trainer.inspectAll();
      if (trainer !== this.#trainer) return;
      this.inspection = inspection;
      this.render = inspection.render;
      this.inspectionHistory.add(inspection);
    });
    if (this.isPauseRequested || this.isIdle || this.step >= this.until) void this.#measurePsnr();
  }

  async #measurePsnr(): Promise<void> {
    const { render: picture } = this;
    if (!picture || picture === this.#rendered.picture) return;
    this.#rendered = { picture };
    // Where it cannot be measured, the training PSNR stays.
    const psnr = await runInWorker("psnr", picture, this.target.image).catch(() => undefined);
    if (this.#rendered.picture !== picture) return;
    this.#rendered = { picture, psnr };
    this.#change.notify();
  }

  /** One look at a time. */
  async #inspect(pacing: Pacing, inspection: () => Promise<void>): Promise<void> {
    await this.#inspectionQueue.run(async () => {
      if (this.isOver) return;
      await inspection().catch((error) => {
        if (!this.isOver) ignoreDeviceLoss(error);
      });
      pacing.done(this.#trainer.questionTime);
    });
  }
}

/** A device that is lost meanwhile is for the trainer to replace. */
function ignoreDeviceLoss(error: unknown): undefined {
  if (!(error instanceof DeviceLostError)) throw error;
  return undefined;
}
