import { join } from "node:path";
import type { TrainConfig } from "../../engine/config.js";
import { type MetricsRow, metricsFile, readMetrics } from "../../engine/files/arrow.js";
import type { RegionsDescription } from "../../engine/files/runDescription.js";
import { regionsFolder } from "../../engine/files/runFiles.js";
import type { Size } from "../../engine/image/image.js";
import { parameterCount } from "../../engine/model/blobs.js";
import { type BlobsByPlace, type Box, join as joined, meet, PlacedBlobs, pick } from "../../engine/regions/blobs.js";
import type { Begun } from "../../engine/regions/learn.js";
import { disk } from "../disk.js";
import { readLarge } from "../largeFiles.js";
import type { Staging } from "../staging.js";
import { bytesOf, floatsOf } from "./floats.js";

const blobsFile = (region: number) => `${regionsFolder}/${String(region).padStart(5, "0")}.f32`;
const rowsFile = (region: number) => `${regionsFolder}/${String(region).padStart(5, "0")}.metrics.arrow`;

/** What there is of the region or window that was stopped: its state, and what was recorded of its steps. */
const begunFiles = { state: `${regionsFolder}/begun.f32`, rows: `${regionsFolder}/begun.metrics.arrow` };

/** Blobs of some regions, and which of them are whose. */
export interface Union {
  parameters: Float32Array;
  parts: { region: number; which: number[] }[];
}

/** What was written of a region, which counts from when it is committed. */
export interface Written {
  region: number;
  parameters: Float32Array;
  rows?: MetricsRow[];
}

/** Blobs that stay in memory for whoever asks for them again, at most: neighbours are asked for again and again. */
const mostKept = 2 ** 20;

/**
 * The regions of a run under way, which lie in its folder: a file of raw parameters each, which are read when they are
 * needed.
 */
export class RegionsFolder implements BlobsByPlace {
  readonly rows: MetricsRow[][] = [];
  readonly #reaches: Box[] = [];
  readonly #counts: number[] = [];
  /** Regions that were read, those last that were asked for last. */
  readonly #kept = new Map<number, PlacedBlobs>();
  /** SHA-256 of the files, by their names. */
  readonly files: Record<string, string> = {};

  constructor(
    readonly folder: string,
    readonly config: TrainConfig,
    readonly size: Size,
  ) {}

  /** Goes on with the regions that are done. */
  async reopen(count: number, read: (name: string) => Promise<Uint8Array>, files: Record<string, string>) {
    for (let region = 0; region < count; region++) {
      this.#know(region, floatsOf(await read(blobsFile(region))));
      this.rows[region] = readMetrics(await read(rowsFile(region))).rows;
    }
    Object.assign(this.files, files);
    for (const name of Object.values(begunFiles)) delete this.files[name];
  }

  /**
   * Reads what was learned of a part that was stopped.
   * @param begun what run.json tells of it
   */
  async readBegun(begun: RegionsDescription["begun"], read: (name: string) => Promise<Uint8Array>) {
    if (!begun) return undefined;
    const { step, seconds, boundAt, plateau } = begun;
    const numbers = floatsOf(await read(begunFiles.state));
    const third = numbers.length / 3;
    const [parameters, firstMoments, secondMoments] = [0, 1, 2].map((i) => numbers.slice(i * third, (i + 1) * third));
    // JSON tells an infinite PSNR as null.
    const seen = plateau && { plateau: { ...plateau, psnr: plateau.psnr ?? Number.POSITIVE_INFINITY } };
    const state = { step, parameters, firstMoments, secondMoments, ...seen };
    return { state, rows: readMetrics(await read(begunFiles.rows)).rows, seconds, boundAt };
  }

  /** Puts a part that was stopped among the files to be committed. */
  async writeBegun(staging: Staging, { state, rows }: Begun): Promise<void> {
    for (const numbers of [state.parameters, state.firstMoments, state.secondMoments]) {
      await staging.write(begunFiles.state, bytesOf(numbers));
    }
    await staging.write(begunFiles.rows, metricsFile(this.config, rows));
  }

  /** Removes what there was of a part that is done now. */
  async removeBegun(): Promise<void> {
    for (const name of Object.values(begunFiles)) await disk.remove(join(this.folder, name));
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
  async write(staging: Staging, written: Written): Promise<void> {
    const { region, parameters, rows } = written;
    await staging.write(blobsFile(region), bytesOf(parameters));
    if (rows) await staging.write(rowsFile(region), metricsFile(this.config, rows));
  }

  /**
   * Goes on with what was committed.
   * @param hashes of its files, by their names
   */
  keep(written: Written[], hashes: Record<string, string>): void {
    for (const { region, parameters, rows } of written) {
      this.#know(region, parameters);
      if (rows) this.rows[region] = rows;
    }
    Object.assign(this.files, hashes);
  }

  /** The blobs that meet a box, region by region, which is their order. */
  async union(box: Box): Promise<Union> {
    const found: Float32Array[] = [];
    const parts: Union["parts"] = [];
    for (const [region, reach] of this.#reaches.entries()) {
      if (!meet(reach, box)) continue;
      const placed = await this.#placed(region);
      const which = placed.meeting(box);
      found.push(pick(placed.parameters, which));
      parts.push({ region, which });
    }
    return { parameters: joined(found), parts };
  }

  async in(box: Box): Promise<Float32Array> {
    return (await this.union(box)).parameters;
  }

  /** Puts blobs of a union, which have learned more, among the files to be committed. */
  async writeUnion(staging: Staging, { parts }: Union, learned: Float32Array): Promise<Written[]> {
    const written: Written[] = [];
    const blobs = learned.length / parameterCount;
    let first = 0;
    for (const { region, which } of parts) {
      const parameters = await this.read(region);
      const own = parameters.length / parameterCount;
      for (let field = 0; field < parameterCount; field++) {
        for (let i = 0; i < which.length; i++) {
          parameters[field * own + which[i]] = learned[field * blobs + first + i];
        }
      }
      first += which.length;
      if (which.length === 0) continue;
      await this.write(staging, { region, parameters });
      written.push({ region, parameters });
    }
    return written;
  }

  /** Removes what was needed only while the run was under way. */
  async remove(): Promise<void> {
    await disk.remove(join(this.folder, regionsFolder));
  }

  async #placed(region: number): Promise<PlacedBlobs> {
    const reach = this.#reaches[region];
    const placed = this.#kept.get(region) ?? new PlacedBlobs(this.config, this.size, await this.read(region));
    // What a worker has learned may have come in its place meanwhile.
    if (this.#reaches[region] === reach) this.#keep(region, placed);
    return placed;
  }

  /** Keeps a region in memory, and gives up those that were asked for the longest ago. */
  #keep(region: number, placed: PlacedBlobs): void {
    this.#kept.delete(region);
    this.#kept.set(region, placed);
    let kept = 0;
    for (const [i, { count }] of [...this.#kept].reverse()) {
      kept += count;
      if (kept > mostKept) this.#kept.delete(i);
    }
  }

  #know(region: number, parameters: Float32Array): void {
    const placed = new PlacedBlobs(this.config, this.size, parameters);
    this.#reaches[region] = placed.reach;
    this.#counts[region] = placed.count;
    this.#keep(region, placed);
  }
}
