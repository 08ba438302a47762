import type { TrainConfig } from "../engine/config.js";
import { type BatchRegion, rawParameters, readBatchRegions } from "../engine/files/arrow.js";
import { runFiles } from "../engine/files/runFiles.js";
import type { RunRecord } from "../engine/files/runRecord.js";
import { parameterCount } from "../engine/model/blobs.js";
import type { Size } from "../engine/picture/image.js";
import { type BlobsByPlace, type Box, join, meet, PlacedBlobs } from "../engine/regions/blobs.js";
import { hasSha256, sha256 } from "../engine/sha256.js";
import { type ArrowBatches, openArrow, type Pieces } from "./arrowBatches.js";

/** The blobs of a run that was fitted by regions: of its parameters.arrow only those record batches are read that are needed. */
export class RegionBlobs implements BlobsByPlace {
  readonly config: TrainConfig;
  readonly size: Size;
  /** Regions that were read, those last that were asked for last. */
  readonly #kept = new Map<number, Promise<PlacedBlobs>>();

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

  /** Whether a region is in memory, or on its way there. */
  has(region: number): boolean {
    return this.#kept.has(region);
  }

  async in(box: Box): Promise<Float32Array> {
    const asked = this.meeting(box);
    const regions = asked.map((i) => this.#region(i));
    // What has failed is known to have, so that who asks again has it fetched again.
    await Promise.allSettled(regions);
    const found = await Promise.all(regions.map(async (region) => (await region).in(box)));
    this.#letGo(asked);
    return join(found);
  }

  /** All of them. */
  async parameters(): Promise<Float32Array> {
    const all: Float32Array[] = [];
    for (const i of this.regions.keys()) all.push(await this.#read(i));
    return join(all);
  }

  #region(i: number): Promise<PlacedBlobs> {
    const region = this.#kept.get(i) ?? this.#read(i).then((own) => new PlacedBlobs(this.config, this.size, own));
    this.#kept.delete(i);
    this.#kept.set(i, region);
    // What was not there may come yet.
    region.catch(() => this.#kept.delete(i));
    return region;
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

  async #read(i: number): Promise<Float32Array> {
    const file = runFiles.parameters;
    try {
      const { columns } = await this.batches.read(i);
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
