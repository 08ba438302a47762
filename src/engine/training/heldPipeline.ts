import type { Pipeline } from "../pipeline.js";

/** A pipeline that is open as long as somebody holds it, from when it is first asked for. */
export class HeldPipeline {
  #pipeline: Pipeline | undefined;
  #opening: Promise<Pipeline> | undefined;
  #holds = 0;

  constructor(readonly open: () => Promise<Pipeline>) {}

  /** The one that is open. */
  get current(): Pipeline | undefined {
    return this.#pipeline;
  }

  /** @returns what lets go of it; who is the last to do so frees it */
  hold(): () => Promise<void> {
    this.#holds++;
    let isHeld = true;
    return async () => {
      if (!isHeld) return;
      isHeld = false;
      this.#holds--;
      await this.#opening?.catch(() => {});
      if (this.#holds === 0) await this.drop(this.#pipeline);
    };
  }

  /** The pipeline, opened if it is not. */
  get(): Promise<Pipeline> {
    this.#opening ??= this.open().then(
      (pipeline) => {
        this.#pipeline = pipeline;
        return pipeline;
      },
      (error) => {
        this.#opening = undefined;
        throw error;
      },
    );
    return this.#opening;
  }

  /** Frees a pipeline, so that another one comes in its place. */
  async drop(pipeline: Pipeline | undefined): Promise<void> {
    if (!pipeline || pipeline !== this.#pipeline) return;
    this.#pipeline = this.#opening = undefined;
    await pipeline.free();
  }
}
