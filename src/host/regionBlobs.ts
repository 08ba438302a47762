import type { TrainConfig } from "../engine/config.js";
import { type BatchRegion, rawParameters, readBatchRegions } from "../engine/files/arrow.js";
import { runFiles } from "../engine/files/runFiles.js";
import type { RunRecord } from "../engine/files/runRecord.js";
import type { Size } from "../engine/image/image.js";
import { parameterCount } from "../engine/model/blobs.js";
import { type BlobIndex, type Box, boxesIntersect, IndexedBlobs, joinBlobs } from "../engine/regions/blobs.js";
import { hasSha256, sha256 } from "../engine/sha256.js";
import { type ArrowBatches, openArrow, type SliceableFile } from "./arrowBatches.js";

/** A region that is being fetched, and its number of pending requests. */
interface PendingRegion {
  blobs: Promise<IndexedBlobs>;
  controller: AbortController;
  requestCount: number;
}

/** The blobs of a run that was fitted in regions. The record batches of its parameters.arrow are read on demand. */
export class RegionBlobs implements BlobIndex {
  readonly config: TrainConfig;
  readonly size: Size;
  /** Regions in memory, most recently used last. */
  readonly #cached = new Map<number, IndexedBlobs>();
  readonly #pending = new Map<number, PendingRegion>();

  private constructor(
    readonly run: RunRecord,
    readonly batches: ArrowBatches,
    readonly regions: readonly BatchRegion[],
    /** Largest number of blobs in the cache, not counting the regions of the current request. */
    readonly maxCached: number,
  ) {
    this.config = run.description.config;
    this.size = run.description.image;
  }

  /** @throws the run's refusal, as a sentence */
  static async open(run: RunRecord, parameters: SliceableFile, maxCached = 0): Promise<RegionBlobs> {
    const file = runFiles.parameters;
    try {
      const batches = await openArrow(parameters, file);
      const header = readBatchRegions(batches.metadata, file);
      if (JSON.stringify(header.config) !== JSON.stringify(run.description.config)) {
        throw new Error(`${file} has another config than ${runFiles.description}.`);
      }
      if (header.regions.length !== batches.count)
        throw new Error(`${file} has ${batches.count} regions, but lists ${header.regions.length}.`);
      return new RegionBlobs(run, batches, header.regions, maxCached);
    } catch (error) {
      throw toRefusal(run, error);
    }
  }

  /** Returns the indices of the regions with blobs that may intersect a box. */
  regionsIntersecting(box: Box): number[] {
    return this.regions.flatMap(({ reach: [left, top, right, bottom] }, i) =>
      boxesIntersect({ left, top, right, bottom }, box) ? [i] : [],
    );
  }

  /** Returns whether a region is in memory. */
  has(region: number): boolean {
    return this.#cached.has(region);
  }

  async intersecting(box: Box): Promise<Float32Array> {
    const regions = await this.load(box);
    return joinBlobs(await Promise.all(regions.map((region) => region.intersecting(box))));
  }

  /**
   * Loads the regions with blobs that may intersect a box.
   * @param signal cancels the request; fetches without other requests are aborted
   */
  async load(box: Box, signal?: AbortSignal): Promise<IndexedBlobs[]> {
    signal?.throwIfAborted();
    const requested = this.regionsIntersecting(box);
    const regions = requested.map((i) => this.#region(i, signal));
    // All requests have settled, so the next call fetches failed regions again.
    await Promise.allSettled(regions);
    signal?.throwIfAborted();
    const found = await Promise.all(regions);
    this.#evict(requested);
    return found;
  }

  /** Returns the parameters of all regions. */
  async parameters(): Promise<Float32Array> {
    const all: Float32Array[] = [];
    for (const i of this.regions.keys()) all.push(await this.#read(i));
    return joinBlobs(all);
  }

  async #region(i: number, signal?: AbortSignal): Promise<IndexedBlobs> {
    const pending = this.#cached.has(i) ? undefined : (this.#pending.get(i) ?? this.#fetch(i));
    if (pending) pending.requestCount++;
    signal?.addEventListener("abort", () => {
      if (pending && --pending.requestCount === 0 && this.#pending.get(i) === pending) {
        // Later requests fetch the region again.
        this.#pending.delete(i);
        pending.controller.abort();
      }
    });
    const region = pending ? await pending.blobs : this.#cached.get(i)!;
    this.#cached.delete(i);
    this.#cached.set(i, region);
    return region;
  }

  #fetch(i: number): PendingRegion {
    const controller = new AbortController();
    const blobs = this.#read(i, controller.signal).then((own) => new IndexedBlobs(this.config, this.size, own));
    const pending = { blobs, controller, requestCount: 0 };
    this.#pending.set(i, pending);
    const removePending = () => this.#pending.get(i) === pending && this.#pending.delete(i);
    blobs.then(removePending, removePending);
    return pending;
  }

  /** Evicts the least recently used regions beyond the limit. */
  #evict(requested: readonly number[]): void {
    const { list } = this.run.description.regions!;
    let total = 0;
    for (const i of [...this.#cached.keys()].reverse()) {
      total += list[i].blobs;
      if (total > this.maxCached && (this.maxCached === 0 || !requested.includes(i))) this.#cached.delete(i);
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
        throw new Error(`region ${i} of ${file} is damaged: its SHA-256 is different.`);
      }
      if (parameters.length / parameterCount !== this.run.description.regions!.list[i].blobs) {
        throw new Error(`region ${i} of ${file} has another number of blobs than in ${runFiles.description}.`);
      }
      return parameters;
    } catch (error) {
      throw toRefusal(this.run, error);
    }
  }
}

function toRefusal({ source }: RunRecord, error: unknown): Error {
  return source.refusal(error instanceof Error ? error.message : String(error));
}
