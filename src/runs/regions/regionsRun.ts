import { completeConfig, type TrainConfig } from "../../engine/config.js";
import { evenlySpacedIndices } from "../../engine/evenlySpaced.js";
import { type MetricsRow, regionsMetricsFile, regionsPieces } from "../../engine/files/arrow.js";
import { formatVersion } from "../../engine/files/formatVersion.js";
import {
  type FileResult,
  type RegionsDescription,
  type RunDescription,
  writeRunDescription,
} from "../../engine/files/runDescription.js";
import { runFiles } from "../../engine/files/runFiles.js";
import { fileSize, stepsByError, trialFile } from "../../engine/files/splat2d/roundTrip.js";
import { decodeSplat2d, encodeSplat2d } from "../../engine/files/splat2d/splat2d.js";
import type { FloatImage, Image } from "../../engine/image/image.js";
import { lossOf, meanSquaredDifference, psnrOfLoss } from "../../engine/image/metrics.js";
import { parameterCount, stateOf } from "../../engine/model/blobs.js";
import { IndexedBlobs, joinBlobs as joined, pixelBounds, translated } from "../../engine/regions/blobs.js";
import { drawCrop } from "../../engine/regions/draw.js";
import {
  type FitOptions,
  type FitResult,
  type FitTask,
  fitTask,
  type InterruptedFit,
  regionConfig,
  windowConfig,
} from "../../engine/regions/fit.js";
import { areaOf, type Rect, type Region, type RegionPlan } from "../../engine/regions/plan.js";
import { Miniature, renderScale, Survey, targetScale } from "../../engine/regions/survey.js";
import { sha256 } from "../../engine/sha256.js";
import type { Alert } from "../../engine/training/alerts.js";
import { type Engine, withCpuPipeline } from "../../host/node/engine.js";
import { encodePng } from "../../host/node/imageFile.js";
import { regionReader } from "../../host/node/regions.js";
import type { StagedImage } from "../../host/node/stagedImage.js";
import { divergedExitCode, Failure } from "../../terminal/failure.js";
import type { Progress } from "../../terminal/progress.js";
import { describeEngine, type EngineDescription } from "../describeEngine.js";
import { bytesOf } from "../floats.js";
import { costAfter, sizeCost } from "../forecast.js";
import { estimateSeconds } from "../probe.js";
import { Staging } from "../staging.js";
import type { RegionsFolder, RegionUnion, WrittenRegion } from "./regionsFolder.js";

/** The settings of a run in regions, and its progress. */
export type RegionsMetadata = Pick<RunDescription, "config" | "image" | "recordEvery" | "alerts"> & {
  regions: RegionsDescription;
  /** The unfinished region or window. */
  begun?: InterruptedFit | undefined;
  /** Seconds of training. */
  seconds: number;
  /** The engine of an earlier command or of a worker, if it trained some of the regions. */
  trainedBy?: EngineDescription;
};

type Result = RunDescription["result"];

interface TaskInput {
  config: TrainConfig;
  task: FitTask;
  image: Image;
  union?: RegionUnion;
  /** Parameters that it starts with; the initial ones of a region if absent. */
  start?: Float32Array;
  recordEvery?: number;
}

/** What a commit changes besides its files. */
interface CommittedChange {
  written?: WrittenRegion[];
  metadata?: RegionsMetadata;
  /** Metrics of each finished region. */
  rows?: MetricsRow[][];
}

/** Largest fraction of the time that previews may take. */
const previewFraction = 0.1;

/** Number of regions from which the precision of the .splat2d file is determined. */
const precisionSamples = 4;

/** An image that is fitted in regions, and then in windows over their seams. */
export class RegionsRun {
  /** The thread that reads regions ahead, once it is needed. */
  #reader: ReturnType<typeof regionReader> | undefined;
  /** The render so far and its target. */
  #preview: { render: Miniature; target: Miniature } | undefined;
  /** Boxes that have changed since the preview was drawn. */
  #undrawn: Rect[] = [];
  /** Time of the next preview, by performance.now(). */
  #previewAt = 0;

  /**
   * @param out the run's folder, which is valid at every moment: each region or window is added when it is done
   * @param folder the finished regions
   * @param alertAfter steps after which a region has diverged, if not the default
   * @param onAlert called when a region or window diverges
   */
  constructor(
    readonly out: string,
    readonly target: StagedImage,
    readonly plan: RegionPlan,
    readonly folder: RegionsFolder,
    readonly engine: Engine,
    readonly metadata: RegionsMetadata,
    readonly alertAfter?: number,
    readonly onAlert: (alert: Alert) => void = () => {},
  ) {}

  /** Returns the steps of the first `taskCount` regions and windows. */
  stepsOf(taskCount: number): number {
    const { config } = this.metadata;
    const regions = Math.min(taskCount, this.plan.regions.length);
    return config.steps * regions + windowConfig(config, 1).steps * (taskCount - regions);
  }

  /** Returns the name of a region or window by its index, starting with 1. */
  nameOf(taskIndex: number): string {
    const { length } = this.plan.regions;
    return taskIndex < length ? `Region ${taskIndex + 1}` : `Seam ${taskIndex - length + 1}`;
  }

  /** Returns an alert of a region or window as one of the run. */
  #alertOf(taskIndex: number, alert: Alert): Alert & { part: number } {
    const sentence = alert.sentence.replace(/^Diverged/, `${this.nameOf(taskIndex)} diverged`);
    return { ...alert, sentence, part: taskIndex };
  }

  /** Steps so far, including those of the unfinished region or window. */
  get steps(): number {
    return this.stepsOf(this.metadata.regions.done) + (this.metadata.begun?.state.step ?? 0);
  }

  /** Returns the remaining work after a step (counted as in `steps`), in steps of its region with all blobs active. */
  workAfter(step: number): number {
    let currentTask = 0;
    while (currentTask + 1 < this.taskCount && this.stepsOf(currentTask + 1) <= step) currentTask++;
    const currentSize = this.#sizeOf(currentTask);
    let work = costAfter(currentSize.config, step - this.stepsOf(currentTask));
    for (let taskIndex = currentTask + 1; taskIndex < this.taskCount; taskIndex++) {
      const laterSize = this.#sizeOf(taskIndex);
      work += (sizeCost(laterSize) / sizeCost(currentSize)) * costAfter(laterSize.config, 0);
    }
    return work;
  }

  /** Returns the estimated remaining seconds of training; undefined if they are few. The trained state is discarded. */
  async estimateSecondsLeft(signal: AbortSignal): Promise<number | undefined> {
    const { regions, begun } = this.metadata;
    if (regions.done === this.taskCount) return undefined;
    const { config, image, start } = await this.prepare(regions.done);
    // Damaged files are reported when training starts.
    if (begun && begun.state.parameters.length !== parameterCount * config.blobs) return undefined;
    const state = begun?.state ?? (start && stateOf(start));
    const { backend } = this.engine;
    return estimateSeconds({ config, image, state }, this.workAfter(this.steps), { backend, signal });
  }

  #regionConfig(i: number): TrainConfig {
    const { config, regions } = this.metadata;
    return regionConfig(config, this.plan.regions[i], regions.list[i].blobs);
  }

  #sizeOf(taskIndex: number): { config: TrainConfig; pixels: number; blobs: number } {
    const { config } = this.metadata;
    const region = this.plan.regions[taskIndex];
    if (region) {
      const own = this.#regionConfig(taskIndex);
      return { config: own, pixels: areaOf(region.learned), blobs: own.blobs };
    }
    const pixels = areaOf(this.plan.windows[taskIndex - this.plan.regions.length]);
    const blobs = Math.max(1, Math.round((config.blobs * pixels) / areaOf(this.target)));
    return { config: windowConfig(config, blobs), pixels, blobs };
  }

  /** Number of regions and windows. */
  get taskCount(): number {
    return this.plan.regions.length + this.plan.windows.length;
  }

  /**
   * Trains the regions, then the windows, that are not done yet, in order. If the signal aborts, the unfinished one is
   * saved.
   */
  async learn(progress: Progress, signal: AbortSignal): Promise<void> {
    let next: Promise<TaskInput> | undefined;
    try {
      while (this.metadata.regions.done < this.taskCount && !signal.aborted) {
        const { done } = this.metadata.regions;
        const stepsBefore = this.stepsOf(done);
        const onSnapshot: FitOptions["onSnapshot"] = (snapshot) =>
          progress.update({ ...snapshot, step: stepsBefore + snapshot.step });
        const { union, start, config, task, image, recordEvery } = await (next ?? this.prepare(done));
        next = this.#prepareAhead(done + 1);
        const { begun } = this.metadata;
        if (begun && begun.state.parameters.length !== parameterCount * config.blobs) {
          throw new Failure(`The unfinished region in ${this.out} is damaged: it has another number of blobs.`);
        }
        let unfinished: InterruptedFit | undefined;
        const learned = await fitTask(config, task, this.target, image, start, {
          backend: this.engine.backend,
          signal,
          onSnapshot,
          onAlert: (alert) => this.onAlert(this.#alertOf(done, alert)),
          alertAfter: this.alertAfter,
          recordEvery,
          resumeFrom: begun,
          onInterrupt: (interrupted) => {
            unfinished = interrupted;
          },
        });
        if (!signal.aborted) {
          await this.addResult(learned, union);
          await this.writePreview(signal);
        } else if (unfinished) await this.#saveUnfinished(unfinished);
      }
    } finally {
      this.#reader?.end(new Error("All regions have been read."));
      this.#reader = undefined;
      await next?.catch(() => {});
    }
  }

  /** Prepares a region while the one before is trained. Windows cannot be prepared ahead. */
  #prepareAhead(taskIndex: number): Promise<TaskInput> | undefined {
    const { metadata, plan, target } = this;
    const region = plan.regions[taskIndex];
    if (!region) return undefined;
    const config = this.#regionConfig(taskIndex);
    this.#reader ??= regionReader();
    const read = this.#reader.ask({ staged: target.staged, colors: target.colors, rect: region.learned, config });
    const work = read.then((loaded) => ({ config, task: { region }, recordEvery: metadata.recordEvery, ...loaded }));
    // The error is reported when the result is awaited.
    work.catch(() => {});
    return work;
  }

  /** Returns the inputs of a region or window. They must not change until it is done. */
  async prepare(taskIndex: number): Promise<TaskInput> {
    const { metadata, plan, target, folder } = this;
    const region = plan.regions[taskIndex];
    if (region) {
      const image = await target.crop(region.learned);
      return { config: this.#regionConfig(taskIndex), task: { region }, image, recordEvery: metadata.recordEvery };
    }
    const window = plan.windows[taskIndex - plan.regions.length];
    const union = await folder.union(pixelBounds(window));
    const config = windowConfig(metadata.config, union.parameters.length / parameterCount);
    return { config, task: { window }, image: await target.crop(window), union, start: union.parameters };
  }

  /**
   * Adds the result of the next region or window to the run.
   * @param trainedBy the engine of the worker that trained it; that of this process if absent
   * @throws Failure if the loss is not finite, after the alert is saved
   */
  async addResult(learned: FitResult, union: RegionUnion | undefined, trainedBy?: EngineDescription): Promise<void> {
    const { metadata, folder, out } = this;
    const { parameters, rows } = learned;
    const { done } = metadata.regions;
    const alert = learned.alert && this.#alertOf(done, learned.alert);
    if (alert && trainedBy) this.onAlert(alert);
    const others = (metadata.alerts ?? []).filter(({ part }) => part !== done);
    const alerts = alert ? [...others, alert] : others;
    if (alert && !Number.isFinite(alert.loss)) {
      metadata.alerts = alerts;
      await this.#commit(new Staging(out), { rows: done === 0 ? [rows] : folder.rows });
      const reason = `The loss of ${this.nameOf(done).toLowerCase()} is ${alert.loss} at step ${alert.step}`;
      throw new Failure(`${reason}, so the run was stopped.`, divergedExitCode);
    }
    const staging = new Staging(out);
    const list = [...metadata.regions.list];
    let written: WrittenRegion[];
    if (union) written = await folder.writeUnion(staging, union, parameters);
    else {
      written = [{ region: done, parameters, rows }];
      await folder.write(staging, written[0]);
      list[done] = { ...list[done], blobs: parameters.length / parameterCount };
    }
    const seconds = metadata.seconds + learned.seconds;
    // If several engines took part, one without a GPU is reported.
    const reportedEngine = metadata.trainedBy?.fallback === undefined ? trainedBy : metadata.trainedBy;
    const next = {
      ...metadata,
      alerts: alerts.length > 0 ? alerts : undefined,
      begun: undefined,
      seconds,
      trainedBy: reportedEngine,
      regions: { ...metadata.regions, list, done: done + 1 },
    };
    await this.#commit(staging, { written, metadata: next, rows: union ? folder.rows : [...folder.rows, rows] });
    if (metadata.begun) await folder.removeUnfinished();
    Object.assign(metadata, next);
    this.#undrawn.push(this.plan.regions[done]?.own ?? this.plan.windows[done - this.plan.regions.length]);
  }

  /**
   * Writes metrics, the render and its target for the live view, reduced and black where no region is done. It does so
   * unless the last ones were written recently.
   */
  async writePreview(signal?: AbortSignal): Promise<void> {
    const { folder, target, metadata } = this;
    const start = performance.now();
    // The end of the run writes them too.
    if (start < this.#previewAt || metadata.regions.done === this.taskCount) return;
    if (!this.#preview) {
      this.#preview = { render: new Miniature(target), target: new Miniature(target) };
      // A resumed run has regions that this command has not drawn.
      this.#undrawn = this.plan.regions.slice(0, metadata.regions.done).map(({ own }) => own);
    }
    const { render, target: reduced } = this.#preview;
    for (let next = this.#undrawn[0]; next; next = this.#undrawn[0]) {
      if (signal?.aborted) return;
      const box = render.around(next);
      const drawn = await drawCrop(this.engine.backend, folder, box, box);
      render.replace(box, drawn.data, renderScale);
      reduced.replace(box, (await target.crop(box)).data, targetScale);
      this.#undrawn.shift();
    }
    const staging = new Staging(this.out);
    await staging.write(runFiles.metrics, regionsMetricsFile(metadata.config, folder.rows));
    await staging.write(runFiles.render, await encodePng(render.image));
    await staging.write(runFiles.target, await encodePng(reduced.image));
    await this.#commit(staging);
    const now = performance.now();
    this.#previewAt = now + (now - start) / previewFraction;
  }

  async #saveUnfinished(begun: InterruptedFit): Promise<void> {
    const staging = new Staging(this.out);
    await this.folder.writeUnfinished(staging, begun);
    this.metadata.begun = begun;
    await this.#commit(staging);
  }

  /**
   * Measures the result, and replaces the files of the regions by those of a run.
   * @returns undefined if the signal aborts; the regions stay as they are
   */
  async finish(signal: AbortSignal): Promise<RunDescription | undefined> {
    const { out, target, plan, folder, metadata } = this;
    const trained = metadata.trainedBy?.fallback === undefined ? metadata.config : withCpuPipeline(metadata.config);
    const config = completeConfig({ ...trained, blobs: folder.counts.reduce((sum, blobs) => sum + blobs) });
    metadata.config = config;
    const survey = new Survey(target);
    const sampled = evenlySpacedIndices(plan.regions.length, precisionSamples);
    let [rounding, error, pixels] = [0, 0, 0];
    for (const [i, { own }] of plan.regions.entries()) {
      if (signal.aborted) return undefined;
      const exact = await drawCrop(this.engine.backend, folder, own, own);
      const image = await target.crop(own);
      survey.add(own, exact, image);
      if (!sampled.includes(i)) continue;
      rounding += areaOf(own) * (await this.#rounding(own, exact));
      error += (areaOf(own) * lossOf(exact, image)) / 3;
      pixels += areaOf(own);
    }
    metadata.regions.seams = survey.seams;
    const regions: Float32Array[] = [];
    for (const i of plan.regions.keys()) regions.push(await folder.read(i));
    // Quantization may add as much to the error as in other runs.
    const steps = stepsByError(config, rounding / pixels, error / pixels);
    const splat2d = encodeSplat2d(config, target, joined(regions), steps);
    const { loss } = survey;
    const psnr = await this.#psnrOfFile(splat2d, signal);
    if (psnr === undefined) return undefined;
    const file = { ...fileSize(splat2d, target), psnr };
    const staging = new Staging(out);
    await this.#writeParameters(staging, config, regions);
    await staging.write(runFiles.metrics, regionsMetricsFile(config, folder.rows));
    await staging.write(runFiles.render, await encodePng(survey.render.image));
    await staging.write(runFiles.target, await encodePng(survey.target.image));
    await staging.write(runFiles.splat2d, splat2d);
    const result = { loss, psnr: psnrOfLoss(loss), file };
    const description = this.#describe(config.steps, result, staging.hashes());
    await staging.write(runFiles.description, writeRunDescription(description));
    await staging.commit();
    await folder.remove();
    return description;
  }

  /** Returns the description of a run that was stopped. */
  currentDescription(): RunDescription {
    return this.#describe(0, this.#resultSoFar(), this.folder.files);
  }

  /** Returns what the default precision adds to a region's mean squared error. */
  async #rounding(own: Rect, exact: FloatImage): Promise<number> {
    const parameters = translated(await this.folder.intersecting(pixelBounds(own)), own.x, own.y);
    const config = completeConfig({ ...this.metadata.config, blobs: Math.max(1, parameters.length / parameterCount) });
    const { read } = trialFile(config, own, parameters);
    const blobs = new IndexedBlobs(read.config, own, read.parameters);
    return meanSquaredDifference(await drawCrop(this.engine.backend, blobs, { ...own, x: 0, y: 0 }, own), exact);
  }

  /** Returns the PSNR of a .splat2d file; undefined if the signal aborts. */
  async #psnrOfFile(splat2d: Uint8Array, signal: AbortSignal): Promise<number | undefined> {
    const { config, size, parameters } = decodeSplat2d(splat2d, runFiles.splat2d, true);
    const blobs = new IndexedBlobs(config, size, parameters);
    const { target, plan, engine } = this;
    let loss = 0;
    for (const { own } of plan.regions) {
      if (signal.aborted) return undefined;
      loss += areaOf(own) * lossOf(await drawCrop(engine.backend, blobs, own, own), await target.crop(own));
    }
    return psnrOfLoss(loss / areaOf(target));
  }

  async #writeParameters(staging: Staging, config: TrainConfig, regions: Float32Array[]): Promise<void> {
    const regionRecords = regions.map(async (parameters, i) => {
      const { left, top, right, bottom } = this.folder.reaches[i];
      const reach = [left, top, right, bottom].map((edge) => (Number.isFinite(edge) ? edge : 0));
      return { reach: reach as [number, number, number, number], hash: await sha256(bytesOf(parameters)) };
    });
    const batchRegions = await Promise.all(regionRecords);
    for (const piece of regionsPieces(config, this.target, config.steps, regions, batchRegions)) {
      await staging.write(runFiles.parameters, piece);
    }
  }

  /**
   * Returns the result so far, from the last metrics of each finished region, or of the first region if none is
   * finished.
   */
  #resultSoFar(
    recorded = this.metadata.regions.done === 0 ? [this.metadata.begun?.rows ?? []] : this.folder.rows,
  ): Result {
    let [loss, pixels] = [0, 0];
    for (const [i, rows] of recorded.entries()) {
      const region: Region = this.plan.regions[i];
      loss += areaOf(region.own) * (rows.at(-1)?.loss ?? 0);
      pixels += areaOf(region.own);
    }
    return { loss: loss / Math.max(1, pixels), psnr: psnrOfLoss(loss / Math.max(1, pixels)) };
  }

  /** Commits staged files of the run so far, with its description. */
  async #commit(staging: Staging, { written = [], metadata, rows }: CommittedChange = {}): Promise<void> {
    const { folder } = this;
    const hashes = staging.hashes();
    const description = this.#describe(0, this.#resultSoFar(rows), { ...folder.files, ...hashes }, metadata);
    await staging.write(runFiles.description, writeRunDescription(description));
    await staging.commit();
    folder.applyCommit(written, hashes);
  }

  #describe(
    step: number,
    result: Result & { file?: FileResult },
    files: Record<string, string>,
    metadata = this.metadata,
  ): RunDescription {
    const { config, image, recordEvery, begun, seconds, trainedBy, alerts } = metadata;
    const regions = { ...metadata.regions, ...(begun && { begun: describeUnfinished(begun) }) };
    return {
      version: formatVersion,
      config,
      image,
      step,
      recordEvery,
      regions,
      film: [],
      ...(alerts && { alerts }),
      ...(trainedBy ?? describeEngine(this.engine)),
      timings: {
        finishedAt: new Date().toISOString(),
        seconds,
        stepsPerSecond: this.stepsOf(regions.done) / Math.max(seconds, 1e-9),
      },
      files,
      result,
    };
  }
}

/** Returns the entry in run.json for an unfinished region or window. */
function describeUnfinished({
  state: { step, plateau },
  seconds,
  boundAt,
}: InterruptedFit): RegionsDescription["begun"] {
  return { step, seconds, boundAt, ...(plateau && { plateau }) };
}
