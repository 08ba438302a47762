import {
  gradientsWriter,
  type MetricsRow,
  metricsFile,
  optimizerPieces,
  parametersPieces,
} from "../engine/files/arrow.js";
import { formatVersion } from "../engine/files/formatVersion.js";
import { type FileResult, type RunDescription, writeRunDescription } from "../engine/files/runDescription.js";
import { frameFile, runFiles } from "../engine/files/runFiles.js";
import { drawWith } from "../engine/files/splat2d/drawFile.js";
import { encodeByError, measureFile } from "../engine/files/splat2d/roundTrip.js";
import { type FloatImage, toImage } from "../engine/image/image.js";
import { lossOf, psnrOfLoss } from "../engine/image/metrics.js";
import { mediansByName } from "../engine/medians.js";
import type { TrainingState } from "../engine/model/blobs.js";
import { DeviceLostError } from "../engine/pipeline.js";
import type { Alert } from "../engine/training/alerts.js";
import { filmSteps, frameSize } from "../engine/training/film.js";
import type { Snapshot } from "../engine/training/snapshot.js";
import type { Trainer } from "../engine/training/trainer.js";
import { describeEngine, type Engine } from "../host/node/engine.js";
import { encodePng } from "../host/node/imageFile.js";
import { toFailure } from "../terminal/failure.js";
import { showLine } from "../terminal/progress.js";
import { GradientSpool } from "./gradientSpool.js";
import type { Job } from "./job.js";
import { Staging } from "./staging.js";

/** The state of a run after a step. */
interface RunSnapshot {
  state: TrainingState;
  gradients: Float32Array;
  render: FloatImage;
  rows: readonly MetricsRow[];
  gradientRecords: number;
  film: ReadonlyMap<number, Uint8Array>;
  /** Seconds of training. */
  seconds: number;
  stageTimes: Record<string, number> | undefined;
}

/** A snapshot with its results. */
interface MeasuredRun extends RunSnapshot {
  splat2d: Uint8Array;
  result: RunDescription["result"] & { file: FileResult };
}

/** Largest fraction of the time that checkpoints may take. */
const checkpointFraction = 0.1;

/** Returns the row of a snapshot in metrics.arrow. */
export function rowOf({ step, seconds, loss, psnr, gradientNorms, tileLists }: MetricsRow): MetricsRow {
  return { step, seconds, loss, psnr, gradientNorms, tileLists };
}

/** Ignores the loss of a device. The trainer detects it, and repeats steps on another device. */
function ignoreLostDevice(error: unknown): undefined {
  if (!(error instanceof DeviceLostError)) throw error;
}

/** Records a run during training, and writes its folder: at checkpoints and at the end. */
export class Recorder {
  readonly #rows: MetricsRow[];
  readonly #gradients: GradientSpool;
  /** PNG files by step. They are encoded during training. */
  readonly #film = new Map<number, Promise<Uint8Array>>();
  readonly #stageTimes: Record<string, number>[] = [];
  /** In order; those of the run that it continues come first. */
  readonly #alerts: NonNullable<RunDescription["alerts"]>;
  /** The checkpoint that is being written, and the time of the next one in milliseconds. */
  #checkpoint: Promise<void> | undefined;
  #dueAt: number;
  #hasWarned = false;

  private constructor(
    readonly job: Job,
    readonly trainer: Trainer,
    readonly engine: Engine,
  ) {
    for (const [step, png] of job.resumedFrom?.film ?? []) this.#film.set(step, Promise.resolve(png));
    this.#rows = [...(job.resumedFrom?.metrics ?? [])];
    this.#alerts = [...(job.alerts ?? [])];
    this.#gradients = new GradientSpool(job.out);
    this.#dueAt = performance.now() + 1000 * job.checkpointEvery;
  }

  /** @throws Failure if the folder is not writable */
  static async start(job: Job, trainer: Trainer, engine: Engine): Promise<Recorder> {
    const recorder = new Recorder(job, trainer, engine);
    for (const record of job.resumedFrom?.gradients ?? []) await recorder.#gradients.add(record);
    return recorder;
  }

  /**
   * Records a snapshot: metrics, gradients, stage times and film frames.
   * @returns the row that was added to the metrics, if any
   */
  async record(snapshot: Snapshot): Promise<MetricsRow | undefined> {
    const { step, gradients, stageTimes } = snapshot;
    if (stageTimes) this.#stageTimes.push(stageTimes);
    // After a lost device, steps are repeated.
    const row = snapshot.recorded && step > (this.#rows.at(-1)?.step ?? 0) ? rowOf(snapshot) : undefined;
    if (row) this.#rows.push(row);
    if (gradients) await this.#gradients.add({ step, gradients });
    await this.film(step);
    return row;
  }

  /** Returns the PSNR of the current render; NaN if its device was lost, after which the trainer repeats the step. */
  async psnr(): Promise<number> {
    const render = await this.trainer.render().catch(ignoreLostDevice);
    return render ? psnrOfLoss(lossOf(render, this.job.image)) : Number.NaN;
  }

  /** Adds an alert to the description of the run. */
  alert(alert: Alert): void {
    this.#alerts.push(alert);
  }

  /** Adds the frame of a step to the film, if the film has a frame at this step. */
  async film(step: number): Promise<void> {
    if (!filmSteps.includes(step) || this.#film.has(step)) return;
    const render = await this.trainer.render(frameSize(this.job.image)).catch(ignoreLostDevice);
    if (!render) return;
    const png = encodePng(toImage(render));
    // The error is reported when the film is read.
    png.catch(() => {});
    this.#film.set(step, png);
  }

  /**
   * Writes a checkpoint if one is due and the trainer is idle. Training continues while the files are written. An error
   * is reported once, and training continues.
   */
  async checkpoint({ idle }: Snapshot): Promise<void> {
    if (this.#checkpoint || performance.now() < this.#dueAt) return;
    if (!idle) {
      this.trainer.requestIdle();
      return;
    }
    const runSnapshot = await this.#takeSnapshot().catch(ignoreLostDevice);
    if (!runSnapshot) return;
    const write = async () => {
      const start = performance.now();
      try {
        await this.save(await this.#measure(runSnapshot));
      } catch (error) {
        if (!this.#hasWarned) showLine(`${toFailure(error).message} Training continues without this checkpoint.`);
        this.#hasWarned = true;
      }
      const now = performance.now();
      this.#dueAt = now + Math.max(1000 * this.job.checkpointEvery, (now - start) / checkpointFraction);
      this.#checkpoint = undefined;
    };
    this.#checkpoint = write();
  }

  /** Measures the finished run. */
  async finish(): Promise<MeasuredRun> {
    await this.#checkpoint;
    const runSnapshot = await this.#takeSnapshot();
    const size = frameSize(this.job.image);
    const isFrameSize = size.width === runSnapshot.render.width && size.height === runSnapshot.render.height;
    const frame = isFrameSize ? runSnapshot.render : await this.trainer.render(size);
    const film = new Map(runSnapshot.film).set(runSnapshot.state.step, await encodePng(toImage(frame)));
    return this.#measure({ ...runSnapshot, film });
  }

  async discard(): Promise<void> {
    await this.#checkpoint;
    await this.#gradients.discard();
  }

  async #takeSnapshot(): Promise<RunSnapshot> {
    const { state, gradients } = await this.trainer.inspect();
    const frames = [...this.#film].filter(([step]) => step <= state.step);
    return {
      state,
      gradients,
      render: await this.trainer.render(),
      rows: [...this.#rows],
      gradientRecords: this.#gradients.countUntil(state.step),
      film: new Map(await Promise.all(Array.from(frames, async ([step, png]) => [step, await png] as const))),
      seconds: this.trainer.seconds,
      stageTimes: mediansByName(this.#stageTimes),
    };
  }

  get #draw() {
    return drawWith(this.engine.backend, this.job.config, this.job.image);
  }

  async #measure(runSnapshot: RunSnapshot): Promise<MeasuredRun> {
    const { config, image } = this.job;
    const { state, render } = runSnapshot;
    const splat2d = await encodeByError(config, state.parameters, render, image, this.#draw);
    const loss = lossOf(render, image);
    const file = await measureFile(splat2d, image, this.#draw);
    return { ...runSnapshot, splat2d, result: { loss, psnr: psnrOfLoss(loss), file } };
  }

  /**
   * Writes the folder of the run: all files, or none if it throws a Failure.
   * @param reached whether the run has reached its goal
   */
  async save(measured: MeasuredRun, reached = false): Promise<RunDescription> {
    const { config, image } = this.job;
    const { state, gradients, render, splat2d, rows, gradientRecords, film } = measured;
    const staging = new Staging(this.job.out);
    const writer = gradientsWriter(config, gradientRecords === 0 ? state.step + 1 : undefined);
    for await (const record of this.#gradients.read(gradientRecords, gradients.length)) {
      await staging.write(runFiles.gradients, writer.add(record));
    }
    await staging.write(runFiles.gradients, writer.add({ step: state.step + 1, gradients }));
    await staging.write(runFiles.gradients, writer.end());
    await staging.write(runFiles.metrics, metricsFile(config, [...rows]));
    for (const piece of parametersPieces(config, image, state)) await staging.write(runFiles.parameters, piece);
    for (const piece of optimizerPieces(config, state)) await staging.write(runFiles.optimizer, piece);
    await staging.write(runFiles.render, await encodePng(toImage(render)));
    await staging.write(runFiles.target, await encodePng(image));
    await staging.write(runFiles.splat2d, splat2d);
    for (const [step, png] of film) await staging.write(frameFile(step), png);
    const description = this.#describe(measured, reached, staging.hashes());
    await staging.write(runFiles.description, writeRunDescription(description));
    await staging.commit();
    return { version: formatVersion, ...description };
  }

  #describe(measured: MeasuredRun, reached: boolean, files: Record<string, string>): Omit<RunDescription, "version"> {
    const { config, image, imageName, imageHash, recordEvery, recordGradientsEvery, horizon, earlier, goal } = this.job;
    const { state, film, seconds, stageTimes, result } = measured;
    return {
      config,
      image: { name: imageName, width: image.width, height: image.height, hash: imageHash },
      step: state.step,
      ...(horizon !== undefined && { horizon }),
      ...(earlier && { earlier }),
      ...(state.plateau && { plateau: state.plateau }),
      recordEvery,
      ...(recordGradientsEvery !== undefined && { recordGradientsEvery }),
      film: [...film.keys()].sort((a, b) => a - b),
      ...describeEngine(this.engine),
      timings: {
        finishedAt: new Date().toISOString(),
        seconds,
        stepsPerSecond: state.step / Math.max(seconds, 1e-9),
        ...(stageTimes && { stageTimes }),
      },
      ...(goal && { goal: { ...goal, reached } }),
      ...(this.#alerts.length > 0 && { alerts: this.#alerts }),
      files,
      result,
    };
  }
}
