import type { Table } from "apache-arrow";
import type { TrainConfig } from "../../engine/config.js";
import { DivergedError } from "../../engine/divergence.js";
import { type MetricsRow, metricsFile } from "../../engine/files/arrow.js";
import { type DrawFile, drawWith } from "../../engine/files/splat2d/drawFile.js";
import { type Image, sizeOf } from "../../engine/image/image.js";
import type { TrainingState } from "../../engine/model/blobs.js";
import type { Backend, Rendering } from "../../engine/pipeline.js";
import { filmSteps } from "../../engine/training/film.js";
import type { Snapshot } from "../../engine/training/snapshot.js";
import { Trainer } from "../../engine/training/trainer.js";
import type { ChosenImage } from "../../host/browser/images.js";
import type { BesideTarget } from "../images/besideTarget.js";
import { colorRamp } from "../images/colorRamp.js";
import { thinRows } from "../runs/curve.js";
import { activeRows } from "../tables/activeRows.js";
import { arrowTable } from "../tables/arrowTable.js";
import { runInWorker } from "../worker/runInWorker.js";
import { ChangeSignal, type ChangeSource, type FollowOptions, follow } from "./follow.js";
import type { InspectionHistory } from "./inspectionHistory.js";
import { type Inspection, ignoreDeviceLoss, Readbacks } from "./readbacks.js";
import { type Step, stepValues } from "./step.js";

/** Milliseconds between snapshots. */
const snapshotInterval = 125;
/** Tables follow the run about once per second, and are at least 250 ms apart. */
const tablePace = { interval: 250, isBounded: true };
/** Rows of metrics in charts: more are not visible and take long to draw. */
const maxRows = 1000;

/** The state of a run. A run that is done can be continued. */
export type RunStatus = "starting" | "running" | "paused" | "done" | "failed";

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
  /** The step at which the run ends. */
  until: number;
  /** The run that this one continues. */
  resumePoint: ResumePoint | undefined;
  /** How often a lost device was replaced. */
  recoveries = 0;
  /** Whether the run waits for the reader before its first step. */
  waits = false;
  /** Whether a pause was requested. The run is paused after the steps in progress. */
  isPauseRequested = false;
  /** Whether the generators go on after the last step, until the run is stopped. */
  isInCell = false;
  /** Called after each step. Training waits for them. While there are any, it takes one step at a time. */
  readonly stepHooks = new Set<(step: Step, signal: AbortSignal) => Promise<unknown>>();
  #trainer: Trainer;
  readonly #backend: Backend;
  #readbacks: Readbacks;
  #controller = new AbortController();
  /** Calls of `train` in progress: two after a reset. */
  #loops = 0;
  readonly #change = new ChangeSignal();

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
    this.resumePoint = resumePoint;
    this.#trainer = new Trainer(config, target.image, backend, resumePoint?.state);
    this.#readbacks = new Readbacks(this.#trainer, new Map(resumePoint?.film), () => this.#change.notify());
    this.until = resumePoint?.until ?? config.steps;
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

  /** The latest render. */
  get render(): Rendering | undefined {
    return this.#readbacks.render;
  }

  /** The latest full state. */
  get inspection(): Inspection | undefined {
    return this.#readbacks.inspection;
  }

  /** Earlier full states, to go back to. */
  get inspectionHistory(): InspectionHistory<Inspection> {
    return this.#readbacks.history;
  }

  /** Small renders, by step. */
  get film(): Map<number, Image> {
    return this.#readbacks.film;
  }

  /** PSNR in decibels of the render at the current step, once it is measured; undefined while training goes on. */
  get psnr(): number | undefined {
    return this.isIdle && this.render?.step === this.step ? this.#readbacks.psnr : undefined;
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
    return this.inspection || this.resumePoint ? this.#trainer.state : undefined;
  }

  /** Name of the adapter or engine. */
  get adapter(): string {
    return this.#backend.description;
  }

  get latest(): Snapshot | undefined {
    return this.measured.at(-1);
  }

  /** Returns the snapshot of a step, or the last one before it. */
  measuredAt(step: number): Snapshot | undefined {
    return this.measured.findLast((snapshot) => snapshot.step <= step);
  }

  /** Renders `.splat2d` files of the run. */
  get draw(): DrawFile {
    return drawWith(this.#backend, this.config, this.target.image);
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
    const { image } = this.target;
    const ramp = colorRamp("inferno");
    return this.#follow(
      () => this.render,
      async (render) => ({ ...(await runInWorker("besideTarget", render, image, ramp.bytes)), step: render.step }),
      // Most of the work runs in the worker.
      { costFactor: 6, isBounded: true },
      moment?.render,
    );
  }

  /**
   * Yields a table with the columns of metrics.arrow, about once per second: one row per snapshot, or every n-th if there
   * are many. A run that fails yields once more, so that charts mark where it ended.
   */
  metrics(): AsyncGenerator<Table, void, void> {
    return this.#follow(
      () => this.latest && (this.error ?? this.latest),
      () => arrowTable(metricsFile(this.config, thinRows(this.measured, maxRows))),
      tablePace,
    );
  }

  /**
   * Yields a table with the columns of parameters.arrow, about once per second even if gradients take long: one row per
   * active blob.
   */
  parameters(moment?: Inspection | null): AsyncGenerator<Table, void, void> {
    return this.#follow(
      () => this.state,
      async ({ step, parameters }) => {
        const args = [this.config, sizeOf(this.target.image), { step, parameters }] as const;
        return activeRows(arrowTable(await runInWorker("parametersFile", ...args)), parameters);
      },
      tablePace,
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
      tablePace,
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
    for await (const from of follow(this, read, options)) yield await make(from as From);
    this.#throwFailure();
  }

  /** Reads back the full state at the current step, and returns it; undefined if the run was stopped before its first. */
  async inspect(): Promise<Inspection | undefined> {
    await this.#readbacks.inspect();
    this.#change.notify();
    return this.inspection;
  }

  /** Reads back the full state of a run that rests, with the PSNR of its render. */
  async #inspectAtRest(): Promise<void> {
    await this.#readbacks.inspectAtRest();
    this.#change.notify();
  }

  /** Trains until `until`, or until the run is stopped. */
  async train(): Promise<void> {
    const { signal } = this.#controller;
    const [trainer, readbacks] = [this.#trainer, this.#readbacks];
    const { recoveries, stepHooks } = this;
    this.#loops++;
    const release = trainer.retain();
    this.#setStatus(this.isPauseRequested ? "paused" : "starting");
    try {
      if (this.isPauseRequested) await this.#inspectAtRest();
      // The first step is a batch of its own, so the beginning has a snapshot.
      else if (this.step === 0) trainer.advance(1);
      const options = {
        until: this.until,
        interval: snapshotInterval,
        inspectAt: filmSteps,
        signal,
        get recordGradientsEvery() {
          return stepHooks.size > 0 ? 1 : undefined;
        },
      };
      for await (const { gradients, ...snapshot } of trainer.run(options)) {
        if (signal.aborted) break;
        // After a recovery the run repeats the steps since its last checkpoint.
        while ((this.latest?.step ?? 0) >= snapshot.step) this.measured.pop();
        this.measured.push(snapshot);
        this.recoveries = recoveries + snapshot.recoveries;
        if (gradients) await this.#callStepHooks(snapshot, gradients, signal);
        if (filmSteps.includes(snapshot.step)) await readbacks.saveFrame(snapshot.step);
        if (signal.aborted) break;
        if (!this.isPauseRequested) {
          this.status = "running";
          // The first step was allowed alone.
          trainer.resume();
        } else if (snapshot.idle) this.status = "paused";
        if (this.isPauseRequested || snapshot.step >= this.until) await this.#inspectAtRest();
        else if (!globalThis.document?.hidden) readbacks.readWhenDue();
        if (readbacks.error) throw readbacks.error;
        this.#change.notify();
      }
      // A stopped run reads back its last values, unless its cell has run again. A reset run continues in another loop.
      if (signal.aborted && (this.isInCell || !this.isOver)) return;
      await this.#inspectAtRest();
      if (!signal.aborted) this.#setStatus("done");
    } catch (error) {
      if (signal.aborted) return;
      this.error = error as Error;
      this.#setStatus("failed");
      if (!(error instanceof DivergedError)) return;
      await trainer.revert();
      await this.#inspectAtRest().catch(() => {});
    } finally {
      await release();
      this.#loops--;
      this.#change.notify();
    }
  }

  async #callStepHooks(snapshot: Snapshot, gradients: Float32Array, signal: AbortSignal): Promise<void> {
    const state = await this.#trainer.readState().catch(ignoreDeviceLoss);
    // After a loss, the run repeats the step.
    if (!state || signal.aborted) return;
    const step = stepValues(this.config, this.target.image, snapshot, state.parameters, gradients);
    await Promise.all(Array.from(this.stepHooks, (hook) => hook(step, signal)));
  }

  /** Pauses the run, and resolves when it is paused. */
  async pause(): Promise<void> {
    if (this.status === "done" || this.status === "failed") return;
    const trainer = this.#trainer;
    this.isPauseRequested = true;
    this.#change.notify();
    await trainer.pause();
    if (!this.isPauseRequested || trainer !== this.#trainer || this.isIdle) return;
    this.#setStatus("paused");
    // The loop in `train` inspects only after steps in progress.
    await this.#inspectAtRest().catch(() => {});
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

  #extend(steps: number): void {
    this.until = this.step + steps;
    void this.train();
  }

  /** Returns to the first step and waits there. */
  reset(): void {
    this.#controller.abort();
    this.#controller = new AbortController();
    this.#readbacks.isOver = true;
    this.resumePoint = this.error = undefined;
    this.measured.length = 0;
    this.recoveries = 0;
    this.until = this.config.steps;
    this.#trainer = new Trainer(this.config, this.target.image, this.#backend);
    this.#readbacks = new Readbacks(this.#trainer, new Map(), () => this.#change.notify());
    this.isPauseRequested = true;
    void this.#trainer.pause();
    void this.train();
  }

  /** Stops the run. Its last values stay. */
  stop(): void {
    this.#controller.abort();
    this.#readbacks.isOver = this.isInCell;
    this.#change.end();
  }

  #setStatus(status: RunStatus): void {
    this.status = status;
    this.#change.notify();
  }
}
