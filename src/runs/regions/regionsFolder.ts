import { join } from "node:path";
import type { TrainConfig } from "../../engine/config.js";
import { type MetricsRow, metricsFile, readMetrics } from "../../engine/files/arrow.js";
import type { RegionsDescription } from "../../engine/files/runDescription.js";
import { regionsFolder } from "../../engine/files/runFiles.js";
import type { Size } from "../../engine/image/image.js";
import { parameterCount } from "../../engine/model/blobs.js";
import {
  type BlobIndex,
  type Box,
  boxesIntersect,
  IndexedBlobs,
  joinBlobs as joined,
  selectBlobs,
} from "../../engine/regions/blobs.js";
import type { InterruptedFit } from "../../engine/regions/fit.js";
import { disk } from "../disk.js";
import { bytesOf, floatsOf } from "../floats.js";
import { readLarge } from "../largeFiles.js";
import type { Staging } from "../staging.js";

const blobsFile = (region: number) => `${regionsFolder}/${String(region).padStart(5, "0")}.f32`;
const rowsFile = (region: number) => `${regionsFolder}/${String(region).padStart(5, "0")}.metrics.arrow`;

/** Files of the unfinished region or window: its training state and its metrics. */
const unfinishedFiles = { state: `${regionsFolder}/begun.f32`, rows: `${regionsFolder}/begun.metrics.arrow` };

/** Blobs of several regions, and their indices in each region. */
export interface RegionUnion {
  parameters: Float32Array;
  selections: { region: number; indices: number[] }[];
}

/** A region that was written, and counts once it is committed. */
export interface WrittenRegion {
  region: number;
  parameters: Float32Array;
  rows?: MetricsRow[];
}

/** Largest number of blobs in the cache. Neighbouring regions are read repeatedly. */
const maxCachedBlobs = 2 ** 20;

/** The finished regions of a running fit: a file of raw parameters each, which is read on demand. */
export class RegionsFolder implements BlobIndex {
  /** Of each region: its metrics, the box that its blobs reach into, and their number. */
  readonly rows: MetricsRow[][] = [];
  readonly reaches: Box[] = [];
  readonly counts: number[] = [];
  /** Regions in memory, most recently used last. */
  readonly #cache = new Map<number, IndexedBlobs>();
  /** SHA-256 of the files by name. */
  readonly files: Record<string, string> = {};

  constructor(
    readonly folder: string,
    readonly config: TrainConfig,
    readonly size: Size,
  ) {}

  /** Loads the finished regions of a run that is resumed. */
  async restore(count: number, read: (name: string) => Promise<Uint8Array>, files: Record<string, string>) {
    for (let region = 0; region < count; region++) {
      this.#register(region, floatsOf(await read(blobsFile(region))));
      this.rows[region] = readMetrics(await read(rowsFile(region))).rows;
    }
    Object.assign(this.files, files);
    for (const name of Object.values(unfinishedFiles)) delete this.files[name];
  }

  /**
   * Returns the unfinished region or window.
   * @param unfinished its entry in run.json
   */
  async readUnfinished(unfinished: RegionsDescription["begun"], read: (name: string) => Promise<Uint8Array>) {
    if (!unfinished) return undefined;
    const { step, seconds, boundAt, plateau } = unfinished;
    const floats = floatsOf(await read(unfinishedFiles.state));
    const fieldLength = floats.length / 3;
    const [parameters, firstMoments, secondMoments] = [0, 1, 2].map((i) =>
      floats.slice(i * fieldLength, (i + 1) * fieldLength),
    );
    // JSON stores an infinite PSNR as null.
    const plateauState = plateau && { plateau: { ...plateau, psnr: plateau.psnr ?? Number.POSITIVE_INFINITY } };
    const state = { step, parameters, firstMoments, secondMoments, ...plateauState };
    return { state, rows: readMetrics(await read(unfinishedFiles.rows)).rows, seconds, boundAt };
  }

  /** Stages the files of an unfinished region or window. */
  async writeUnfinished(staging: Staging, { state, rows }: InterruptedFit): Promise<void> {
    for (const floats of [state.parameters, state.firstMoments, state.secondMoments]) {
      await staging.write(unfinishedFiles.state, bytesOf(floats));
    }
    await staging.write(unfinishedFiles.rows, metricsFile(this.config, rows));
  }

  /** Removes the files of the unfinished region or window, once it is done. */
  async removeUnfinished(): Promise<void> {
    for (const name of Object.values(unfinishedFiles)) await disk.remove(join(this.folder, name));
  }

  /** Returns the parameters of a region. */
  async read(region: number): Promise<Float32Array> {
    return floatsOf(await readLarge(join(this.folder, blobsFile(region)), blobsFile(region)));
  }

  async write(staging: Staging, written: WrittenRegion): Promise<void> {
    const { region, parameters, rows } = written;
    await staging.write(blobsFile(region), bytesOf(parameters));
    if (rows) await staging.write(rowsFile(region), metricsFile(this.config, rows));
  }

  /**
   * Registers regions that were committed.
   * @param hashes of the files by name
   */
  applyCommit(written: WrittenRegion[], hashes: Record<string, string>): void {
    for (const { region, parameters, rows } of written) {
      this.#register(region, parameters);
      if (rows) this.rows[region] = rows;
    }
    Object.assign(this.files, hashes);
  }

  /** Returns the blobs that intersect a box, region by region. */
  async union(box: Box): Promise<RegionUnion> {
    const parameterArrays: Float32Array[] = [];
    const selections: RegionUnion["selections"] = [];
    for (const [region, reach] of this.reaches.entries()) {
      if (!boxesIntersect(reach, box)) continue;
      const indexed = await this.#indexedBlobs(region);
      const indices = indexed.indicesIntersecting(box);
      parameterArrays.push(selectBlobs(indexed.parameters, indices));
      selections.push({ region, indices });
    }
    return { parameters: joined(parameterArrays), selections };
  }

  async intersecting(box: Box): Promise<Float32Array> {
    return (await this.union(box)).parameters;
  }

  /** Stages the blobs of a union after they were trained in a window. */
  async writeUnion(staging: Staging, { selections }: RegionUnion, learned: Float32Array): Promise<WrittenRegion[]> {
    const written: WrittenRegion[] = [];
    const blobs = learned.length / parameterCount;
    let offset = 0;
    for (const { region, indices } of selections) {
      const parameters = await this.read(region);
      const regionBlobs = parameters.length / parameterCount;
      for (let field = 0; field < parameterCount; field++) {
        for (let i = 0; i < indices.length; i++) {
          parameters[field * regionBlobs + indices[i]] = learned[field * blobs + offset + i];
        }
      }
      offset += indices.length;
      if (indices.length === 0) continue;
      await this.write(staging, { region, parameters });
      written.push({ region, parameters });
    }
    return written;
  }

  /** Removes the folder of the regions, once the run is finished. */
  async remove(): Promise<void> {
    await disk.remove(join(this.folder, regionsFolder));
  }

  async #indexedBlobs(region: number): Promise<IndexedBlobs> {
    const reach = this.reaches[region];
    const indexed = this.#cache.get(region) ?? new IndexedBlobs(this.config, this.size, await this.read(region));
    // A result of a worker may have reindexed the region during the read.
    if (this.reaches[region] === reach) this.#cacheRegion(region, indexed);
    return indexed;
  }

  /** Caches a region, and evicts the least recently used ones. */
  #cacheRegion(region: number, indexed: IndexedBlobs): void {
    this.#cache.delete(region);
    this.#cache.set(region, indexed);
    let cachedBlobs = 0;
    for (const [i, { count }] of [...this.#cache].reverse()) {
      cachedBlobs += count;
      if (cachedBlobs > maxCachedBlobs) this.#cache.delete(i);
    }
  }

  #register(region: number, parameters: Float32Array): void {
    const indexed = new IndexedBlobs(this.config, this.size, parameters);
    this.reaches[region] = indexed.reach;
    this.counts[region] = indexed.count;
    this.#cacheRegion(region, indexed);
  }
}
