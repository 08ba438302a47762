import { join } from "node:path";
import { completeConfig, type TrainConfig } from "../../engine/config.js";
import {
  type MetricsRow,
  metricsFile,
  parametersPieces,
  readMetrics,
  regionsMetricsFile,
} from "../../engine/files/arrow.js";
import { type RunDescription, writeRunDescription } from "../../engine/files/runDescription.js";
import { regionsFolder, runFiles } from "../../engine/files/runFiles.js";
import type { RunRecord } from "../../engine/files/runRecord.js";
import { fileSize, stepsByError } from "../../engine/files/splat2d/roundTrip.js";
import { decodeSplat2d, encodeSplat2d } from "../../engine/files/splat2d/splat2d.js";
import { type FloatImage, type Image, toImage } from "../../engine/image/image.js";
import { lossOf, meanSquaredDifference, psnrOfLoss } from "../../engine/image/metrics.js";
import { reducedSize, reduceImage } from "../../engine/image/reduce.js";
import { parameterCount } from "../../engine/model/blobs.js";
import { BlobIndex, joinBlobs, pixelBounds } from "../../engine/regions/blobs.js";
import { drawCrop } from "../../engine/regions/draw.js";
import { type FitResult, type FitTask, fitTask, regionConfig, windowConfig } from "../../engine/regions/fit.js";
import { areaOf, type Rect, type RegionPlan } from "../../engine/regions/plan.js";
import type { Alert } from "../../engine/training/alerts.js";
import type { Snapshot } from "../../engine/training/snapshot.js";
import { describeEngine, type Engine, type EngineDescription, withCpuPipeline } from "../../host/node/engine.js";
import { encodePng } from "../../host/node/imageFile.js";
import type { StagedImage } from "../../host/node/stagedImage.js";
import { divergedExitCode, Failure } from "../../terminal/failure.js";
import { disk } from "../disk.js";
import { bytesOf, floatsOf } from "../floats.js";
import { Staging } from "../staging.js";

/** Files of a region that is done. */
const blobsFile = (region: number) => `${regionsFolder}/${String(region).padStart(5, "0")}.f32`;
const rowsFile = (region: number) => `${regionsFolder}/${String(region).padStart(5, "0")}.metrics.arrow`;

/** Longest side of the images of a run, and of the render that is reduced to it. */
const [savedSide, drawnSide] = [2048, 4096];

/** The inputs of a region or window. */
interface TaskInput {
  config: TrainConfig;
  task: FitTask;
  image: Image;
  /** Of a region; windows record nothing. */
  recordEvery?: number;
  /** The blobs that a window starts with, and their indices in each region. */
  start?: Float32Array;
  selection?: number[][];
}

/** An image that is fitted in regions, and then in windows over their seams. */
export class RegionsRun {
  /** The blobs of each region that is done, and its metrics. */
  readonly blobs: BlobIndex;
  #rows: MetricsRow[][] = [];

  /**
   * @param out the run's folder, which is valid at every moment: each region or window is added when it is done
   * @param description run.json so far
   * @param alertAfter steps after which a region has diverged, if not the default
   * @param onAlert called when a region or window diverges
   */
  constructor(
    readonly out: string,
    readonly target: StagedImage,
    readonly plan: RegionPlan,
    readonly engine: Engine,
    public description: RunDescription,
    readonly alertAfter?: number,
    readonly onAlert: (alert: Alert) => void = () => {},
  ) {
    this.blobs = new BlobIndex(completeConfig({ ...description.config, blobs: 1 }), target);
  }

  /** Reads the regions that are done. */
  async restore(run: RunRecord): Promise<void> {
    for (let region = 0; region < Math.min(this.done, this.plan.regions.length); region++) {
      this.blobs.set(region, floatsOf(await run.file(blobsFile(region))));
      this.#rows.push(readMetrics(await run.file(rowsFile(region))).rows);
    }
  }

  get #progress() {
    return this.description.regions!;
  }

  /** Number of regions and windows that are done. */
  get done(): number {
    return this.#progress.done;
  }

  /** Number of regions and windows. */
  get taskCount(): number {
    return this.plan.regions.length + this.plan.windows.length;
  }

  /** Returns the steps of the first `taskCount` regions and windows. */
  stepsOf(taskCount: number): number {
    const { config } = this.description;
    const regions = Math.min(taskCount, this.plan.regions.length);
    return config.steps * regions + windowConfig(config, 1).steps * (taskCount - regions);
  }

  /** Returns the name of a region or window by its index, starting with 1. */
  nameOf(taskIndex: number): string {
    const { length } = this.plan.regions;
    return taskIndex < length ? `Region ${taskIndex + 1}` : `Seam ${taskIndex - length + 1}`;
  }

  /** Returns the config of a region. */
  regionConfig(region: number): TrainConfig {
    return regionConfig(this.description.config, this.plan.regions[region], this.#progress.list[region].blobs);
  }

  /** Returns the inputs of a region or window. They must not change until it is done. */
  async prepare(taskIndex: number): Promise<TaskInput> {
    const { plan, target, blobs, description } = this;
    const region = plan.regions[taskIndex];
    if (region) {
      const image = await target.crop(region.learned);
      return { config: this.regionConfig(taskIndex), task: { region }, image, recordEvery: description.recordEvery };
    }
    const window = plan.windows[taskIndex - plan.regions.length];
    const selection = blobs.indicesIn(pixelBounds(window));
    const start = joinBlobs(blobs.groups, selection);
    const config = windowConfig(description.config, start.length / parameterCount);
    return { config, task: { window }, image: await target.crop(window), start, selection };
  }

  /** Trains the regions, then the windows, that are not done yet, in order, until the signal aborts. */
  async learn(onSnapshot: (snapshot: Snapshot) => void, signal: AbortSignal): Promise<void> {
    while (this.done < this.taskCount && !signal.aborted) {
      const { done } = this;
      const stepsBefore = this.stepsOf(done);
      const { config, task, image, start, selection, recordEvery } = await this.prepare(done);
      const learned = await fitTask(config, task, this.target, image, start, {
        backend: this.engine.backend,
        signal,
        onSnapshot: (snapshot) => onSnapshot({ ...snapshot, step: stepsBefore + snapshot.step }),
        onAlert: (alert) => this.onAlert(this.#alertOf(done, alert)),
        alertAfter: this.alertAfter,
        recordEvery,
      });
      if (!signal.aborted) await this.addResult(learned, selection);
    }
  }

  /** Returns an alert of a region or window as one of the run. */
  #alertOf(taskIndex: number, alert: Alert): Alert & { part: number } {
    const sentence = alert.sentence.replace(/^Diverged/, `${this.nameOf(taskIndex)} diverged`);
    return { ...alert, sentence, part: taskIndex };
  }

  /**
   * Adds the result of the next region or window to the run.
   * @param selection the indices of a window's blobs in each region
   * @param trainedBy the engine of the worker that trained it; that of this process if absent
   * @throws Failure if training ended because a number was not finite, after the alert is saved
   */
  async addResult(learned: FitResult, selection?: number[][], trainedBy?: EngineDescription): Promise<void> {
    const { done, description, out } = this;
    const alert = learned.alert && this.#alertOf(done, learned.alert);
    if (alert && trainedBy) this.onAlert(alert);
    const alerts = [...(description.alerts ?? []).filter(({ part }) => part !== done), ...(alert ? [alert] : [])];
    if (alert && !Number.isFinite(alert.loss)) {
      await this.#commit(new Staging(out), { alerts }, [...this.#rows, learned.rows]);
      throw new Failure(`${alert.sentence} Try a lower --learning-rate.`, divergedExitCode);
    }
    const staging = new Staging(out);
    const { parameters } = learned;
    const changed = selection ? this.blobs.replaced(selection, parameters) : new Map([[done, parameters]]);
    for (const [region, values] of changed) await staging.write(blobsFile(region), bytesOf(values));
    const rows = selection ? this.#rows : [...this.#rows, learned.rows];
    const list = [...this.#progress.list];
    if (!selection) {
      await staging.write(rowsFile(done), metricsFile(description.config, learned.rows));
      list[done] = { ...list[done], blobs: parameters.length / parameterCount };
    }
    const changes = {
      ...this.#engineOf(trainedBy),
      regions: { ...this.#progress, list, done: done + 1 },
      alerts: alerts.length > 0 ? alerts : undefined,
    };
    await this.#commit(staging, changes, rows, description.timings.seconds + learned.seconds);
    for (const [region, values] of changed) this.blobs.set(region, values);
    this.#rows = rows;
  }

  /** Returns the engine to describe. If several engines took part, one without a GPU is reported. */
  #engineOf(trainedBy = describeEngine(this.engine)): Partial<EngineDescription> {
    return this.description.fallback === undefined ? trainedBy : {};
  }

  /** Commits staged files, with run.json. Unless the changes have a result, it is the mean of the last metrics of the regions. */
  async #commit(
    staging: Staging,
    changes: Partial<RunDescription>,
    rows = this.#rows,
    seconds = this.description.timings.seconds,
  ): Promise<void> {
    const last = rows.flatMap((recorded) => recorded.slice(-1));
    const loss = last.reduce((sum, row) => sum + row.loss, 0) / Math.max(1, last.length);
    const next = { ...this.description, result: { loss, psnr: psnrOfLoss(loss) }, ...changes };
    const stepsPerSecond = this.stepsOf(next.regions!.done) / Math.max(seconds, 1e-9);
    next.timings = { finishedAt: new Date().toISOString(), seconds, stepsPerSecond };
    next.files = { ...next.files, ...staging.hashes() };
    await staging.write(runFiles.description, writeRunDescription(next));
    await staging.commit();
    this.description = next;
  }

  /** Measures the result, and replaces the files of the regions by those of a run, unless the signal aborts. */
  async finish(signal: AbortSignal): Promise<void> {
    const { out, target, description, blobs } = this;
    const parameters = joinBlobs(blobs.groups);
    const trained = description.fallback === undefined ? description.config : withCpuPipeline(description.config);
    const config = completeConfig({ ...trained, blobs: parameters.length / parameterCount });
    const read = (splat2d: Uint8Array) => {
      const file = decodeSplat2d(splat2d, runFiles.splat2d, true);
      return new BlobIndex(file.config, file.size, [file.parameters]);
    };
    const trial = read(encodeSplat2d(config, target, parameters));
    let [loss, rounding] = [0, 0];
    for await (const { own, share, drawn, image } of this.#drawn(blobs, signal)) {
      loss += share * lossOf(drawn, image);
      rounding += share * meanSquaredDifference(await drawCrop(this.engine.backend, trial, own, own), drawn);
    }
    if (signal.aborted) return;
    const splat2d = encodeSplat2d(config, target, parameters, stepsByError(config, rounding, loss / 3));
    let fileLoss = 0;
    for await (const { share, drawn, image } of this.#drawn(read(splat2d), signal)) {
      fileLoss += share * lossOf(drawn, image);
    }
    if (signal.aborted) return;
    const staging = new Staging(out);
    for (const piece of parametersPieces(config, target, { step: config.steps, parameters })) {
      await staging.write(runFiles.parameters, piece);
    }
    await staging.write(runFiles.metrics, regionsMetricsFile(config, this.#rows));
    const whole = { x: 0, y: 0, width: target.width, height: target.height };
    const render = await drawCrop(this.engine.backend, blobs, whole, reducedSize(target, drawnSide));
    await staging.write(runFiles.render, await encodePng(reduceImage(toImage(render), savedSide)));
    const small = await target.reduced(savedSide, `${target.staged}.small`);
    const { width, height } = small;
    const reduced = await small.crop({ x: 0, y: 0, width, height }).finally(() => small.close());
    await staging.write(runFiles.target, await encodePng(reduced));
    await staging.write(runFiles.splat2d, splat2d);
    const file = { ...fileSize(splat2d, target), psnr: psnrOfLoss(fileLoss) };
    const result = { loss, psnr: psnrOfLoss(loss), file };
    await this.#commit(staging, { config, step: config.steps, result, files: {} });
    await disk.remove(join(out, regionsFolder));
  }

  /** Yields each region's render, its target, and its share of the pixels, until the signal aborts. */
  async *#drawn(
    blobs: BlobIndex,
    signal: AbortSignal,
  ): AsyncGenerator<{ own: Rect; share: number; drawn: FloatImage; image: Image }> {
    for (const { own } of this.plan.regions) {
      if (signal.aborted) return;
      const drawn = await drawCrop(this.engine.backend, blobs, own, own);
      yield { own, share: areaOf(own) / areaOf(this.target), drawn, image: await this.target.crop(own) };
    }
  }
}
