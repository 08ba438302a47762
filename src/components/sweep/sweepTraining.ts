import type { TrainConfig } from "../../engine/config.js";
import { sweepFile } from "../../engine/files/sweepFile.js";
import { type FloatImage, type Image, toImage } from "../../engine/image/image.js";
import { lossOf, psnrOfLoss } from "../../engine/image/metrics.js";
import { reduceImage } from "../../engine/image/reduce.js";
import { type PlannedRun, plannedRuns, type Sweep, type SweptResult, withoutResult } from "../../engine/sweep/sweep.js";
import type { Snapshot } from "../../engine/training/snapshot.js";
import { Trainer } from "../../engine/training/trainer.js";
import type { BrowserEngine } from "../../host/browser/engine.js";
import type { ChosenImage } from "../../host/browser/images.js";
import { decibels } from "../page/format.js";
import { thinRows } from "../runs/curve.js";
import { ChangeSignal, follow } from "../training/follow.js";
import { Pacing } from "../training/pacing.js";
import type { ChartRow } from "./sweepCharts.js";
import { valueText } from "./sweepFields.js";
import {
  type CurvePoint,
  curvePoint,
  curvePoints,
  imageKey,
  type SweepStore,
  type SweptRun,
  thumbnailSide,
} from "./sweepStore.js";

/** A run for the page's cells: the value of each swept field by name, and the result. */
export type SweepRow = ChartRow & {
  /** The index of the run. */
  run: number;
  status: SweptResult["status"] | "missing";
  /** Undefined if the run cannot be trained. */
  config?: TrainConfig;
};

/** A point of a run's curve. */
type CurveRow = CurvePoint & { run: number };

/** A run of the sweep, with its result, and its latest snapshot while it trains. */
interface SweepRun extends Partial<SweptRun> {
  plan: PlannedRun;
  /** The key of its stored result. */
  key: string;
  curve: CurvePoint[];
  live?: Snapshot;
}

/** The most points of all curves together. */
const maxPoints = 4000;
/** Returns the least milliseconds between renders of a run, of which one took `cost` milliseconds. */
const renderPause = (cost: number) => Math.max(500, 6 * cost);
const thumbnailOf = (render: FloatImage): Image => reduceImage(toImage(render), thumbnailSide);

/** A sweep with its image and engine. */
export interface SweepJob {
  engine: BrowserEngine;
  store: SweepStore;
  sweep: Sweep;
  image: ChosenImage;
}

/**
 * Returns the runs of a sweep, for a cell. Stored results are read, and `start` trains the missing runs.
 * @param invalidation Framework's promise, which ends training
 */
export function sweepTraining(job: SweepJob, invalidation?: Promise<unknown>): SweepTraining {
  const training = new SweepTraining(job);
  void invalidation?.then(() => training.end());
  return training;
}

export class SweepTraining extends ChangeSignal {
  readonly runs: SweepRun[];
  #rows: SweepRow[] = [];
  #controller: AbortController | undefined;
  #ended: Promise<void> = Promise.resolve();
  /** The time of the start, and the steps done since and to be done in all. */
  #work = { since: 0, done: 0, all: 0 };
  #isNotifying = false;

  constructor(readonly job: SweepJob) {
    super();
    const { engine, store, sweep, image: target } = job;
    const check = (config: TrainConfig) => engine.backend(config.pipeline).check(config, target.image);
    const key = imageKey(target.image);
    this.runs = plannedRuns(sweep, { check }).map((plan) => ({
      plan,
      key: `${key} ${JSON.stringify(plan.config)}`,
      result: plan.config ? undefined : withoutResult("refused", plan.refusal),
      curve: [],
    }));
    this.#updateRows();
    void store.runs(this.#keys).then((stored) => {
      for (const [i, run] of stored.entries()) if (run && !this.runs[i].result) Object.assign(this.runs[i], run);
      this.#updateRows();
    });
  }

  get #keys(): string[] {
    return this.runs.map(({ key }) => key);
  }

  get isIdle(): boolean {
    return !this.isRunning;
  }

  get isRunning(): boolean {
    return this.#controller !== undefined;
  }

  get missing(): SweepRun[] {
    return this.runs.filter(({ plan, result }) => plan.config && (!result || result.status === "stopped"));
  }

  /** The index of the run that trains, −1 if there is none. */
  get running(): number {
    return this.runs.findIndex(({ live }) => live);
  }

  /** The estimated seconds that the missing runs will take. */
  get secondsLeft(): number | undefined {
    const { since, done, all } = this.#work;
    const steps = done + (this.runs[this.running]?.live?.step ?? 0);
    return this.isRunning && steps > 0 ? ((performance.now() - since) / 1000 / steps) * (all - steps) : undefined;
  }

  /** Yields one row per run whenever a result changes. */
  rows(): AsyncGenerator<SweepRow[]> {
    return follow(this, () => this.#rows);
  }

  /** Yields the latest snapshot of the current run several times a second; null if there is none. */
  live(): AsyncGenerator<(Snapshot & { run: number }) | null> {
    return follow(this, () => {
      const run = this.running;
      return run < 0 ? null : { ...this.runs[run].live!, run };
    });
  }

  /** Yields the points of all curves, thinned evenly if there are many. */
  curves(): AsyncGenerator<CurveRow[]> {
    const read = () => {
      const maxRows = Math.max(10, Math.floor(maxPoints / this.runs.length));
      return this.runs.flatMap(({ curve }, run) => thinRows(curve, maxRows).map((point) => ({ ...point, run })));
    };
    return follow(this, read, { interval: 250 });
  }

  start(): void {
    if (this.isRunning) return;
    const controller = new AbortController();
    this.#controller = controller;
    this.#ended = this.#ended.then(() => this.#trainMissing(controller));
  }

  /** Stops the current run. Its result is shown, and it starts over when the sweep resumes. */
  stop(): void {
    this.#controller?.abort();
    this.#controller = undefined;
    this.#notifyOnce();
  }

  override end(): void {
    this.stop();
    super.end();
  }

  /** Deletes the results of these runs. */
  async deleteResults(): Promise<void> {
    this.stop();
    await this.#ended;
    for (const run of this.runs) {
      if (run.plan.config) Object.assign(run, { result: undefined, curve: [], picture: undefined });
    }
    this.#updateRows();
    await this.job.store.deleteResults(this.#keys);
  }

  /** Returns sweep.arrow with the results, in the format of `splatbook sweep`. */
  file(): Uint8Array {
    const { sweep, image: target } = this.job;
    const { width, height } = target.image;
    const rows = this.runs.flatMap(({ plan, result }) => (result ? [{ values: plan.values, run: "", ...result }] : []));
    return sweepFile({ sweep, image: { name: target.name, width, height }, rows });
  }

  async #trainMissing(controller: AbortController): Promise<void> {
    const { missing } = this;
    this.#work = { since: performance.now(), done: 0, all: missing.reduce((n, { plan }) => n + plan.config!.steps, 0) };
    for (const run of missing) {
      if (controller.signal.aborted) break;
      Object.assign(run, { result: undefined, picture: undefined, curve: [] });
      const trained = await this.#train(run, run.plan.config!, controller.signal);
      run.live = undefined;
      if (trained) {
        Object.assign(run, trained);
        if (trained.result.status === "done") await this.job.store.saveRun(run.key, trained);
      }
      this.#work.done += run.plan.config!.steps;
      this.#updateRows();
    }
    if (this.#controller === controller) this.#controller = undefined;
    this.#notifyOnce();
  }

  async #train(run: SweepRun, config: TrainConfig, signal: AbortSignal): Promise<SweptRun | undefined> {
    const { curve } = run;
    const { image } = this.job.image;
    let release = async () => {};
    try {
      const trainer = new Trainer(config, image, this.job.engine.backend(config.pipeline));
      release = trainer.retain();
      const recordEvery = Math.max(1, Math.round(config.steps / curvePoints));
      const pacing = new Pacing(renderPause);
      pacing.done(0);
      for await (const snapshot of trainer.run({ recordEvery, signal })) {
        const { step, loss, recorded } = snapshot;
        if (!Number.isFinite(loss)) throw new Error(`The loss is ${loss} at step ${step}, so the run was aborted.`);
        // After a lost device, steps repeat.
        if (recorded && step > (curve.at(-1)?.step ?? 0)) curve.push(curvePoint(snapshot));
        run.live = snapshot;
        if (pacing.isDue && !document.hidden) {
          const start = performance.now();
          run.picture = thumbnailOf(await trainer.render());
          pacing.done(performance.now() - start);
        }
        this.#notifyOnce();
      }
      const { step, seconds } = trainer;
      if (step === 0) return undefined;
      const render = await trainer.render();
      const loss = lossOf(render, image);
      const status = signal.aborted && step < config.steps ? "stopped" : "done";
      const stepsPerSecond = step / Math.max(seconds, 1e-9);
      const result = { status, sentence: "", loss, psnr: psnrOfLoss(loss), seconds, stepsPerSecond, step } as const;
      return { result, curve, picture: thumbnailOf(render) };
    } catch (error) {
      if (signal.aborted) return undefined;
      const reason = error instanceof Error ? error.message : String(error);
      return { result: withoutResult("failed", reason.replace(/\.?$/, ".")), curve };
    } finally {
      await release();
    }
  }

  #updateRows(): void {
    const fields = this.job.sweep.vary.map(({ field }) => field);
    this.#rows = this.runs.map(({ plan, result }, run) => ({
      run,
      name: runName(this.job.sweep, plan),
      ...Object.fromEntries(fields.map((field, i) => [field, plan.values[i]])),
      ...(result ?? { ...withoutResult("failed", ""), status: "missing" }),
      config: plan.config,
    }));
    this.#notifyOnce();
  }

  /** Notifies at most once a frame. */
  #notifyOnce(): void {
    if (this.#isNotifying) return;
    this.#isNotifying = true;
    requestAnimationFrame(() => {
      this.#isNotifying = false;
      if (!this.isOver) this.notify();
    });
  }
}

/** Returns a run's swept values, such as "Learning rate 0.01, Blobs 100". */
export function runName({ vary }: Sweep, { values }: PlannedRun): string {
  return vary.map(({ field }, i) => valueText(field, values[i])).join(", ");
}

/** Returns a run's state or result in a few words. */
export function runState({ result, live, plan }: SweepRun, isRunning: boolean): string {
  if (live) return `step ${live.step} of ${plan.config!.steps}`;
  if (!result) return isRunning ? "waits" : "missing";
  return result.status === "done" ? decibels(result.psnr) : result.status;
}
