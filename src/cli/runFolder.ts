import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import {
  type GradientRecord,
  type MetricsRow,
  readGradients,
  readMetrics,
  readOptimizer,
  readParameters,
} from "../engine/arrow.js";
import { stateOf, type TrainingState } from "../engine/blobs.js";
import type { TrainConfig } from "../engine/config.js";
import { hashImage, type Image } from "../engine/image.js";
import { type RunDescription, readRunDescription } from "../engine/runDescription.js";
import { decodeImage } from "../host/imageFile.js";
import { Failure, isSystemError } from "./failure.js";
import { runFiles } from "./runFiles.js";

/** A run's folder, read piece by piece. Each method throws a Failure that says what is wrong with the run. */
export class RunFolder {
  private constructor(
    readonly folder: string,
    readonly description: RunDescription,
  ) {}

  static async open(folder: string): Promise<RunFolder> {
    const found = await stat(folder).catch(() => undefined);
    if (!found) throw new Failure(`There is no run ${folder}.`);
    if (!found.isDirectory()) throw new Failure(`${folder} is a file, not the folder of a run.`);
    const bytes = await readPart(folder, runFiles.description);
    return new RunFolder(folder, await understand(folder, () => readRunDescription(bytes.toString("utf8"))));
  }

  /** The raw parameters; without the optimiser, whose moments are zero. */
  async parameters(): Promise<TrainingState> {
    const { parameters } = await this.#arrow(runFiles.parameters, readParameters);
    return stateOf(parameters, this.description.step);
  }

  /** All that training goes on from. */
  async state(): Promise<TrainingState> {
    const { firstMoments, secondMoments } = await this.#arrow(runFiles.optimizer, readOptimizer);
    return { ...(await this.parameters()), firstMoments, secondMoments };
  }

  async metrics(): Promise<MetricsRow[]> {
    return (await this.#arrow(runFiles.metrics, readMetrics)).rows;
  }

  async gradients(): Promise<GradientRecord[]> {
    return (await this.#arrow(runFiles.gradients, readGradients)).records;
  }

  async target(): Promise<Image> {
    const path = join(this.folder, runFiles.target);
    await readPart(this.folder, runFiles.target);
    const image = await understand(this.folder, () => decodeImage(path));
    if ((await hashImage(image)) !== this.description.image.hash) {
      throw broken(this.folder, `${runFiles.target} is not the picture that ${runFiles.description} describes.`);
    }
    return image;
  }

  async #arrow<T extends { config: TrainConfig; step?: number }>(
    name: string,
    read: (bytes: Uint8Array) => T,
  ): Promise<T> {
    const bytes = await readPart(this.folder, name);
    const content = await understand(this.folder, () => read(bytes));
    if (JSON.stringify(content.config) !== JSON.stringify(this.description.config)) {
      throw broken(this.folder, `${name} has another config than ${runFiles.description}.`);
    }
    if (content.step !== undefined && content.step !== this.description.step) {
      throw broken(
        this.folder,
        `${name} is of step ${content.step}, ${runFiles.description} of ${this.description.step}.`,
      );
    }
    return content;
  }
}

async function readPart(folder: string, name: string): Promise<Buffer> {
  try {
    return await readFile(join(folder, name));
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw broken(folder, error.code === "ENOENT" ? `it has no ${name}.` : `${name} cannot be read (${error.code}).`);
  }
}

async function understand<T>(folder: string, read: () => T | Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw broken(folder, error instanceof Error ? error.message : String(error));
  }
}

function broken(folder: string, why: string): Failure {
  return new Failure(`The run ${folder} cannot be used: ${why}`);
}
