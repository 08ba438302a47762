import type { TrainConfig } from "../engine/config.js";
import { type BatchRegion, rawParameters, readBatchRegions } from "../engine/files/arrow.js";
import { runFiles } from "../engine/files/runFiles.js";
import type { RunRecord } from "../engine/files/runRecord.js";
import type { Size } from "../engine/image/image.js";
import { parameterCount } from "../engine/model/blobs.js";
import { type BlobsByPlace, type Box, join, meet, PlacedBlobs } from "../engine/regions/blobs.js";
import { hasSha256, sha256 } from "../engine/sha256.js";
import { type ArrowBatches, openArrow, type Pieces } from "./arrowBatches.js";

/** A region on its way, and how many still ask for it. */
interface Coming {
  blobs: Promise<PlacedBlobs>;
  stop: AbortController;
  askers: number;
}

/** The blobs of a run that was fitted by regions: of its parameters.arrow only those record batches are read that are needed. */
export class RegionBlobs implements BlobsByPlace {
  readonly config: TrainConfig;
  readonly size: Size;
  /** Regions that were read, those last that were asked for last. */
  readonly #kept = new Map<number, PlacedBlobs>();
  /** Those on their way. */
  readonly #coming = new Map<number, Coming>();

  private constructor(
    readonly run: RunRecord,
    readonly batches: ArrowBatches,
    readonly regions: readonly BatchRegion[],
    /** Blobs that stay in memory for whoever asks again, at most; those that one question is about come on top. */
    readonly mostKept: number,
  ) {
    this.config = run.description.config;
    this.size = run.description.image;
  }

  /** @throws the run's refusal, of a sentence */
  static async open(run: RunRecord, parameters: Pieces, mostKept = 0): Promise<RegionBlobs> {
    const file = runFiles.parameters;
    try {
      const batches = await openArrow(parameters, file);
      const told = readBatchRegions(batches.metadata, file);
      if (JSON.stringify(told.config) !== JSON.stringify(run.description.config)) {
        throw new Error(`${file} has another config than ${runFiles.description}.`);
      }
      if (told.regions.length !== batches.count)
        throw new Error(`${file} has another number of regions than it tells.`);
      return new RegionBlobs(run, batches, told.regions, mostKept);
    } catch (error) {
      throw refusal(run, error);
    }
  }

  /** The regions whose blobs reach into a box, by their places in the file. */
  meeting(box: Box): number[] {
    return this.regions.flatMap(({ reach: [left, top, right, bottom] }, i) =>
      meet({ left, top, right, bottom }, box) ? [i] : [],
    );
  }

  /** Whether a region is in memory. */
  has(region: number): boolean {
    return this.#kept.has(region);
  }

  async in(box: Box): Promise<Float32Array> {
    const regions = await this.load(box);
    return join(await Promise.all(regions.map((region) => region.in(box))));
  }

  /**
   * Brings the regions whose blobs reach into a box into memory.
   * @param signal that they are needed no more: those on their way that nobody else has asked for are given up
   */
  async load(box: Box, signal?: AbortSignal): Promise<PlacedBlobs[]> {
    signal?.throwIfAborted();
    const asked = this.meeting(box);
    const regions = asked.map((i) => this.#region(i, signal));
    // What has failed is known to have, so that who asks again has it fetched again.
    await Promise.allSettled(regions);
    signal?.throwIfAborted();
    const found = await Promise.all(regions);
    this.#letGo(asked);
    return found;
  }

  /** All of them. */
  async parameters(): Promise<Float32Array> {
    const all: Float32Array[] = [];
    for (const i of this.regions.keys()) all.push(await this.#read(i));
    return join(all);
  }

  async #region(i: number, signal?: AbortSignal): Promise<PlacedBlobs> {
    const coming = this.#kept.has(i) ? undefined : (this.#coming.get(i) ?? this.#fetch(i));
    if (coming) coming.askers++;
    signal?.addEventListener("abort", () => {
      if (coming && --coming.askers === 0 && this.#coming.get(i) === coming) {
        // Who asks from now on has it fetched anew.
        this.#coming.delete(i);
        coming.stop.abort();
      }
    });
    const region = coming ? await coming.blobs : this.#kept.get(i)!;
    this.#kept.delete(i);
    this.#kept.set(i, region);
    return region;
  }

  #fetch(i: number): Coming {
    const stop = new AbortController();
    const blobs = this.#read(i, stop.signal).then((own) => new PlacedBlobs(this.config, this.size, own));
    const coming = { blobs, stop, askers: 0 };
    this.#coming.set(i, coming);
    const hasEnded = () => this.#coming.get(i) === coming && this.#coming.delete(i);
    blobs.then(hasEnded, hasEnded);
    return coming;
  }

  /** Gives up the regions that were asked for the longest ago, so that no more stay than may. */
  #letGo(asked: readonly number[]): void {
    const { list } = this.run.description.regions!;
    let kept = 0;
    for (const i of [...this.#kept.keys()].reverse()) {
      kept += list[i].blobs;
      if (kept > this.mostKept && (this.mostKept === 0 || !asked.includes(i))) this.#kept.delete(i);
    }
  }

  async #read(i: number, signal?: AbortSignal): Promise<Float32Array> {
    const file = runFiles.parameters;
    try {
      const { columns } = await this.batches.read(i, signal);
      const parameters = rawParameters(this.config, columns, file);
      const { buffer, byteOffset, byteLength } = parameters;
      const bytes = new Uint8Array(buffer, byteOffset, byteLength);
      if (hasSha256() && (await sha256(bytes)) !== this.regions[i].hash) {
        throw new Error(`region ${i} of ${file} is not what was written.`);
      }
      if (parameters.length / parameterCount !== this.run.description.regions!.list[i].blobs) {
        throw new Error(`region ${i} of ${file} has another number of blobs than ${runFiles.description} tells.`);
      }
      return parameters;
    } catch (error) {
      throw refusal(this.run, error);
    }
  }
}

function refusal({ source }: RunRecord, error: unknown): Error {
  return source.refusal(error instanceof Error ? error.message : String(error));
}
