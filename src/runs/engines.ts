import type { PipelineName } from "../engine/config.js";
import { type Engine, openEngine } from "../host/node/engine.js";
import { showLine } from "../terminal/progress.js";

/** The engines of a command. Each is opened once, on first use. Fallbacks are reported on stderr. */
export class Engines implements Disposable {
  readonly #opened = new Map<string, Promise<Engine>>();

  /**
   * @param quiet whether a software adapter is not reported
   * @param comparesPipelines whether the CPU must not replace a GPU pipeline
   * @param threads of the CPU engine; one per core if absent
   */
  constructor(
    readonly quiet = false,
    readonly comparesPipelines = false,
    readonly threads?: number,
  ) {}

  engineFor(pipeline: PipelineName): Promise<Engine> {
    const kind = pipeline === "cpu" ? "cpu" : "gpu";
    const opening = this.#opened.get(kind) ?? this.#open(pipeline);
    this.#opened.set(kind, opening);
    return opening;
  }

  async #open(pipeline: PipelineName): Promise<Engine> {
    const engine = await openEngine(pipeline, this.threads);
    if (engine.fallback !== undefined && !this.comparesPipelines) {
      showLine(`${engine.fallback} Using the CPU instead.`);
    }
    if (engine.isSoftware && !this.quiet) {
      showLine(`${engine.backend.description} is a software adapter. --pipeline cpu is faster.`);
    }
    return engine;
  }

  /** Closes the engines. */
  [Symbol.dispose](): void {
    for (const opening of this.#opened.values()) {
      void opening.then((engine) => engine.close()).catch(() => {});
    }
  }
}
