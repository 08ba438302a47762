import { GradientsWriter, type MetricsRow, metricsFile, optimizerFile, parametersFile } from "../engine/arrow.js";
import { toImage } from "../engine/image.js";
import { lossOf, psnrOfLoss } from "../engine/metrics.js";
import { type RunDescription, writeRunDescription } from "../engine/runDescription.js";
import { measureFile, stateOf } from "../engine/splat2d/roundTrip.js";
import { encodeSplat2d } from "../engine/splat2d/splat2d.js";
import { type Snapshot, Trainer } from "../engine/trainer.js";
import { encodePng } from "../host/imageFile.js";
import { describeHost } from "../host/node.js";
import type { Engine } from "./engine.js";
import type { Job } from "./job.js";
import { runFiles } from "./runFiles.js";
import { Staging } from "./staging.js";
import { versions } from "./versions.js";

/** Records a run while it is under way, and keeps it as a folder in the end. */
export class Recorder {
  readonly #job: Job;
  readonly #rows: MetricsRow[];
  readonly #staging: Staging;
  readonly #gradients: GradientsWriter;
  #gradientsStep = 0;
  #stageTimes: Record<string, number> | undefined;

  private constructor(job: Job) {
    this.#job = job;
    this.#rows = [...(job.before?.metrics ?? [])];
    this.#staging = new Staging(job.out);
    this.#gradients = new GradientsWriter(job.config);
  }

  /** @throws Failure if the folder cannot be written to */
  static async begin(job: Job): Promise<Recorder> {
    const recorder = new Recorder(job);
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

  /** Writes the run's folder: all of it, or, with a Failure, nothing. */
  async keep(trainer: Trainer, engine: Engine): Promise<RunDescription> {
    const { config, image, imageName, imageHash, recordEvery, recordGradientsEvery } = this.#job;
    const { state, gradients } = await trainer.inspect();
    const picture = await trainer.render();
    const loss = lossOf(picture, image);
    await this.#record(state.step + 1, gradients);
    const splat2d = encodeSplat2d(config, image, state.parameters);
    const file = await measureFile(splat2d, image, (read) => {
      const readConfig = { ...read.config, pipeline: engine.pipeline };
      return new Trainer(readConfig, image, engine.backend, stateOf(read.parameters)).render();
    });
    const text = writeRunDescription({
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
        seconds: trainer.seconds,
        stepsPerSecond: state.step / Math.max(trainer.seconds, 1e-9),
        ...(this.#stageTimes && { stageTimes: this.#stageTimes }),
      },
      result: { loss, psnr: psnrOfLoss(loss), file },
    });
    await this.#staging.write(runFiles.gradients, this.#gradients.end());
    await this.#staging.write(runFiles.metrics, metricsFile(config, this.#rows));
    await this.#staging.write(runFiles.parameters, parametersFile(config, image, state));
    await this.#staging.write(runFiles.optimizer, optimizerFile(config, state));
    await this.#staging.write(runFiles.render, await encodePng(toImage(picture)));
    await this.#staging.write(runFiles.target, await encodePng(image));
    await this.#staging.write(runFiles.splat2d, splat2d);
    // Last, since a folder with a description holds a run.
    await this.#staging.write(runFiles.description, text);
    await this.#staging.commit();
    return JSON.parse(text);
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
