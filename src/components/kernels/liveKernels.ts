import type { TrainConfig } from "../../engine/config.js";
import type { ShaderMessage } from "../../engine/gpu/shaders.js";
import { checkGradients, type GradientCheck } from "../../engine/gradientCheck.js";
import { RunawayError, withKernels } from "../../engine/ownKernels.js";
import type { Backend } from "../../engine/pipeline.js";
import type { BrowserEngine } from "../../host/browser.js";
import { Lab } from "../lab/lab.js";
import type { ChosenPicture } from "../pictures.js";
import { fingerprint, type KernelFiles } from "./keptKernels.js";
import { type KernelEdits, libraryWith } from "./kernelEdits.js";

/** Milliseconds without a key before a text is compiled. */
const typingPause = 300;

/** Steps after which kernels are trusted to end. */
const trialSteps = 2;

/**
 * - compiling: the compiler looks at the text
 * - wrong: it does not compile; what ran before goes on
 * - held: it compiles, and lost the device before, or was running when the page ended
 * - running: it is what the page trains with
 */
export type EditStatus = "compiling" | "wrong" | "held" | "running";

/**
 * Keeps a page's training at the kernels that the reader writes: compiles each text, trains with one that compiles, and
 * goes back to the last good one where the device is lost.
 */
export class LiveKernels {
  readonly lab: Lab;
  status: EditStatus = "compiling";
  messages: ShaderMessage[] = [];
  /** What happened to kernels that were not to be run, as a sentence. */
  told: string | undefined;
  /** The check of the kernels that run; undefined while it is on its way. */
  check: GradientCheck | undefined;
  checkShare = 0;
  /** Why there is no check, as a sentence. */
  checkError: string | undefined;
  /** The edits that the page trains with. */
  running: KernelFiles = {};
  #job: { config: TrainConfig; picture: ChosenPicture } | undefined;
  #attempt = 0;
  /** Whether the run's first steps are done. */
  #begun = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #checking = new AbortController();
  readonly #listeners = new Set<() => void>();
  #stopped = false;

  constructor(
    readonly engine: BrowserEngine,
    readonly edits: KernelEdits,
  ) {
    const backend = (pipeline: TrainConfig["pipeline"]) => this.#backend(pipeline);
    this.lab = new Lab(Object.assign(Object.create(engine) as BrowserEngine, { backend }));
    edits.observe(() => {
      this.#changed("compiling");
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => void this.#try(), typingPause);
    });
    this.lab.observe(() => this.#look());
  }

  /** Trains another job, with the kernels as they are. */
  train(config: TrainConfig, picture: ChosenPicture): void {
    this.#job = { config, picture };
    this.#changed("compiling");
    void this.#try();
  }

  /** Runs what is held, since the reader says so. */
  runHeld(): void {
    if (this.status === "held") this.#use(this.edits.files);
  }

  /** Ends training for good. */
  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
    this.#checking.abort();
    this.lab.stop();
  }

  observe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #backend(pipeline: TrainConfig["pipeline"]): Backend {
    const backend = this.engine.backend(pipeline);
    if (Object.keys(this.running).length === 0) return backend;
    return withKernels(backend, libraryWith(this.engine.shaders, this.running));
  }

  /** Compiles the text as it is now, and trains with it if it compiles and nothing speaks against it. */
  async #try(): Promise<void> {
    if (!this.#job || this.#stopped) return;
    const attempt = ++this.#attempt;
    const { files, library } = this.edits;
    const { config } = this.#job;
    let messages: ShaderMessage[];
    try {
      messages = (await this.engine.backend(config.pipeline).compile?.(config, library)) ?? [];
    } catch (error) {
      if (attempt !== this.#attempt) return;
      this.told = (error as Error).message;
      this.#changed("wrong");
      return;
    }
    if (attempt !== this.#attempt || this.#stopped) return;
    this.messages = messages;
    if (messages.some(({ type }) => type === "error")) {
      this.#changed("wrong");
      if (!this.lab.run) this.#use(this.edits.kept.good, "wrong");
    } else if (Object.keys(files).length > 0 && this.edits.kept.isSuspect(files)) {
      this.told ??=
        "These kernels were running when the page ended, or lost the device, so they do not run by themselves.";
      this.#changed("held");
      if (!this.lab.run) this.#use(this.edits.kept.isSuspect(this.edits.kept.good) ? {} : this.edits.kept.good, "held");
    } else {
      this.told = undefined;
      this.#use(files);
    }
  }

  #use(files: KernelFiles, status: EditStatus = "running"): void {
    const { config, picture } = this.#job!;
    const { kept } = this.edits;
    const isKnown = Object.keys(files).length === 0 || fingerprint(files) === fingerprint(kept.good);
    kept.begin(isKnown ? undefined : files);
    this.running = files;
    this.#begun = false;
    this.#checking.abort();
    this.check = undefined;
    this.checkError = undefined;
    this.checkShare = 0;
    try {
      this.lab.start(config, picture);
    } catch (error) {
      this.told = (error as Error).message;
    }
    this.#changed(status);
  }

  /** Follows the run: its first steps are the kernels' trial, and after them the gradients are checked. */
  #look(): void {
    const { run } = this.lab;
    if (!run || this.#stopped) return;
    if (run.status === "failed" && run.error instanceof RunawayError) {
      this.#fallBack(run.error);
      return;
    }
    if (this.#begun || run.step < trialSteps || !run.picture || run.status === "failed") return;
    this.#begun = true;
    const files = this.running;
    void this.#checkGradients().then((ended) => {
      if (ended && files === this.running) this.edits.kept.succeed(files);
    });
  }

  /** @returns whether it came to its end without losing the device */
  async #checkGradients(): Promise<boolean> {
    const controller = new AbortController();
    this.#checking = controller;
    const { signal } = controller;
    const { config } = this.#job!;
    const progress = (share: number) => {
      this.checkShare = share;
      this.#changed();
    };
    try {
      const check = await checkGradients(this.#backend(config.pipeline), config, { signal, progress });
      if (signal.aborted || !check) return false;
      this.check = check;
      this.#changed();
      return true;
    } catch (error) {
      if (signal.aborted) return false;
      if (error instanceof RunawayError) this.#fallBack(error);
      else this.checkError = (error as Error).message;
      this.#changed();
      return false;
    }
  }

  #fallBack(error: RunawayError): void {
    const { kept } = this.edits;
    if (Object.keys(this.running).length === 0) return;
    kept.fail(this.running);
    const next = Object.keys(kept.good).length > 0 ? "the last edits that ran well" : "the shipped ones";
    const advice =
      this.engine.kind === "software"
        ? " A CPU that plays a GPU may not get free of an endless loop: if training does not begin again, restart the browser."
        : "";
    this.told = `${error.message.replace(/\.?$/, ".")} Training begins again with ${next}; these are not run again unless you say so.${advice}`;
    this.#use(kept.good, "held");
  }

  #changed(status: EditStatus = this.status): void {
    this.status = status;
    for (const listener of this.#listeners) listener();
  }
}
