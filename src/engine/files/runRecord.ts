import type { TrainConfig } from "../config.js";
import { hashImage, type Image } from "../image/image.js";
import { stateOf, type TrainingState } from "../model/blobs.js";
import { hasSha256, sha256 } from "../sha256.js";
import type { GradientRecord, MetricsRow } from "./arrow.js";
import { hasEnded, type RunDescription, readRunDescription } from "./runDescription.js";
import { frameFile, runFiles } from "./runFiles.js";
import type { ReadTable, Tables } from "./tables.js";

/** The source of a run's files: a folder, the browser's storage, or files dropped into a page. */
export interface RunSource {
  /** Name of the run in the source. */
  readonly name: string;
  /** @throws Error of one sentence if the run has no such file, or it cannot be read */
  read(file: string): Promise<Uint8Array>;
  /** SHA-256 of a file in hexadecimal, if files may be larger than Web Crypto accepts. */
  sha256?: (bytes: Uint8Array) => Promise<string>;
  /** Reads a table; a source of untrusted tables limits the time. */
  readTable: ReadTable;
  /** @throws Error of one sentence if it is not an image */
  decode(png: Uint8Array, file: string): Promise<Image>;
  /** Returns the error for a run that cannot be used, with the reason. */
  refusal(reason: string): Error;
}

/** A saved run, read file by file. Each method throws the source's refusal if something is wrong with the run. */
export class RunRecord {
  private constructor(
    readonly source: RunSource,
    readonly description: RunDescription,
  ) {}

  static async open(source: RunSource): Promise<RunRecord> {
    return readOrRefuse(source, async () => {
      const text = new TextDecoder().decode(await source.read(runFiles.description));
      return new RunRecord(source, readRunDescription(text));
    });
  }

  get name(): string {
    return this.source.name;
  }

  /** Refuses an unfinished run in regions; its tables and images are not written yet. */
  requireComplete(): void {
    const { description, source } = this;
    if (!description.regions || hasEnded(description)) return;
    const { done, list, windows } = description.regions;
    const progress = `${done} of its ${list.length + windows} regions and seams are done`;
    throw source.refusal(`it has not ended: ${progress}; continue with --resume.`);
  }

  /** Returns a state with the raw parameters and moments of zero. */
  async parameters(): Promise<TrainingState> {
    const { parameters } = await this.#table("parameters");
    return stateOf(parameters, this.description.step);
  }

  /** Returns the state from which training continues. */
  async state(): Promise<TrainingState> {
    this.#requireFile("optimiser");
    const { firstMoments, secondMoments } = await this.#table("optimizer");
    const { plateau } = this.description;
    // JSON stores an infinite PSNR as null.
    const plateauState = plateau && { plateau: { ...plateau, psnr: plateau.psnr ?? Number.POSITIVE_INFINITY } };
    return { ...(await this.parameters()), firstMoments, secondMoments, ...plateauState };
  }

  async metrics(): Promise<MetricsRow[]> {
    return (await this.#table("metrics")).rows;
  }

  async gradients(): Promise<GradientRecord[]> {
    this.#requireFile("gradients");
    return (await this.#table("gradients")).records;
  }

  async target(): Promise<Image> {
    this.#requireFile("image of full size");
    const image = await this.image(runFiles.target);
    if ((await hashImage(image)) !== this.description.image.hash) {
      throw this.source.refusal(`${runFiles.target} is not the image that ${runFiles.description} describes.`);
    }
    return image;
  }

  /** The steps with a film frame; none in older runs. */
  get film(): readonly number[] {
    return this.description.film ?? [];
  }

  /** Returns the film frame of a step. */
  frame(step: number): Promise<Image> {
    return this.image(frameFile(step));
  }

  /** Returns one of the run's files unchanged, by name. */
  async file(name: string): Promise<Uint8Array> {
    return readOrRefuse(this.source, () => this.#read(name));
  }

  /** Returns one of the run's images, by file name. */
  async image(file: string): Promise<Image> {
    return readOrRefuse(this.source, async () => this.source.decode(await this.#read(file), file));
  }

  #requireFile(missing: string): void {
    if (!this.description.regions) return;
    throw this.source.refusal(`it was fitted in regions, which keep no ${missing}.`);
  }

  /** @throws Error of one sentence if the file has changed since it was written */
  async #read(name: string): Promise<Uint8Array> {
    const bytes = await this.source.read(name);
    const { files } = this.description;
    const hash = this.source.sha256 ?? (hasSha256() && sha256);
    // run.json cannot contain its own hash.
    if (name === runFiles.description || !files || !hash || (await hash(bytes)) === files[name]) return bytes;
    throw new Error(`${name} is not the file that ${runFiles.description} describes: its SHA-256 differs.`);
  }

  async #table<Kind extends Exclude<keyof Tables, "sweep">>(kind: Kind): Promise<Tables[Kind]> {
    return readOrRefuse(this.source, async () => {
      const name = runFiles[kind];
      const table = await this.source.readTable(kind, await this.#read(name));
      const content: { config: TrainConfig; step?: number } = table;
      const { config, step } = this.description;
      if (JSON.stringify(content.config) !== JSON.stringify(config)) {
        throw new Error(`${name} has another config than ${runFiles.description}.`);
      }
      if (content.step !== undefined && content.step !== step) {
        throw new Error(`${name} is of step ${content.step}, ${runFiles.description} of ${step}.`);
      }
      return table;
    });
  }
}

async function readOrRefuse<T>(source: RunSource, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw source.refusal(error instanceof Error ? error.message : String(error));
  }
}
