import type { TrainingState } from "../model/blobs.js";
import { DeviceLostError, maxRecoveries, type Pipeline } from "../pipeline.js";

/** The pipeline of a training job: opened when it is used, freed with its last user, and replaced if the device is lost. */
export class RecoverablePipeline {
  /** The open pipeline. */
  current: Pipeline | undefined;
  /** Training time up to the checkpoint, in seconds. */
  checkpointSeconds = 0;
  #opening: Promise<Pipeline> | undefined;
  /** Number of unreleased calls of `retain`. */
  #retained = 0;

  constructor(
    private readonly openFrom: (state?: TrainingState) => Promise<Pipeline>,
    /** The state with which the next pipeline begins, with finite numbers; undefined for the config's initial one. */
    public checkpoint: TrainingState | undefined,
  ) {}

  /** Steps done at the checkpoint. */
  get checkpointStep(): number {
    return this.checkpoint?.step ?? 0;
  }

  /** Returns the pipeline, and opens it if necessary. */
  open(): Promise<Pipeline> {
    const open = async () => {
      this.current = await this.openFrom(this.checkpoint);
      return this.current;
    };
    this.#opening ??= open().catch((error) => {
      this.#opening = undefined;
      throw error;
    });
    return this.#opening;
  }

  /** Keeps the pipeline open. @returns a function that releases it; the last release frees the pipeline */
  retain(): () => Promise<void> {
    this.#retained++;
    let isRetained = true;
    return async () => {
      if (!isRetained) return;
      isRetained = false;
      this.#retained--;
      await this.#opening?.catch(() => {});
      if (this.#retained === 0) await this.drop();
    };
  }

  /** Frees the pipeline, or one that may have been replaced already. The next use opens another. */
  async drop(pipeline = this.current): Promise<void> {
    if (!pipeline || pipeline !== this.current) return;
    this.current = this.#opening = undefined;
    await pipeline.free();
  }

  /**
   * Drops a pipeline after an error, if its device was lost.
   * @param pipeline undefined if it could not be opened
   * @param losses devices lost in a row
   * @throws the error, if it has another cause or too many devices were lost
   */
  async recover(error: unknown, pipeline: Pipeline | undefined, losses: number): Promise<void> {
    // Another user may have noticed the loss first, and replaced the pipeline.
    const isReplaced = pipeline !== undefined && pipeline !== this.current;
    if (!(error instanceof DeviceLostError || isReplaced) || losses > maxRecoveries) throw error;
    await this.drop(pipeline);
  }

  /**
   * Resolves with what the pipeline returns at the current step. A lost device is replaced.
   * @throws DeviceLostError if the current step was lost with the device
   */
  async ask<T>(read: (pipeline: Pipeline) => Promise<T>): Promise<T> {
    const release = this.retain();
    try {
      for (let losses = 1; ; losses++) {
        let pipeline: Pipeline | undefined;
        try {
          pipeline = await this.open();
          return await read(pipeline);
        } catch (error) {
          if (pipeline && pipeline.step !== this.checkpointStep) throw error;
          await this.recover(error, pipeline, losses);
        }
      }
    } finally {
      await release();
    }
  }
}
