import type { TrainConfig } from "../../engine/config.js";
import type { Image } from "../../engine/image.js";
import { lossOf, psnrOfLoss } from "../../engine/metrics.js";
import { crc32 } from "../../engine/splat2d/crc32.js";
import { type PlannedRun, plannedRuns, type Sweep, type SweptResult, withoutResult } from "../../engine/sweep.js";
import type { SweptRow } from "../../engine/sweepFile.js";
import { type Snapshot, Trainer } from "../../engine/trainer.js";
import type { BrowserEngine } from "../../host/browser.js";
import type { ChosenPicture } from "../../host/pictures.js";
import type { CurvePoint, SweepStore, SweptRun } from "./sweepStore.js";
import { type Thumbnail, thumbnailOf } from "./thumbnail.js";

/** A run of the sweep as the page sees it. */
export interface SweepCell {
  readonly index: number;
  readonly run: PlannedRun;
  /** What became of it; undefined while it is missing or under way. */
  result?: SweptResult;
  curve: CurvePoint[];
  picture?: Thumbnail;
  /** The latest snapshot, while it is under way. */
  live?: Snapshot;
  /** Counts the changes of what is above. */
  version: number;
}

/** Points of a curve. */
const curvePoints = 100;
/** Milliseconds between looks at the picture under way, and what they may take of the time: one part in so many. */
const [lookInterval, lookShare] = [500, 6];

/** The page's sweep: its plan, the run under way, and what came of those before it. */
export class Sweeper {
  sweep: Sweep | undefined;
  target: ChosenPicture | undefined;
  cells: SweepCell[] = [];
  /** The run that is looked at, by its index. */
  marked = 0;
  /** Whether the reader chose it; until then it is the one under way. */
  #isChosen = false;
  /** Counts the changes of plan and results. */
  version = 0;
  #controller: AbortController | undefined;
  #ended: Promise<void> = Promise.resolve();
  /** Since the start: when it was, steps that are done, and those to be done in all. */
  #work = { since: 0, done: 0, all: 0 };
  readonly #listeners = new Set<() => void>();
  #told = false;

  constructor(
    readonly engine: BrowserEngine,
    readonly store: SweepStore,
  ) {}

  get isRunning(): boolean {
    return this.#controller !== undefined;
  }

  /** The runs that can be trained and are not. */
  get missing(): SweepCell[] {
    return this.cells.filter(({ run, result }) => run.config && (!result || result.status === "stopped"));
  }

  get running(): SweepCell | undefined {
    return this.cells.find(({ live }) => live);
  }

  get results(): SweepCell[] {
    return this.cells.filter(({ result }) => result);
  }

  /** Seconds that the runs which are missing are likely to take. */
  get secondsLeft(): number | undefined {
    const { since, done, all } = this.#work;
    const steps = done + (this.running?.live?.step ?? 0);
    return this.isRunning && steps > 0 ? ((performance.now() - since) / 1000 / steps) * (all - steps) : undefined;
  }

  /** What `sweep.arrow` holds of it. */
  get rows(): SweptRow[] {
    return this.results.map(({ run, result }) => ({ values: run.values, run: "", ...result! }));
  }

  /** Takes another sweep or picture; what was kept of its runs before is there again. Ends the run under way. */
  async plan(sweep: Sweep, target: ChosenPicture): Promise<void> {
    this.stop();
    const check = (config: TrainConfig) => this.engine.backend(config.pipeline).check(config, target.image);
    this.sweep = sweep;
    this.target = target;
    const cells = plannedRuns(sweep, { check }).map((run, index): SweepCell => {
      const result = run.config ? undefined : withoutResult("refused", run.refusal);
      return { index, run, result, curve: [], version: 0 };
    });
    this.cells = cells;
    this.marked = 0;
    this.#isChosen = false;
    this.#changed();
    const picture = pictureKey(target.image);
    const able = cells.filter(({ run }) => run.config);
    const kept = await this.store.runs(able.map(({ run }) => runKey(picture, run.config!)));
    for (const [i, cell] of able.entries()) if (kept[i]) take(cell, kept[i]);
    if (this.cells === cells) this.#changed();
  }

  /** Trains what is missing, run by run. */
  async start(): Promise<void> {
    if (this.isRunning) return;
    const controller = new AbortController();
    this.#controller = controller;
    const before = this.#ended;
    let end = () => {};
    this.#ended = new Promise((resolve) => {
      end = resolve;
    });
    await before;
    const { missing } = this;
    const picture = this.target && pictureKey(this.target.image);
    this.#work = { since: performance.now(), done: 0, all: missing.reduce((n, { run }) => n + run.config!.steps, 0) };
    for (const cell of missing) {
      if (controller.signal.aborted) break;
      const run = await this.#train(cell, this.target!.image, controller.signal);
      cell.live = undefined;
      if (run) {
        take(cell, run);
        if (run.result.status === "done") await this.store.keepRun(runKey(picture!, cell.run.config!), run);
      }
      this.#work.done += cell.run.config!.steps;
      this.#changed();
    }
    if (this.#controller === controller) this.#controller = undefined;
    end();
    this.#changed();
  }

  /** Ends the run under way; what it came to is shown, and it is trained anew when the sweep goes on. */
  stop(): void {
    this.#controller?.abort();
    this.#controller = undefined;
    this.#notify();
  }

  /** Forgets what the runs came to. */
  async forget(): Promise<void> {
    this.stop();
    await this.#ended;
    const picture = this.target && pictureKey(this.target.image);
    const able = this.cells.filter(({ run }) => run.config);
    for (const cell of able) Object.assign(cell, { result: undefined, curve: [], picture: undefined }).version++;
    this.#changed();
    await this.store.forget(able.map(({ run }) => runKey(picture!, run.config!)));
  }

  /** Looks at a run. */
  mark(index: number): void {
    this.#isChosen = true;
    if (this.marked === index) return;
    this.marked = index;
    this.#notify();
  }

  /** Calls the listener after changes, once a frame at most; returns what ends that. */
  observe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async #train(cell: SweepCell, image: Image, signal: AbortSignal): Promise<SweptRun | undefined> {
    const config = cell.run.config!;
    const curve: CurvePoint[] = [];
    Object.assign(cell, { result: undefined, picture: undefined, curve });
    if (!this.#isChosen) this.marked = cell.index;
    try {
      const trainer = new Trainer(config, image, this.engine.backend(config.pipeline));
      const recordEvery = Math.max(1, Math.round(config.steps / curvePoints));
      let [lookedAt, cost] = [performance.now(), 0];
      for await (const snapshot of trainer.run({ recordEvery, signal })) {
        const { step, seconds, loss, psnr, recorded } = snapshot;
        if (!Number.isFinite(loss)) throw new Error(`The loss is ${loss} at step ${step}, so the run was given up.`);
        // After a lost device steps come again.
        if (recorded && step > (curve.at(-1)?.step ?? 0)) curve.push({ step, seconds, loss, psnr });
        cell.live = snapshot;
        const now = performance.now();
        if (now - lookedAt > Math.max(lookInterval, lookShare * cost) && !document.hidden) {
          cell.picture = thumbnailOf(await trainer.render());
          lookedAt = performance.now();
          cost = lookedAt - now;
        }
        cell.version++;
        this.#notify();
      }
      const { step, seconds } = trainer;
      if (step === 0) return undefined;
      const picture = await trainer.render();
      const loss = lossOf(picture, image);
      const result: SweptResult = {
        status: signal.aborted && step < config.steps ? "stopped" : "done",
        sentence: "",
        loss,
        psnr: psnrOfLoss(loss),
        seconds,
        stepsPerSecond: step / Math.max(seconds, 1e-9),
        step,
      };
      return { result, curve, picture: thumbnailOf(picture) };
    } catch (error) {
      if (signal.aborted) return undefined;
      const why = error instanceof Error ? error.message : String(error);
      return { result: withoutResult("failed", why.replace(/\.?$/, ".")), curve };
    }
  }

  #changed(): void {
    this.version++;
    this.#notify();
  }

  #notify(): void {
    if (this.#told) return;
    this.#told = true;
    requestAnimationFrame(() => {
      this.#told = false;
      for (const listener of this.#listeners) listener();
    });
  }
}

function take(cell: SweepCell, { result, curve, picture }: SweptRun): void {
  Object.assign(cell, { result, curve, picture }).version++;
}

/** What tells a picture from others. */
export function pictureKey({ width, height, data }: Image): string {
  const sum = crc32(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
  return `${width}x${height}-${sum.toString(16).padStart(8, "0")}`;
}

function runKey(picture: string, config: TrainConfig): string {
  return `${picture} ${JSON.stringify(config)}`;
}
