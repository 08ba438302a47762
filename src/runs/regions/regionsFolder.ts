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
import { readLarge } from "../largeFiles.js";
import type { Staging } from "../staging.js";
import { bytesOf, floatsOf } from "./floats.js";

const blobsFile = (region: number) => `${regionsFolder}/${String(region).padStart(5, "0")}.f32`;
const rowsFile = (region: number) => `${regionsFolder}/${String(region).padStart(5, "0")}.metrics.arrow`;

/** What there is of the region or window that was stopped: its state, and what was recorded of its steps. */
const unfinishedFiles = { state: `${regionsFolder}/begun.f32`, rows: `${regionsFolder}/begun.metrics.arrow` };

/** Blobs of some regions, and which of them are whose. */
export interface RegionUnion {
  parameters: Float32Array;
  selections: { region: number; indices: number[] }[];
}

/** What was written of a region, which counts from when it is committed. */
export interface WrittenRegion {
  region: number;
  parameters: Float32Array;
  rows?: MetricsRow[];
}

/** Blobs that stay in memory for whoever asks for them again, at most: neighbours are asked for again and again. */
const maxCachedBlobs = 2 ** 20;

/**
 * The regions of a run under way, which lie in its folder: a file of raw parameters each, which are read when they are
 * needed.
 */
export class RegionsFolder implements BlobIndex {
  readonly rows: MetricsRow[][] = [];
  readonly #reaches: Box[] = [];
  readonly #counts: number[] = [];
  /** Regions that were read, those last that were asked for last. */
  readonly #cache = new Map<number, IndexedBlobs>();
  /** SHA-256 of the files, by their names. */
  readonly files: Record<string, string> = {};

  constructor(
    readonly folder: string,
    readonly config: TrainConfig,
    readonly size: Size,
  ) {}

  /** Goes on with the regions that are done. */
  async restore(count: number, read: (name: string) => Promise<Uint8Array>, files: Record<string, string>) {
    for (let region = 0; region < count; region++) {
      this.#register(region, floatsOf(await read(blobsFile(region))));
      this.rows[region] = readMetrics(await read(rowsFile(region))).rows;
    }
    Object.assign(this.files, files);
    for (const name of Object.values(unfinishedFiles)) delete this.files[name];
  }

  /**
   * Reads what was learned of a part that was stopped.
   * @param unfinished what run.json tells of it
   */
  async readUnfinished(unfinished: RegionsDescription["begun"], read: (name: string) => Promise<Uint8Array>) {
    if (!unfinished) return undefined;
    const { step, seconds, boundAt, plateau } = unfinished;
    const floats = floatsOf(await read(unfinishedFiles.state));
    const fieldLength = floats.length / 3;
    const [parameters, firstMoments, secondMoments] = [0, 1, 2].map((i) =>
      floats.slice(i * fieldLength, (i + 1) * fieldLength),
    );
    // JSON tells an infinite PSNR as null.
    const plateauState = plateau && { plateau: { ...plateau, psnr: plateau.psnr ?? Number.POSITIVE_INFINITY } };
    const state = { step, parameters, firstMoments, secondMoments, ...plateauState };
    return { state, rows: readMetrics(await read(unfinishedFiles.rows)).rows, seconds, boundAt };
  }

  /** Puts a part that was stopped among the files to be committed. */
  async writeUnfinished(staging: Staging, { state, rows }: InterruptedFit): Promise<void> {
    for (const floats of [state.parameters, state.firstMoments, state.secondMoments]) {
      await staging.write(unfinishedFiles.state, bytesOf(floats));
    }
    await staging.write(unfinishedFiles.rows, metricsFile(this.config, rows));
  }

  /** Removes what there was of a part that is done now. */
  async removeUnfinished(): Promise<void> {
    for (const name of Object.values(unfinishedFiles)) await disk.remove(join(this.folder, name));
  }

  /** How many blobs a region that is done has. */
  blobs(region: number): number {
    return this.#counts[region];
  }

  reach(region: number): Box {
    return this.#reaches[region];
  }

  /** A region's blobs. */
  async read(region: number): Promise<Float32Array> {
    return floatsOf(await readLarge(join(this.folder, blobsFile(region)), blobsFile(region)));
  }

  /** Puts a region's blobs among the files to be committed. */
  async write(staging: Staging, written: WrittenRegion): Promise<void> {
    const { region, parameters, rows } = written;
    await staging.write(blobsFile(region), bytesOf(parameters));
    if (rows) await staging.write(rowsFile(region), metricsFile(this.config, rows));
  }

  /**
   * Goes on with what was committed.
   * @param hashes of its files, by their names
   */
  applyCommit(written: WrittenRegion[], hashes: Record<string, string>): void {
    for (const { region, parameters, rows } of written) {
      this.#register(region, parameters);
      if (rows) this.rows[region] = rows;
    }
    Object.assign(this.files, hashes);
  }

  /** The blobs that meet a box, region by region, which is their order. */
  async union(box: Box): Promise<RegionUnion> {
    const parameterArrays: Float32Array[] = [];
    const selections: RegionUnion["selections"] = [];
    for (const [region, reach] of this.#reaches.entries()) {
      if (!boxesIntersect(reach, box)) continue;
      const placed = await this.#placedBlobs(region);
      const indices = placed.indicesIntersecting(box);
      parameterArrays.push(selectBlobs(placed.parameters, indices));
      selections.push({ region, indices });
    }
    return { parameters: joined(parameterArrays), selections };
  }

  async intersecting(box: Box): Promise<Float32Array> {
    return (await this.union(box)).parameters;
  }

  /** Puts blobs of a union, which have learned more, among the files to be committed. */
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

  /** Removes what was needed only while the run was under way. */
  async remove(): Promise<void> {
    await disk.remove(join(this.folder, regionsFolder));
  }

  async #placedBlobs(region: number): Promise<IndexedBlobs> {
    const reach = this.#reaches[region];
    const placed = this.#cache.get(region) ?? new IndexedBlobs(this.config, this.size, await this.read(region));
    // What a worker has learned may have come in its place meanwhile.
    if (this.#reaches[region] === reach) this.#cacheRegion(region, placed);
    return placed;
  }

  /** Keeps a region in memory, and gives up those that were asked for the longest ago. */
  #cacheRegion(region: number, placed: IndexedBlobs): void {
    this.#cache.delete(region);
    this.#cache.set(region, placed);
    let cachedBlobs = 0;
    for (const [i, { count }] of [...this.#cache].reverse()) {
      cachedBlobs += count;
      if (cachedBlobs > maxCachedBlobs) this.#cache.delete(i);
    }
  }

  #register(region: number, parameters: Float32Array): void {
    const placed = new IndexedBlobs(this.config, this.size, parameters);
    this.#reaches[region] = placed.reach;
    this.#counts[region] = placed.count;
    this.#cacheRegion(region, placed);
  }
}
