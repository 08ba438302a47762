import { open, stat } from "node:fs/promises";
import type { TrainConfig } from "../../engine/config.js";
import { type BatchRegion, rawParameters, readBatchRegions } from "../../engine/files/arrow.js";
import { runFiles } from "../../engine/files/runFiles.js";
import type { RunRecord } from "../../engine/files/runRecord.js";
import type { Size } from "../../engine/picture/image.js";
import { type BlobsByPlace, type Box, join, meet, PlacedBlobs } from "../../engine/regions/blobs.js";
import { sha256 } from "../../engine/sha256.js";
import { type ArrowBatches, openArrow } from "../../host/arrowBatches.js";
import { Failure } from "../failure.js";
import { whereIs } from "../staging.js";

/** The blobs of a run that was fitted by regions: of its parameters.arrow only those record batches are read that are needed. */
export class RegionsFile implements BlobsByPlace {
  private constructor(
    readonly config: TrainConfig,
    readonly size: Size,
    readonly name: string,
    readonly batches: ArrowBatches,
    readonly regions: BatchRegion[],
  ) {}

  /** @throws Failure that says what is wrong */
  static async open(run: RunRecord, folder: string): Promise<RegionsFile> {
    const file = runFiles.parameters;
    const { config, image, regions } = run.description;
    const [path] = whereIs(folder, file).reverse();
    const { size } = await stat(path).catch(() => {
      const { done, list, windows } = regions!;
      const so = `${done} of its ${list.length + windows} regions and seams are done`;
      throw new Failure(`The run ${run.name} has not ended: ${so}; go on with --resume.`);
    });
    try {
      const batches = await openArrow(pieces(path, size), file);
      const told = readBatchRegions(batches.metadata, file);
      if (JSON.stringify(told.config) !== JSON.stringify(config)) {
        throw new Error(`${file} has another config than ${runFiles.description}.`);
      }
      if (told.regions.length !== batches.count)
        throw new Error(`${file} has another number of regions than it tells.`);
      return new RegionsFile(config, image, run.name, batches, told.regions);
    } catch (error) {
      throw run.source.refusal(error instanceof Error ? error.message : String(error));
    }
  }

  async in(box: Box): Promise<Float32Array> {
    const found: Float32Array[] = [];
    for (const [i, { reach }] of this.regions.entries()) {
      const [left, top, right, bottom] = reach;
      if (!meet({ left, top, right, bottom }, box)) continue;
      found.push(await new PlacedBlobs(this.config, this.size, await this.#read(i)).in(box));
    }
    return join(found);
  }

  /** All of them. */
  async parameters(): Promise<Float32Array> {
    const all: Float32Array[] = [];
    for (const i of this.regions.keys()) all.push(await this.#read(i));
    return join(all);
  }

  async #read(i: number): Promise<Float32Array> {
    const file = runFiles.parameters;
    const { columns } = await this.batches.read(i);
    const parameters = rawParameters(this.config, columns, file);
    const { buffer, byteOffset, byteLength } = parameters;
    if ((await sha256(new Uint8Array(buffer, byteOffset, byteLength))) === this.regions[i].hash) return parameters;
    throw new Failure(`The run ${this.name} cannot be used: region ${i} of ${file} is not what was written.`);
  }
}

/** A file of Node's, as a page knows one: it is read piece by piece. */
function pieces(path: string, size: number) {
  return {
    size,
    slice(start = 0, end = size) {
      const from = start < 0 ? Math.max(0, size + start) : Math.min(start, size);
      const length = Math.max(0, Math.min(end < 0 ? size + end : end, size) - from);
      const arrayBuffer = async () => {
        const file = await open(path);
        try {
          const { buffer, bytesRead } = await file.read(new Uint8Array(length), 0, length, from);
          return buffer.buffer.slice(0, bytesRead);
        } finally {
          await file.close();
        }
      };
      return { arrayBuffer, text: async () => new TextDecoder().decode(await arrayBuffer()) };
    },
  };
}
