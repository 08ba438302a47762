import type { TrainConfig } from "../engine/config.js";
import { type BatchRegion, rawParameters, readBatchRegions } from "../engine/files/arrow.js";
import { runFiles } from "../engine/files/runFiles.js";
import type { RunRecord } from "../engine/files/runRecord.js";
import type { Size } from "../engine/image/image.js";
import { parameterCount } from "../engine/model/blobs.js";
import { type BlobIndex, type Box, boxesIntersect, IndexedBlobs, joinBlobs } from "../engine/regions/blobs.js";
import { hasSha256, sha256 } from "../engine/sha256.js";
import { type ArrowBatches, openArrow, type SliceableFile } from "./arrowBatches.js";

/** The blobs of a run that was fitted in regions. The record batches of its parameters.arrow are read on demand. */
export class RegionBlobs implements BlobIndex {
  readonly config: TrainConfig;
  readonly size: Size;

  private constructor(
    readonly run: RunRecord,
    readonly batches: ArrowBatches,
    readonly regions: readonly BatchRegion[],
  ) {
    this.config = run.description.config;
    this.size = run.description.image;
  }

  /** @throws the run's refusal, as a sentence */
  static async open(run: RunRecord, parameters: SliceableFile): Promise<RegionBlobs> {
    const file = runFiles.parameters;
    try {
      const batches = await openArrow(parameters, file);
      const header = readBatchRegions(batches.metadata, file);
      if (JSON.stringify(header.config) !== JSON.stringify(run.description.config)) {
        throw new Error(`${file} has another config than ${runFiles.description}.`);
      }
      if (header.regions.length !== batches.count)
        throw new Error(`${file} has ${batches.count} regions, but lists ${header.regions.length}.`);
      return new RegionBlobs(run, batches, header.regions);
    } catch (error) {
      throw toRefusal(run, error);
    }
  }

  async intersecting(box: Box): Promise<Float32Array> {
    const found: Float32Array[] = [];
    for (const [i, { reach }] of this.regions.entries()) {
      const [left, top, right, bottom] = reach;
      if (!boxesIntersect({ left, top, right, bottom }, box)) continue;
      const region = new IndexedBlobs(this.config, this.size, await this.#read(i));
      found.push(await region.intersecting(box));
    }
    return joinBlobs(found);
  }

  /** Returns the parameters of all regions. */
  async parameters(): Promise<Float32Array> {
    const all: Float32Array[] = [];
    for (const i of this.regions.keys()) all.push(await this.#read(i));
    return joinBlobs(all);
  }

  async #read(i: number): Promise<Float32Array> {
    const file = runFiles.parameters;
    try {
      const { columns } = await this.batches.read(i);
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
