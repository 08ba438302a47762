import { type Image, toImage } from "../../engine/image/image.js";
import type { TrainingState } from "../../engine/model/blobs.js";
import { DeviceLostError, type Rendering, type Tiles } from "../../engine/pipeline.js";
import { SerialQueue } from "../../engine/serialQueue.js";
import { frameSize } from "../../engine/training/film.js";
import type { Trainer } from "../../engine/training/trainer.js";
import { runInWorker } from "../worker/runInWorker.js";
import { InspectionHistory } from "./inspectionHistory.js";
import { Pacing, pauseAfter } from "./pacing.js";

/** The full state of a run at one step. */
export interface Inspection {
  state: TrainingState;
  /** Gradient of the raw parameters at this state, 9·N, field-major. */
  gradients: Float32Array;
  tiles: Tiles;
  render: Rendering;
}

/** Renders take at most about 1/100 of the time, but there is one per second. */
const renderPause = (cost: number) => pauseAfter(cost, 200, 100);
/** Inspections and states each take at most 1/20 of the time. Only inspections compute gradients. */
const inspectionPause = (cost: number) => Math.max(1000, 20 * cost);

/** What is read back from a trainer, one readback at a time, and when. */
export class Readbacks {
  /** The latest render. */
  render: Rendering | undefined;
  /** The latest full state. */
  inspection: Inspection | undefined;
  /** Earlier full states, to go back to. */
  readonly history = new InspectionHistory<Inspection>();
  /** The error of a readback that nothing awaits. */
  error: unknown;
  /** Whether nothing more is read. */
  isOver = false;
  #isReading = false;
  /** The latest render that was compared with the target, and its PSNR once it is known. */
  #compared: { render?: Rendering; psnr?: number | undefined } = {};
  readonly #queue = new SerialQueue();
  readonly #renderPacing = new Pacing(renderPause);
  readonly #statePacing = new Pacing(inspectionPause);
  readonly #inspectionPacing = new Pacing(inspectionPause);

  /**
   * @param film receives small renders, by step
   * @param notify called after a readback that nothing awaits
   */
  constructor(
    readonly trainer: Trainer,
    readonly film: Map<number, Image>,
    readonly notify: () => void,
  ) {}

  /** The PSNR of the latest render in decibels, once it is measured. */
  get psnr(): number | undefined {
    return this.#compared.render === this.render ? this.#compared.psnr : undefined;
  }

  /** Reads back an inspection, a state or a render during training, if one is due and none is in progress. */
  readWhenDue(): void {
    if (this.#isReading) return;
    const read = this.#inspectionPacing.isDue
      ? this.inspect()
      : this.#statePacing.isDue
        ? this.#read(this.#statePacing, () => this.trainer.readState())
        : this.#renderPacing.isDue && this.#readRender();
    if (!read) return;
    this.#isReading = true;
    void read
      .catch((error) => {
        this.error = error;
      })
      .finally(() => {
        this.#isReading = false;
        this.notify();
      });
  }

  /** Reads back the full state at the current step. */
  inspect(): Promise<void> {
    return this.#read(this.#inspectionPacing, async () => {
      if (this.inspection?.state.step === this.trainer.step) return;
      this.inspection = await this.trainer.inspectAll();
      this.render = this.inspection.render;
      this.history.add(this.inspection);
      this.#statePacing.done(0);
    });
  }

  #readRender(): Promise<void> {
    return this.#read(this.#renderPacing, async () => {
      this.render = await this.trainer.render();
    });
  }

  /** Reads back the full state of a run that rests, and the PSNR of its render. If that fails, it stays unknown. */
  async inspectAtRest(): Promise<void> {
    await this.inspect();
    const { render } = this;
    if (!render || render === this.#compared.render) return;
    const psnr = await runInWorker("psnr", render, this.trainer.image).catch(() => undefined);
    this.#compared = { render, psnr };
  }

  /** Reads back the full state at a step of the film, and adds a small render to it. */
  async saveFrame(step: number): Promise<void> {
    if (!this.film.has(step))
      await this.#queue.run(async () => {
        const frame = await this.trainer.render(frameSize(this.trainer.image)).catch(ignoreDeviceLoss);
        if (frame) this.film.set(step, toImage(frame));
      });
    await this.inspect();
  }

  /** Waits for earlier readbacks, reads, and schedules the next one. */
  async #read(pacing: Pacing, read: () => Promise<unknown>): Promise<void> {
    await this.#queue.run(async () => {
      if (this.isOver) return;
      await read().catch(ignoreDeviceLoss);
      pacing.done(this.trainer.questionTime);
    });
  }
}

/** Ignores the loss of the device, which the trainer replaces. */
export function ignoreDeviceLoss(error: unknown): undefined {
  if (!(error instanceof DeviceLostError)) throw error;
  return undefined;
}
