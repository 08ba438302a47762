import {
  formatVersion,
  GradientsWriter,
  type MetricsRow,
  metricsFile,
  optimizerPieces,
  parametersPieces,
} from "../engine/arrow.js";
import type { TrainingState } from "../engine/blobs.js";
import { type Picture, toImage } from "../engine/image.js";
import { lossOf, psnrOfLoss } from "../engine/metrics.js";
import { type FileResult, type RunDescription, writeRunDescription } from "../engine/runDescription.js";
import { type Draw, drawOn, encodeByError, measureFile } from "../engine/splat2d/roundTrip.js";
import { encodeWithin } from "../engine/splat2d/splat2d.js";
import type { Snapshot, Trainer } from "../engine/trainer.js";
import { encodePng } from "../host/imageFile.js";
import { describeHost } from "../host/node.js";
import type { Engine } from "./engine.js";
import type { Job } from "./job.js";
import { runFiles } from "./runFiles.js";
import { Staging } from "./staging.js";
import { versions } from "./versions.js";

/** What a run came to. */
interface Ended {
  state: TrainingState;
  gradients: Float32Array;
  picture: Picture;
  splat2d: Uint8Array;
  result: RunDescription["result"] & { file: FileResult };
  draw: Draw;
  /** Of training. */
  seconds: number;
  engine: Engine;
}

/** Records a run while it is under way, and keeps it as a folder in the end. */
export class Recorder {
  readonly #job: Job;
  readonly #rows: MetricsRow[];
  readonly #staging: Staging;
  readonly #gradients: GradientsWriter;
  #gradientsStep = 0;
  #stageTimes: Record<string, number> | undefined;
  #ended: Ended | undefined;

  private constructor(job: Job, attempt: number) {
    this.#job = job;
    this.#rows = [...(job.before?.metrics ?? [])];
    this.#staging = new Staging(job.out, attempt === 0 ? "" : `.${attempt}`);
    this.#gradients = new GradientsWriter(job.config);
  }

  /**
   * @param attempt the number of the run among those of one command, which may be under way together
   * @throws Failure if the folder cannot be written to
   */
  static async begin(job: Job, attempt = 0): Promise<Recorder> {
    const recorder = new Recorder(job, attempt);
    for (const { step, gradients } of job.before?.gradients ?? []) await recorder.#record(step, gradients);
    return recorder;
  }

  /** Takes what a snapshot asks to be recorded. */
  async take(snapshot: Snapshot): Promise<void> {
    const { step, seconds, loss, psnr, gradientNorms, shortLists, gradients, stageTimes } = snapshot;
    this.#stageTimes = stageTimes ?? this.#stageTimes;
    // After a lost device steps come again.
    if (snapshot.recorded && step > (this.#rows.at(-1)?.step ?? 0)) {
      this.#rows.push({ step, seconds, loss, psnr, gradientNorms, shortLists });
    }
    if (gradients) await this.#record(step, gradients);
  }

  /** Takes what the run came to. */
  async end(trainer: Trainer, engine: Engine): Promise<RunDescription["result"] & { file: FileResult }> {
    const { config, image } = this.#job;
    const { state, gradients } = await trainer.inspect();
    const picture = await trainer.render();
    const draw = drawOn(engine.backend, config, image);
    const splat2d = await encodeByError(config, state.parameters, picture, image, draw);
    const loss = lossOf(picture, image);
    const result = { loss, psnr: psnrOfLoss(loss), file: await measureFile(splat2d, image, draw) };
    this.#ended = { state, gradients, picture, splat2d, result, draw, seconds: trainer.seconds, engine };
    return result;
  }

  /** Rounds more coarsely, if that is needed to have at most so many bits a pixel, as far as that goes. */
  async shrinkFile(bitsPerPixel: number): Promise<FileResult> {
    const { config, image } = this.#job;
    const { state, result, draw } = this.#known();
    if (result.file.bitsPerPixel <= bitsPerPixel) return result.file;
    const bits = Math.floor(bitsPerPixel * image.width * image.height);
    const splat2d = encodeWithin(config, image, state.parameters, bits);
    const file = await measureFile(splat2d, image, draw);
    this.#ended = { ...this.#known(), splat2d, result: { ...result, file } };
    return file;
  }

  /** Writes the run's folder: all of it, or, with a Failure, nothing. */
  async keep(goal?: Pick<RunDescription, "goal" | "attempts">): Promise<RunDescription> {
    const { config, image, imageName, imageHash, recordEvery, recordGradientsEvery } = this.#job;
    const { state, gradients, picture, splat2d, result, seconds, engine } = this.#known();
    await this.#record(state.step + 1, gradients);
    const description: Omit<RunDescription, "version"> = {
      config,
      image: { name: imageName, width: image.width, height: image.height, hash: imageHash },
      step: state.step,
      recordEvery,
      ...(recordGradientsEvery !== undefined && { recordGradientsEvery }),
      host: describeHost(),
      adapter: engine.backend.description,
      ...(engine.fallback !== undefined && { fallback: engine.fallback }),
      versions: versions(),
      timings: {
        finishedAt: new Date().toISOString(),
        seconds,
        stepsPerSecond: state.step / Math.max(seconds, 1e-9),
        ...(this.#stageTimes && { stageTimes: this.#stageTimes }),
      },
      ...goal,
      result,
    };
    await this.#staging.write(runFiles.gradients, this.#gradients.end());
    await this.#staging.write(runFiles.metrics, metricsFile(config, this.#rows));
    for (const piece of parametersPieces(config, image, state)) await this.#staging.write(runFiles.parameters, piece);
    for (const piece of optimizerPieces(config, state)) await this.#staging.write(runFiles.optimizer, piece);
    await this.#staging.write(runFiles.render, await encodePng(toImage(picture)));
    await this.#staging.write(runFiles.target, await encodePng(image));
    await this.#staging.write(runFiles.splat2d, splat2d);
    // Last, since a folder with a description holds a run.
    await this.#staging.write(runFiles.description, writeRunDescription(description));
    await this.#staging.commit();
    return { version: formatVersion, ...description };
  }

  #known(): Ended {
    if (!this.#ended) throw new Error("A run is kept when it has ended.");
    return this.#ended;
  }

  /** Removes what was written so far and not kept. */
  discard(): Promise<void> {
    return this.#staging.discard();
  }

  async #record(step: number, gradients: Float32Array): Promise<void> {
    if (step <= this.#gradientsStep) return;
    this.#gradientsStep = step;
    await this.#staging.write(runFiles.gradients, this.#gradients.add({ step, gradients }));
  }
}
