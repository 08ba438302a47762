import type { TrainConfig } from "../../engine/config.js";
import { DivergedError } from "../../engine/divergence.js";
import type { AdapterTraits } from "../../engine/gpu/adapter.js";
import { RunawayError, withCustomKernels } from "../../engine/gpu/customKernels.js";
import { checkGradients, type GradientCheck } from "../../engine/gradientCheck.js";
import type { Backend } from "../../engine/pipeline.js";
import type { ShaderMessage } from "../../engine/shaders.js";
import type { BrowserEngine } from "../../host/browser/engine.js";
import type { ChosenImage } from "../../host/browser/images.js";
import { ChangeSignal, follow, updateWhileShown } from "../training/follow.js";
import { train } from "../training/job.js";
import type { Run } from "../training/run.js";
import { fingerprint, type KernelEdits, type KernelFiles, libraryWith } from "./kernelEdits.js";
import { uncalledEdits } from "./uncalledEdits.js";

/** The job that the kernel page trains. */
interface LiveJob {
  config: TrainConfig;
  image: ChosenImage;
}

/** Milliseconds without typing before a text is compiled. */
const typingPause = 300;

/** Steps of a trial, and of a run before its gradients are checked. */
const trialSteps = 2;

/** Returns the iterations that a loop on trial may take: several times those of a loop over all blobs. */
const maxTrialIterations = ({ blobs }: TrainConfig) => Math.max(2048, 4 * blobs);

/**
 * - compiling: the edits are being compiled
 * - trying: they compile and are on trial
 * - wrong: they do not compile; the previous kernels train
 * - held: they compile, but failed their trial, lost the device, or were on trial when an earlier page ended
 * - running: they train
 */
export type EditStatus = "compiling" | "trying" | "wrong" | "held" | "running";

/**
 * Trains a page's job with the kernels that the reader edits. Compiles each edit, runs it on trial with bounded loops,
 * and trains with it if the trial succeeds; otherwise the previous kernels continue.
 */
export class LiveKernels {
  /** The current run. */
  run: Run | undefined;
  status: EditStatus = "compiling";
  messages: ShaderMessage[] = [];
  /** Why edits do not run, as sentences. */
  notice = "";
  /** The edits that the pipeline does not call, as sentences. */
  uncalled: string[] = [];
  /** The gradient check of the running kernels; undefined until it ends. */
  check: GradientCheck | undefined;
  /** The part of the gradient check that is done, from 0 to 1. */
  progress = 0;
  /** Why there is no gradient check, as a sentence. */
  checkError = "";
  /** The edits that the page trains with. */
  running: KernelFiles = {};
  readonly change = new ChangeSignal();
  #job: LiveJob | undefined;
  #trainedJob: LiveJob | undefined;
  /** Ends the attempt in progress: its trial and its gradient check. */
  #attempt = new AbortController();
  /** Fingerprints of edits whose trial succeeded. */
  readonly #passed = new Set<string>();

  constructor(
    readonly engine: BrowserEngine,
    readonly edits: KernelEdits,
    readonly adapter: AdapterTraits,
  ) {
    let { files } = edits;
    void updateWhileShown(edits.change, document, () => {
      if (files === edits.files || this.change.isOver) return;
      files = edits.files;
      void this.#try({ pause: typingPause });
    });
  }

  train(config: TrainConfig, image: ChosenImage): void {
    this.#job = { config, image };
    void this.#try();
  }

  /** Runs held edits on trial again. */
  runAnyway(): void {
    this.edits.trust();
    void this.#try();
  }

  stop(): void {
    this.#attempt.abort();
    this.run?.stop();
    this.change.end();
  }

  runs(): AsyncGenerator<Run> {
    return follow(this.change, () => this.run);
  }

  /** Calls now, and after each change of the status or of the current run, until the node has left the page. */
  updateWhileShown(node: Node, show: () => void): void {
    let followed: Run | undefined;
    void updateWhileShown(this.change, node, () => {
      show();
      if (!this.run || this.run === followed) return;
      followed = this.run;
      void updateWhileShown(followed, node, show);
    });
  }

  /**
   * Compiles the current edits, tries them and trains with them.
   * @param pause milliseconds to wait for a later attempt, which replaces this one
   */
  async #try({ pause = 0 } = {}): Promise<void> {
    if (this.status === "trying") this.edits.trust();
    const signal = this.#nextAttempt();
    this.#show("compiling");
    if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause));
    if (!this.#job || signal.aborted) return;
    const { config } = this.#job;
    const { files, library, shipped } = this.edits;
    const name = fingerprint(files);
    try {
      const messages = (await this.engine.backend(config.pipeline).compile?.(config, library)) ?? [];
      if (signal.aborted) return;
      Object.assign(this, { messages, uncalled: [], notice: "" });
      if (messages.some(({ type }) => type === "error")) return this.#keepRunning("wrong");
      this.uncalled = uncalledEdits(shipped, library, config, this.adapter);
      if (this.edits.isSuspect(files)) {
        this.notice =
          "These kernels did not finish their trial run, or failed in it, so they do not run by themselves.";
        return this.#keepRunning("held");
      }
      const check = isEdited(files) && !this.#passed.has(name) ? await this.#runTrial(files, signal) : undefined;
      if (signal.aborted) return;
      this.#passed.add(name);
      this.edits.trust();
      this.#use(files, check);
      this.#show("running");
    } catch (error) {
      if (signal.aborted) return;
      if (this.status === "trying") this.#hold(files, error as Error);
      else {
        this.notice = (error as Error).message;
        this.#show("wrong");
      }
    }
  }

  /** Ends the attempt in progress. */
  #nextAttempt(): AbortSignal {
    this.#attempt.abort();
    this.#attempt = new AbortController();
    return this.#attempt.signal;
  }

  /** Runs kernels on trial, with bounded loops. The previous kernels train meanwhile. */
  async #runTrial(files: KernelFiles, signal: AbortSignal): Promise<GradientCheck | undefined> {
    this.#keepRunning("trying");
    this.edits.suspect(files);
    const { config, image } = this.#job!;
    const { run } = this;
    // On a software adapter, training beside a trial would delay it by a minute.
    const isPaused = this.adapter.isSoftware && run && !run.isPauseRequested && !run.isIdle;
    if (isPaused) void run.pause();
    try {
      const backend = this.#backend(config, files, maxTrialIterations(config));
      const pipeline = await backend.open(config, image.image);
      try {
        await pipeline.advance(trialSteps, { signal });
        if (!signal.aborted) await pipeline.render(image.image);
      } finally {
        await pipeline.free();
      }
      return signal.aborted ? undefined : await this.#checkGradients(backend, config, signal);
    } finally {
      if (isPaused && run === this.run) run.resume();
    }
  }

  #backend({ pipeline }: TrainConfig, files: KernelFiles, maxIterations?: number): Backend {
    const backend = this.engine.backend(pipeline);
    if (!isEdited(files)) return backend;
    return withCustomKernels(backend, libraryWith(this.engine.shaders, files), maxIterations);
  }

  /** Continues with the previous kernels, also in a new job. */
  #keepRunning(status: EditStatus): void {
    if (this.#trainedJob !== this.#job) this.#use(this.running);
    // This attempt has ended the check of the running kernels.
    else if (!this.check && status !== "trying") void this.#checkRunning();
    this.#show(status);
  }

  /** Holds kernels that failed. If they lost the device, the shipped kernels train. */
  #hold(files: KernelFiles, error: Error): void {
    this.#nextAttempt();
    this.#passed.delete(fingerprint(files));
    this.edits.suspect(files);
    let advice = "";
    if (error instanceof RunawayError) {
      this.running = {};
      this.#trainedJob = undefined;
      if (this.adapter.isSoftware)
        advice = " A software adapter may stay blocked: if training does not restart, restart the browser.";
    }
    const next = isEdited(this.running) ? "the last edits that ran well" : "the shipped kernels";
    const sentence = error.message.replace(/\.?$/, ".");
    this.notice = `${sentence} Training continues with ${next}; these kernels do not run again unless you choose Run anyway.${advice}`;
    this.#keepRunning("held");
  }

  /**
   * Starts a run of the job.
   * @param check that of the kernels' trial
   */
  #use(files: KernelFiles, check?: GradientCheck): void {
    const { config, image } = this.#job!;
    Object.assign(this, { running: files, check, checkError: "" });
    const backend = () => this.#backend(config, files);
    const engine = Object.assign(Object.create(this.engine) as BrowserEngine, { backend });
    // It ends by `stop`; until then, cells follow it.
    const run = train({ ...config, engine, image }, new Promise(() => {}));
    this.run?.stop();
    this.run = run;
    this.#trainedJob = this.#job;
    void updateWhileShown(run, document, () => {
      // While other kernels are on trial, these are to blame.
      if (run === this.run && run.error instanceof RunawayError && this.status !== "trying")
        this.#hold(files, run.error);
    });
    if (!check) void this.#checkRunning();
  }

  /** Checks the gradients of the running kernels, after their first steps. */
  async #checkRunning(): Promise<void> {
    const { signal } = this.#attempt;
    const run = this.run!;
    const { config } = this.#job!;
    const hasStarted = () => run.render && !run.error && (run.step >= trialSteps || run.isIdle);
    while (!signal.aborted && !hasStarted() && !(run.error instanceof DivergedError)) await run.changed;
    if (signal.aborted || this.status === "trying") return;
    try {
      const check = await this.#checkGradients(this.#backend(config, this.running), config, signal);
      if (!signal.aborted) this.check = check;
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof RunawayError) return this.#hold(this.running, error);
      this.checkError = (error as Error).message;
    }
    this.#show();
  }

  async #checkGradients(backend: Backend, config: TrainConfig, signal: AbortSignal) {
    const progress = (fraction: number) => {
      if (signal.aborted) return;
      this.progress = fraction;
      this.#show();
    };
    progress(0);
    return checkGradients(backend, config, { signal, progress });
  }

  #show(status: EditStatus = this.status): void {
    this.status = status;
    this.change.notify();
  }
}

function isEdited(files: KernelFiles): boolean {
  return Object.keys(files).length > 0;
}
