import { completeConfig, type TrainConfig } from "../../engine/config.js";
import { evenChoice } from "../../engine/evenChoice.js";
import { RegionsWriter, regionsMetricsFile } from "../../engine/files/arrow.js";
import { formatVersion } from "../../engine/files/formatVersion.js";
import {
  type FileResult,
  type RegionsDescription,
  type RunDescription,
  writeRunDescription,
} from "../../engine/files/runDescription.js";
import { runFiles } from "../../engine/files/runFiles.js";
import { meanSquareDifference, sizeOf, stepsByError, trialFile } from "../../engine/files/splat2d/roundTrip.js";
import { decodeSplat2d, encodeSplat2d } from "../../engine/files/splat2d/splat2d.js";
import type { Image, Picture } from "../../engine/image/image.js";
import { lossOf, psnrOfLoss } from "../../engine/image/metrics.js";
import { parameterCount, stateOf } from "../../engine/model/blobs.js";
import { join as joined, moved, PlacedBlobs, placesOf } from "../../engine/regions/blobs.js";
import { drawPart } from "../../engine/regions/draw.js";
import {
  type Begun,
  type Learned,
  type Learning,
  learnPart,
  type Part,
  regionConfig,
  windowConfig,
} from "../../engine/regions/learn.js";
import { areaOf, type Plan, type Rect, type Region } from "../../engine/regions/plan.js";
import { Survey } from "../../engine/regions/survey.js";
import { sha256 } from "../../engine/sha256.js";
import { type Engine, onCpu } from "../../host/node/engine.js";
import { encodePng } from "../../host/node/imageFile.js";
import { regionReader } from "../../host/node/regions.js";
import type { StagedPicture } from "../../host/node/stagedPicture.js";
import { Failure } from "../../terminal/failure.js";
import type { Progress } from "../../terminal/progress.js";
import { describeEngine, type EngineDescription } from "../describeEngine.js";
import { costAfter, costAt, sizeCost } from "../forecast.js";
import { secondsOf } from "../probe.js";
import { Staging } from "../staging.js";
import { bytesOf } from "./floats.js";
import type { RegionsFolder, Union, Written } from "./regionsFolder.js";

/** What is known of the run from its beginning, and how far it came. */
export type Told = Pick<RunDescription, "config" | "image" | "recordEvery"> & {
  regions: RegionsDescription;
  /** What there is of the next part, where that was stopped. */
  begun?: Begun | undefined;
  /** Of training. */
  seconds: number;
  /** What has learned a part of it, where that is not this process alone. */
  by?: EngineDescription;
};

type Result = RunDescription["result"];

/** What a region or window is learned from. */
interface Work {
  config: TrainConfig;
  part: Part;
  image: Image;
  /** The blobs that can be seen in a window. */
  union?: Union;
  /** The blobs that a region begins with; its initial ones if absent. */
  start?: Float32Array;
  recordEvery?: number;
}

/** Regions by which the precision of the .splat2d file is found. */
const trials = 4;

/** A picture that is fitted by regions, one after the other, and then over their seams. */
export class RegionsRun {
  /** Once a region is to be read ahead. */
  #reader: ReturnType<typeof regionReader> | undefined;

  /**
   * @param out the run's folder, which counts at every moment: each region, and each window, is added when it is done
   * @param folder the regions that are done
   */
  constructor(
    readonly out: string,
    readonly picture: StagedPicture,
    readonly plan: Plan,
    readonly folder: RegionsFolder,
    readonly engine: Engine,
    readonly told: Told,
  ) {}

  /** Steps of the first so many regions and windows. */
  stepsOf(jobs: number): number {
    const { config } = this.told;
    const regions = Math.min(jobs, this.plan.regions.length);
    return config.steps * regions + windowConfig(config, 1).steps * (jobs - regions);
  }

  /** Steps that are done, those of the next region or window among them. */
  get steps(): number {
    return this.stepsOf(this.told.regions.done) + (this.told.begun?.state.step ?? 0);
  }

  /** Returns the work that is left after a step, counted as in `steps`, in steps that take as long as the next one. */
  workAfter(step: number): number {
    let current = 0;
    while (current + 1 < this.jobs && this.stepsOf(current + 1) <= step) current++;
    const now = this.#sizeOf(current);
    let work = costAfter(now.config, step - this.stepsOf(current));
    for (let job = current + 1; job < this.jobs; job++) {
      const later = this.#sizeOf(job);
      work += (sizeCost(later) / sizeCost(now)) * costAfter(later.config, 0);
    }
    return work / costAt(now.config, step - this.stepsOf(current));
  }

  /** Returns the estimated seconds of training that are left; undefined if they are few. What it trains is discarded. */
  async secondsLeft(signal: AbortSignal): Promise<number | undefined> {
    const { regions, begun } = this.told;
    if (regions.done === this.jobs) return undefined;
    const { config, image, union, start } = await this.prepare(regions.done);
    const first = union?.parameters ?? start;
    // What is damaged is reported where it is learned from.
    if (begun && begun.state.parameters.length !== parameterCount * config.blobs) return undefined;
    const state = begun?.state ?? (first && stateOf(first));
    const work = this.workAfter(this.steps) * costAt(config, begun?.state.step ?? 0);
    return secondsOf({ config, image, state }, work, { backend: this.engine.backend, signal });
  }

  #sizeOf(job: number): { config: TrainConfig; pixels: number; blobs: number } {
    const { config, regions } = this.told;
    const region = this.plan.regions[job];
    if (region) {
      const own = regionConfig(config, region, regions.list[job].blobs);
      return { config: own, pixels: areaOf(region.learned), blobs: own.blobs };
    }
    const pixels = areaOf(this.plan.windows[job - this.plan.regions.length]);
    const blobs = Math.max(1, Math.round((config.blobs * pixels) / areaOf(this.picture)));
    return { config: windowConfig(config, blobs), pixels, blobs };
  }

  /** Regions and windows. */
  get jobs(): number {
    return this.plan.regions.length + this.plan.windows.length;
  }

  /**
   * Learns the regions, and then the windows, that are not done yet, in their order. What the signal ends is kept too.
   */
  async learn(progress: Progress, signal: AbortSignal): Promise<void> {
    let next: Promise<Work> | undefined;
    try {
      while (this.told.regions.done < this.jobs && !signal.aborted) {
        const { done } = this.told.regions;
        const before = this.stepsOf(done);
        const tell: Learning["tell"] = (snapshot) => progress.update({ ...snapshot, step: before + snapshot.step });
        const { union, start, config, part, image, recordEvery } = await (next ?? this.prepare(done));
        next = this.#prepareAhead(done + 1);
        const { begun } = this.told;
        if (begun && begun.state.parameters.length !== parameterCount * config.blobs) {
          throw new Failure(`What ${this.out} has of its next region is not what was written.`);
        }
        let stopped: Begun | undefined;
        const keep: Learning["keep"] = (part) => {
          stopped = part;
        };
        const learning = { backend: this.engine.backend, signal, tell, recordEvery, begun, keep };
        const learned = await learnPart(config, part, this.picture, image, union?.parameters ?? start, learning);
        if (!signal.aborted) await this.take(learned, union);
        else if (stopped) await this.#keepBegun(stopped);
      }
    } finally {
      this.#reader?.end(new Error("No region is read any more."));
      this.#reader = undefined;
      await next?.catch(() => {});
    }
  }

  /** Prepares a region while another one is learned. A window waits for that one. */
  #prepareAhead(job: number): Promise<Work> | undefined {
    const { told, plan, picture } = this;
    const region = plan.regions[job];
    if (!region) return undefined;
    const config = regionConfig(told.config, region, told.regions.list[job].blobs);
    this.#reader ??= regionReader();
    const read = this.#reader.ask({ staged: picture.staged, colors: picture.colors, rect: region.learned, config });
    const work = read.then((found) => ({ config, part: { region }, recordEvery: told.recordEvery, ...found }));
    // Who learns another one meanwhile hears of it later.
    work.catch(() => {});
    return work;
  }

  /** What a region or window is learned from, which has to stay as it is until it is done. */
  async prepare(job: number): Promise<Work> {
    const { told, plan, picture, folder } = this;
    const region = plan.regions[job];
    if (region) {
      const config = regionConfig(told.config, region, told.regions.list[job].blobs);
      const image = await picture.part(region.learned);
      return { config, part: { region }, image, recordEvery: told.recordEvery };
    }
    const window = plan.windows[job - plan.regions.length];
    const union = await folder.union(placesOf(window));
    const config = windowConfig(told.config, union.parameters.length / parameterCount);
    return { config, part: { window }, image: await picture.part(window), union };
  }

  /**
   * Adds what was learned of the next region or window to what counts, unless it cannot be written.
   * @param by what has learned it; this process if absent
   */
  async take(learned: Learned, union: Union | undefined, by?: EngineDescription): Promise<void> {
    const { told, folder, out } = this;
    const { parameters, rows } = learned;
    const { done } = told.regions;
    const staging = new Staging(out);
    const list = [...told.regions.list];
    let written: Written[];
    if (union) written = await folder.writeUnion(staging, union, parameters);
    else {
      written = [{ region: done, parameters, rows }];
      await folder.write(staging, written[0]);
      list[done] = { ...list[done], blobs: parameters.length / parameterCount };
    }
    const seconds = told.seconds + learned.seconds;
    // Of several, one that had no GPU.
    const toldBy = told.by?.fallback === undefined ? by : told.by;
    const next = { ...told, begun: undefined, seconds, by: toldBy, regions: { ...told.regions, list, done: done + 1 } };
    const hashes = staging.hashes();
    const result = this.#resultSoFar(union ? folder.rows : [...folder.rows, rows]);
    await this.#commit(staging, this.#describe(0, result, { ...folder.files, ...hashes }, next));
    folder.keep(written, hashes);
    if (told.begun) await folder.removeBegun();
    Object.assign(told, next);
  }

  /** Keeps what was learned of the next region or window, for who goes on with it. */
  async #keepBegun(begun: Begun): Promise<void> {
    const { folder, told } = this;
    const staging = new Staging(this.out);
    await folder.writeBegun(staging, begun);
    const hashes = staging.hashes();
    told.begun = begun;
    await this.#commit(staging, this.#describe(0, this.#resultSoFar(), { ...folder.files, ...hashes }));
    folder.keep([], hashes);
  }

  /**
   * Measures what was learned, and writes the run's files in the place of the regions' own.
   * @returns undefined where the signal ends it, which loses nothing but what was measured
   */
  async finish(signal: AbortSignal): Promise<RunDescription | undefined> {
    const { out, picture, plan, folder, told } = this;
    const trained = told.by?.fallback === undefined ? told.config : onCpu(told.config);
    const config = completeConfig({ ...trained, blobs: this.#counts.reduce((sum, blobs) => sum + blobs) });
    told.config = config;
    const survey = new Survey(picture);
    const tried = evenChoice(plan.regions.length, trials);
    let [rounding, error, pixels] = [0, 0, 0];
    for (const [i, { own }] of plan.regions.entries()) {
      if (signal.aborted) return undefined;
      const exact = await drawPart(this.engine.backend, folder, own, own);
      const image = await picture.part(own);
      survey.add(own, exact, image);
      if (!tried.includes(i)) continue;
      rounding += areaOf(own) * (await this.#rounding(own, exact));
      error += (areaOf(own) * lossOf(exact, image)) / 3;
      pixels += areaOf(own);
    }
    told.regions.seams = survey.seams;
    const regions: Float32Array[] = [];
    for (const i of plan.regions.keys()) regions.push(await folder.read(i));
    // Rounding adds as much to the error as in other runs.
    const steps = stepsByError(config, rounding / pixels, error / pixels);
    const splat2d = encodeSplat2d(config, picture, joined(regions), steps);
    const { loss } = survey;
    const psnr = await this.#psnrOfFile(splat2d, signal);
    if (psnr === undefined) return undefined;
    const file = { ...sizeOf(splat2d, picture), psnr };
    const staging = new Staging(out);
    await this.#writeParameters(staging, config, regions);
    await staging.write(runFiles.metrics, regionsMetricsFile(config, folder.rows));
    await staging.write(runFiles.render, await encodePng(survey.render.image));
    await staging.write(runFiles.target, await encodePng(survey.target.image));
    await staging.write(runFiles.splat2d, splat2d);
    const result = { loss, psnr: psnrOfLoss(loss), file };
    const description = this.#describe(config.steps, result, staging.hashes());
    await this.#commit(staging, description);
    await folder.remove();
    return description;
  }

  /** What there is of a run that was stopped. */
  soFar(): RunDescription {
    return this.#describe(0, this.#resultSoFar(), this.folder.files);
  }

  get #counts(): number[] {
    return this.plan.regions.map((_, i) => this.folder.blobs(i));
  }

  /** What the usual precision adds to a region's mean squared error. */
  async #rounding(own: Rect, exact: Picture): Promise<number> {
    const parameters = moved(await this.folder.in(placesOf(own)), own.x, own.y);
    const config = completeConfig({ ...this.told.config, blobs: Math.max(1, parameters.length / parameterCount) });
    const { read } = trialFile(config, own, parameters);
    const blobs = new PlacedBlobs(read.config, own, read.parameters);
    return meanSquareDifference(await drawPart(this.engine.backend, blobs, { ...own, x: 0, y: 0 }, own), exact);
  }

  /** @returns undefined where the signal ends it */
  async #psnrOfFile(splat2d: Uint8Array, signal: AbortSignal): Promise<number | undefined> {
    const { config, size, parameters } = decodeSplat2d(splat2d, runFiles.splat2d, true);
    const blobs = new PlacedBlobs(config, size, parameters);
    const { picture, plan, engine } = this;
    let loss = 0;
    for (const { own } of plan.regions) {
      if (signal.aborted) return undefined;
      loss += areaOf(own) * lossOf(await drawPart(engine.backend, blobs, own, own), await picture.part(own));
    }
    return psnrOfLoss(loss / areaOf(picture));
  }

  async #writeParameters(staging: Staging, config: TrainConfig, regions: Float32Array[]): Promise<void> {
    const tellings = regions.map(async (parameters, i) => {
      const { left, top, right, bottom } = this.folder.reach(i);
      const reach = [left, top, right, bottom].map((place) => (Number.isFinite(place) ? place : 0));
      return { reach: reach as [number, number, number, number], hash: await sha256(bytesOf(parameters)) };
    });
    const writer = new RegionsWriter(config, this.picture, config.steps, await Promise.all(tellings));
    for (const parameters of regions) await staging.write(runFiles.parameters, writer.add(parameters));
    await staging.write(runFiles.parameters, writer.end());
  }

  /** Of the regions that are done, as their last steps measured it, or of the first one while none is. */
  #resultSoFar(recorded = this.told.regions.done === 0 ? [this.told.begun?.rows ?? []] : this.folder.rows): Result {
    let [loss, pixels] = [0, 0];
    for (const [i, rows] of recorded.entries()) {
      const region: Region = this.plan.regions[i];
      loss += areaOf(region.own) * (rows.at(-1)?.loss ?? 0);
      pixels += areaOf(region.own);
    }
    return { loss: loss / Math.max(1, pixels), psnr: psnrOfLoss(loss / Math.max(1, pixels)) };
  }

  async #commit(staging: Staging, description: RunDescription): Promise<void> {
    await staging.write(runFiles.description, writeRunDescription(description));
    await staging.commit();
  }

  #describe(
    step: number,
    result: Result & { file?: FileResult },
    files: Record<string, string>,
    told = this.told,
  ): RunDescription {
    const { config, image, recordEvery, begun, seconds, by } = told;
    const regions = { ...told.regions, ...(begun && { begun: tellBegun(begun) }) };
    return {
      version: formatVersion,
      config,
      image,
      step,
      recordEvery,
      regions,
      film: [],
      ...(by ?? describeEngine(this.engine)),
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

/** What run.json tells of a part that was stopped. */
function tellBegun({ state: { step, plateau }, seconds, boundAt }: Begun): RegionsDescription["begun"] {
  return { step, seconds, boundAt, ...(plateau && { plateau }) };
}
