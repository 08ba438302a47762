import type { Table } from "apache-arrow";
import { completeConfig, type TrainConfig } from "../../engine/config.js";
import { DivergedError } from "../../engine/divergence.js";
import { type MetricsRow, metricsFile } from "../../engine/files/arrow.js";
import { type DrawFile, drawWith } from "../../engine/files/splat2d/drawFile.js";
import { type Image, sizeOf, toImage } from "../../engine/image/image.js";
import type { TrainingState } from "../../engine/model/blobs.js";
import { type Backend, DeviceLostError, type Rendering, type Tiles } from "../../engine/pipeline.js";
import { SerialQueue } from "../../engine/serialQueue.js";
import { filmSteps, frameSize } from "../../engine/training/film.js";
import type { Snapshot } from "../../engine/training/snapshot.js";
import { Trainer } from "../../engine/training/trainer.js";
import type { BrowserEngine } from "../../host/browser/engine.js";
import type { ChosenImage } from "../../host/browser/images.js";
import type { BesideTarget } from "../images/besideTarget.js";
import { colorRamp } from "../images/colorRamp.js";
import { freezeUsedNodes } from "../inputs/usedNodes.js";
import { thinRows } from "../runs/curve.js";
import { activeRows } from "../tables/activeRows.js";
import { arrowTable } from "../tables/arrowTable.js";
import { runInWorker } from "../worker/runInWorker.js";
import { ChangeSignal, type ChangeSource, type FollowOptions, follow } from "./follow.js";
import { InspectionHistory } from "./inspectionHistory.js";
import { backendOf, pipelineOn } from "./jobBackend.js";
import { Pacing, pauseAfter } from "./pacing.js";
import { type Step, stepValues } from "./step.js";

/** Minimum milliseconds between renders. */
const renderInterval = 200;
/** Minimum milliseconds between inspections, and between states. */
const inspectionInterval = 1000;
/** Renders take at most about 1/`renderCostFactor` of the time, but there is one per second. */
const renderCostFactor = 100;
/** Inspections and states each take at most 1/`inspectionCostFactor` of the time. Only inspections compute gradients. */
const inspectionCostFactor = 20;
/** Milliseconds between snapshots. */
const snapshotInterval = 125;
/** Minimum milliseconds between tables. */
const tableInterval = 250;
/** Rows of metrics in charts: more are not visible and take long to draw. */
const maxRows = 1000;

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

/** The point from which a run is resumed. */
export interface ResumePoint {
  state: TrainingState;
  metrics: MetricsRow[];
  /** Small renders, by step. */
  film: Map<number, Image>;
  /** Training time so far. */
  seconds: number;
  /** The step at which the run ends. */
  until: number;
  /** Id in the store of the state that the run replaces with its later states. */
  storeId?: string;
}

/** A stored run to resume. The next run with the same configuration and image object resumes it, once. */
export interface Continuation {
  config: TrainConfig;
  image: ChosenImage;
  resumePoint: ResumePoint;
  /** Whether the run stays paused. */
  paused: boolean;
}

/** A training job: an engine, an image, and the fields of the configuration that differ from the defaults. */
export interface Job extends Partial<TrainConfig> {
  engine: BrowserEngine;
  image: ChosenImage | Image;
  /**
   * WGSL of the loss of a pixel, `fn loss(rgb: vec3f, targetRgb: vec3f) -> f32`, and of its gradient by `rgb`,
   * `fn lossGradient(rgb: vec3f, targetRgb: vec3f) -> vec3f`. The loss of an image is the mean over its pixels.
   */
  loss?: string;
  /**
   * WGSL of the update of a raw parameter, `fn optimize(state: AdamState, gradient: f32, rate: f32) -> AdamState`. A
   * state has the `parameter` and two values that start at 0, `first` and `second`.
   */
  optimizer?: string;
  /** Called after each step with its exact values. Training waits for its promise, and fails with its error. */
  afterStep?: (step: Step) => unknown;
  /** A run to continue, if it has the same configuration and image. */
  start?: Continuation;
  /** Whether a new run waits before its first step. */
  waits?: (config: TrainConfig, image: ChosenImage) => boolean;
  /** Returns a step at which the run takes an inspection, in addition to others. */
  inspectAt?: (config: TrainConfig, image: ChosenImage) => number | undefined;
}

const usedContinuations = new WeakSet<Continuation>();

/**
 * Starts training and returns the run. In a cell: `const run = train({engine, image, blobs, learningRate}, invalidation)`.
 * Without a GPU it uses the pipeline `cpu`, unless the job names another one.
 * @param invalidation Framework's promise that resolves when the cell runs again; training then stops and frees its
 * memory. Until then, values follow the run even after its last step, since readers can continue it.
 * @throws ConfigError if the configuration is not valid, or the engine cannot hold the job; Error if `loss` or `optimizer`
 * lacks a function, or there is no GPU for it
 */
export function train(
  { engine, image: source, loss, optimizer, afterStep, start, waits, inspectAt, ...fields }: Job,
  invalidation?: Promise<unknown>,
): Run {
  const image = "image" in source ? source : { image: source, original: sizeOf(source), name: "image" };
  const config = completeConfig({ ...fields, pipeline: pipelineOn(engine, fields.pipeline) });
  const isSame = start?.image === image && JSON.stringify(start.config) === JSON.stringify(config);
  const continuation = isSame && !usedContinuations.has(start) ? start : undefined;
  const run = new Run(
    config,
    image,
    backendOf(engine, config.pipeline, { loss, optimizer }),
    continuation?.resumePoint,
  );
  if (continuation) usedContinuations.add(continuation);
  run.waits = !continuation && waits?.(config, image) === true;
  run.inspectAt = inspectAt?.(config, image);
  run.isInCell = invalidation !== undefined;
  if (afterStep) run.stepHooks.add(async (step) => afterStep(step));
  if (run.waits || continuation?.paused) void run.pause();
  void run.train();
  if (globalThis.document) freezeUsedNodes();
  void invalidation?.then(() => run.stop());
  return run;
}

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
  /** A step at which the run takes an inspection. */
  inspectAt: number | undefined;
  /** A sentence to show with the run. */
  notice = "";
  /** Whether the generators go on after the last step, until the run is stopped. */
  isInCell = false;
  /** Called after each step. Training waits for them. While there are any, it takes one step at a time. */
  readonly stepHooks = new Set<(step: Step, signal: AbortSignal) => Promise<unknown>>();
  #resumePoint: ResumePoint | undefined;
  #trainer: Trainer;
  readonly #backend: Backend;
  #controller = new AbortController();
  /** Calls of `train` in progress: two after a reset. */
  #loops = 0;
  readonly #change = new ChangeSignal();
  /** Inspections, renders and frames of the film are read back one at a time. */
  readonly #readbackQueue = new SerialQueue();
  /** Whether a readback that `train` does not await is in progress, and the error of one. */
  #isReadingBack = false;
  #readbackError: unknown;
  readonly #renderPacing = new Pacing((cost) => pauseAfter(cost, renderInterval, renderCostFactor));
  readonly #inspectionPacing = new Pacing((cost) => Math.max(inspectionInterval, inspectionCostFactor * cost));
  readonly #statePacing = new Pacing((cost) => Math.max(inspectionInterval, inspectionCostFactor * cost));
  /** The latest render that was compared with the target, and its PSNR once it is known. */
  #compared: { render?: Rendering; psnr?: number } = {};

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

  /** Whether training has ended and its last values are read back. A run that is done or failed can start again. */
  get #hasEnded(): boolean {
    return this.#loops === 0 && (this.isOver || this.status === "done" || this.status === "failed");
  }

  /** Whether generators end: in a cell only when the run is stopped. */
  get isFinal(): boolean {
    return this.isInCell ? this.isOver : this.#hasEnded;
  }

  /**
   * Resolves with the last snapshot when training ends: at the last step, by early stopping or by `stop`. Undefined if it
   * is stopped before the first step. Rejects with the error of a run that fails.
   */
  get finished(): Promise<Snapshot | undefined> {
    return this.#finish();
  }

  async #finish(): Promise<Snapshot | undefined> {
    while (!this.#hasEnded) await this.changed;
    if (this.error) throw this.error;
    return this.latest;
  }

  /**
   * Yields every step with its exact values. Training takes one step at a time, and waits until the loop asks for the next
   * one. It begins with the next step: with the first one, if the loop starts in the same task as the run. After the loop
   * is left, training continues by itself.
   * @throws the error of a run that fails
   */
  async *steps(): AsyncGenerator<Step, void, void> {
    const offer: { step?: Step | undefined } = {};
    const hook = async (step: Step, signal: AbortSignal) => {
      offer.step = step;
      this.#change.notify();
      while (offer.step && !signal.aborted) await this.changed;
    };
    const take = () => {
      offer.step = undefined;
      this.#change.notify();
    };
    this.stepHooks.add(hook);
    try {
      for (;;) {
        if (offer.step) {
          yield offer.step;
          take();
        } else if (this.isFinal) break;
        else await this.changed;
      }
    } finally {
      this.stepHooks.delete(hook);
      take();
    }
    this.#throwFailure();
  }

  /** Throws the error of a failed run, unless its page shows it. */
  #throwFailure(): void {
    if (this.error && !this.isInCell) throw this.error;
  }

  /** Yields the latest snapshot, eight times per second at most. */
  snapshots(): AsyncGenerator<Snapshot, void, void> {
    return this.#follow(
      () => this.latest,
      (snapshot) => snapshot,
    );
  }

  /**
   * Yields the latest full state, once per second at most.
   * @param moment an inspection to yield instead of the latest one, here and below
   */
  inspections(moment?: Inspection | null): AsyncGenerator<Inspection, void, void> {
    return this.#follow(
      () => this.inspection,
      (inspection) => inspection,
      {},
      moment,
    );
  }

  /** Yields the latest render next to the target, about once per second at least and five times at most. */
  renders(moment?: Inspection | null): AsyncGenerator<Render, void, void> {
    const ramp = colorRamp("inferno");
    return this.#follow(
      () => (this.render?.width === this.target.image.width ? this.render : undefined),
      async (render) => ({
        ...(await runInWorker("besideTarget", render, this.target.image, ramp.bytes)),
        step: render.step,
      }),
      // Most of the work runs in the worker.
      { costFactor: 6, isBounded: true },
      moment?.render,
    );
  }

  /**
   * Yields a table with the columns of metrics.arrow, about once per second: one row per snapshot, or every n-th if there
   * are many.
   */
  metrics(): AsyncGenerator<Table, void, void> {
    return this.#follow(
      () => this.latest,
      () => arrowTable(metricsFile(this.config, thinRows(this.measured, maxRows))),
      { interval: tableInterval, isBounded: true },
    );
  }

  /**
   * Yields a table with the columns of parameters.arrow, about once per second even if gradients take long: one row per
   * active blob.
   */
  parameters(moment?: Inspection | null): AsyncGenerator<Table, void, void> {
    const { width, height } = this.target.image;
    return this.#follow(
      () => this.state,
      async ({ step, parameters }) => {
        const args = [this.config, { width, height }, { step, parameters }] as const;
        return activeRows(arrowTable(await runInWorker("parametersFile", ...args)), parameters);
      },
      { interval: tableInterval, isBounded: true },
      moment?.state,
    );
  }

  /** Yields a table with the columns of gradients.arrow: one row per active blob, for the step after the current one. */
  gradients(moment?: Inspection | null): AsyncGenerator<Table, void, void> {
    return this.#follow(
      () => this.inspection,
      async ({ state, gradients }) => {
        const records = [{ step: state.step + 1, gradients }];
        return activeRows(arrowTable(await runInWorker("gradientsFile", this.config, records)), state.parameters);
      },
      { interval: tableInterval, isBounded: true },
      moment,
    );
  }

  /** Yields `make` of each value that `read` returns, or only of `moment` if that is given. */
  async *#follow<From, Value>(
    read: () => From | undefined,
    make: (from: From) => Value | Promise<Value>,
    options?: FollowOptions,
    moment?: From | null,
  ): AsyncGenerator<Awaited<Value>, void, void> {
    if (moment) {
      yield await make(moment);
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
    this.#throwFailure();
  }

  /** Renders `.splat2d` files of the run. */
  get draw(): DrawFile {
    return drawWith(this.#trainer.backend, this.config, this.target.image);
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
    const { render, psnr } = this.#compared;
    return this.isIdle && render === this.render && render?.step === this.step ? psnr : undefined;
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

  /** Reads back the full state at the current step, and returns it; undefined if the run was stopped before its first. */
  async inspect(): Promise<Inspection | undefined> {
    await this.#inspectAll();
    this.#change.notify();
    return this.inspection;
  }

  /** Trains until `until`, or until the run is stopped. */
  async train(): Promise<void> {
    const { signal } = this.#controller;
    const recoveriesBefore = this.recoveries;
    const { stepHooks } = this;
    this.#loops++;
    const release = this.#trainer.retain();
    this.#setStatus(this.isPauseRequested ? "paused" : "starting");
    try {
      if (this.isPauseRequested) await this.#inspectAll().then(() => this.#change.notify());
      // The first step is a batch of its own, so the beginning has a snapshot.
      else if (this.step === 0) this.#trainer.advance(1);
      const inspectAt = [...filmSteps, ...(this.inspectAt === undefined ? [] : [this.inspectAt])].sort((a, b) => a - b);
      const options = {
        until: this.until,
        interval: snapshotInterval,
        inspectAt,
        signal,
        get recordGradientsEvery() {
          return stepHooks.size > 0 ? 1 : undefined;
        },
      };
      for await (const { gradients, ...snapshot } of this.#trainer.run(options)) {
        if (signal.aborted) break;
        // After a recovery the run repeats the steps since its last checkpoint.
        while ((this.latest?.step ?? 0) >= snapshot.step) this.measured.pop();
        this.measured.push(snapshot);
        this.recoveries = recoveriesBefore + snapshot.recoveries;
        if (gradients) await this.#callStepHooks(snapshot, gradients, signal);
        if (filmSteps.includes(snapshot.step)) await this.#saveFrame(snapshot.step);
        if (inspectAt.includes(snapshot.step)) await this.#inspectAll();
        if (signal.aborted) break;
        if (!this.isPauseRequested) {
          this.status = "running";
          // The first step was allowed alone.
          this.#trainer.resume();
        } else if (snapshot.idle) this.status = "paused";
        if (this.isPauseRequested || snapshot.step >= this.until) await this.#inspectAll();
        else if (!globalThis.document?.hidden) this.#readBackWhenDue();
        if (this.#readbackError) throw this.#readbackError;
        this.#change.notify();
      }
      // A stopped run reads back its last values, unless its cell has run again. A reset run continues in another loop.
      if (signal.aborted && (this.isInCell || !this.isOver)) return;
      await this.#inspectAll();
      if (!signal.aborted) this.#setStatus("done");
    } catch (error) {
      if (signal.aborted) return;
      this.error = error as Error;
      this.#setStatus("failed");
      if (!(error instanceof DivergedError)) return;
      await this.#trainer.revert();
      await this.#inspectAll().catch(() => {});
    } finally {
      await release();
      this.#loops--;
      this.#change.notify();
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
    // The loop in `train` inspects only after steps in progress.
    await this.#inspectAll().catch(() => {});
    this.#change.notify();
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
    this.#resumePoint = this.error = this.inspection = this.render = this.#readbackError = undefined;
    this.measured.length = 0;
    this.recoveries = 0;
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

  async #callStepHooks(snapshot: Snapshot, gradients: Float32Array, signal: AbortSignal): Promise<void> {
    const state = await this.#trainer.readState().catch(ignoreDeviceLoss);
    // After a loss, the run repeats the step.
    if (!state || signal.aborted) return;
    const step = stepValues(this.config, this.target.image, snapshot, state.parameters, gradients);
    await Promise.all(Array.from(this.stepHooks, (hook) => hook(step, signal)));
  }

  async #saveFrame(step: number): Promise<void> {
    if (this.film.has(step)) return;
    await this.#readbackQueue.run(async () => {
      const frame = await this.#trainer.render(frameSize(this.target.image)).catch(ignoreDeviceLoss);
      if (frame) this.film.set(step, toImage(frame));
    });
  }

  /** Reads back an inspection, a state or a render during training, if one is due and none is in progress. */
  #readBackWhenDue(): void {
    if (this.#isReadingBack) return;
    const read = this.#inspectionPacing.isDue
      ? this.#inspectAll()
      : this.#statePacing.isDue
        ? this.#readState()
        : this.#renderPacing.isDue && this.#renderNow();
    if (!read) return;
    this.#isReadingBack = true;
    const trainer = this.#trainer;
    void read
      .catch((error) => {
        if (trainer === this.#trainer) this.#readbackError = error;
      })
      .finally(() => {
        this.#isReadingBack = false;
        this.#change.notify();
      });
  }

  async #renderNow(): Promise<void> {
    await this.#readBack(this.#renderPacing, async () => {
      const trainer = this.#trainer;
      const render = await trainer.render();
      if (trainer === this.#trainer) this.render = render;
    });
  }

  async #readState(): Promise<void> {
    await this.#readBack(this.#statePacing, async () => {
      await this.#trainer.readState();
    });
  }

  async #inspectAll(): Promise<void> {
    await this.#readBack(this.#inspectionPacing, async () => {
      if (this.inspection?.state.step === this.#trainer.step) return;
      const trainer = this.#trainer;
      const inspection = await trainer.inspectAll();
      if (trainer !== this.#trainer) return;
      this.inspection = inspection;
      this.render = inspection.render;
      this.inspectionHistory.add(inspection);
      this.#statePacing.done(0);
    });
    if (this.isPauseRequested || this.isIdle || this.step >= this.until) void this.#measurePsnr();
  }

  async #measurePsnr(): Promise<void> {
    const { render } = this;
    if (!render || render === this.#compared.render) return;
    this.#compared = { render };
    // If this fails, the page shows the training PSNR.
    const psnr = await runInWorker("psnr", render, this.target.image).catch(() => undefined);
    if (this.#compared.render !== render) return;
    this.#compared = { render, psnr };
    this.#change.notify();
  }

  /** Waits for earlier readbacks, reads, and schedules the next one. */
  async #readBack(pacing: Pacing, read: () => Promise<void>): Promise<void> {
    await this.#readbackQueue.run(async () => {
      if (this.isOver && this.isInCell) return;
      await read().catch((error) => {
        if (!this.isOver) ignoreDeviceLoss(error);
      });
      pacing.done(this.#trainer.questionTime);
    });
  }
}

/** Ignores the loss of the device, which the trainer replaces. */
function ignoreDeviceLoss(error: unknown): undefined {
  if (!(error instanceof DeviceLostError)) throw error;
  return undefined;
}
