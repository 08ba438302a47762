import type { PipelineName, TrainConfig } from "../../engine/config.js";
import { DivergedError } from "../../engine/divergence.js";
import type { AdapterTraits } from "../../engine/gpu/adapter.js";
import { EndlessLoopError } from "../../engine/gpu/boundLoops.js";
import { RunawayError, withCustomKernels } from "../../engine/gpu/customKernels.js";
import { checkGradients, type GradientCheck } from "../../engine/gradientCheck.js";
import type { Backend } from "../../engine/pipeline.js";
import type { ShaderMessage } from "../../engine/shaders.js";
import type { BrowserEngine } from "../../host/browser/engine.js";
import type { ChosenImage } from "../../host/browser/images.js";
import { ChangeSignal, follow, updateWhileShown } from "../training/follow.js";
import { type Run, train } from "../training/run.js";
import { calledEdits } from "./calledEdits.js";
import { type KernelEdits, libraryWith } from "./kernelEdits.js";
import { fingerprint, type KernelFiles } from "./savedKernels.js";

/** The job that the kernel page trains. */
export interface LiveJob {
  config: TrainConfig;
  image: ChosenImage;
}

/** The pipelines that the page offers, in its order. Edits of shared files act in `tiled`. */
export const pipelines: PipelineName[] = ["tiled", "binned", "simple"];

/** Milliseconds without typing before a text is compiled. */
const typingPause = 300;

/** Steps of a trial, and of a run before its gradients are checked. */
const trialSteps = 2;

/** Returns the iterations that a loop on trial may take: several times those of a loop over all blobs. */
const maxTrialIterations = ({ blobs }: TrainConfig) => Math.max(2048, 4 * blobs);

/**
 * - compiling: the edits are being compiled
 * - trying: they compile and are on trial, while the previous kernels train
 * - wrong: they do not compile; the previous kernels train
 * - held: they compile, but did not end, lost the device, or were on trial when an earlier page ended
 * - uncalled: they compile, but the chosen pipeline calls none of them; the shipped kernels train
 * - running: they train
 */
export type EditStatus = "compiling" | "trying" | "wrong" | "held" | "uncalled" | "running";

/**
 * Trains a page's job with the kernels that the reader edits. Compiles each edit, runs it on trial with bounded loops,
 * and trains with it if the trial succeeds; otherwise the last good kernels continue.
 */
export class LiveKernels {
  /** The current run. */
  run: Run | undefined;
  /** The latest run of the job with the shipped kernels. */
  shippedRun: Run | undefined;
  status: EditStatus = "compiling";
  messages: ShaderMessage[] = [];
  /** Why edits do not run, as sentences. */
  notice: string | undefined;
  /** The edits that the pipeline does not call, as sentences. */
  uncalled: string[] = [];
  /** Another pipeline, which calls all edits; undefined if the chosen one does, or none. */
  calledBy: PipelineName | undefined;
  /** The gradient check of the running kernels; undefined until it ends. */
  check: GradientCheck | undefined;
  checkProgress = 0;
  trialProgress = 0;
  checkError: string | undefined;
  /** The edits that the page trains with. */
  running: KernelFiles = {};
  /** The engine with the running kernels. */
  readonly #editedEngine: BrowserEngine;
  readonly change = new ChangeSignal();
  #job: LiveJob | undefined;
  #trainedJob: LiveJob | undefined;
  #attempt = 0;
  #trial: { files: KernelFiles; controller: AbortController } | undefined;
  /** The run that waits for the trial. */
  #pausedRun: Run | undefined;
  /** Trials that succeeded, by kernels and job. */
  readonly #passed = new Set<string>();
  /** Kernels with a loop that reached its bound on this page. */
  #unbounded: KernelFiles | undefined;
  #hasStartedCheck = false;
  /** Whether the loss of the run's device was handled. */
  #isLossHandled = false;
  #checking = new AbortController();

  /** @param switchPipeline trains the page's job with another pipeline */
  constructor(
    readonly engine: BrowserEngine,
    readonly edits: KernelEdits,
    readonly adapter: AdapterTraits,
    readonly switchPipeline: (pipeline: PipelineName) => void,
  ) {
    const backend = (pipeline: TrainConfig["pipeline"]) => this.#backend(pipeline);
    this.#editedEngine = Object.assign(Object.create(engine) as BrowserEngine, { backend });
    let { files } = edits;
    void updateWhileShown(edits.change, document, () => {
      if (files === edits.files || this.change.isOver) return;
      files = edits.files;
      this.#changed("compiling");
      void this.#compileAndTry({ pause: typingPause });
    });
  }

  train(config: TrainConfig, image: ChosenImage): void {
    this.#job = { config, image };
    this.#changed("compiling");
    void this.#compileAndTry();
  }

  /** Runs held edits: on trial, or without bounds if a loop reached its bound. */
  runAnyway(): void {
    if (this.status !== "held") return;
    this.#endTrial();
    const { files } = this.edits;
    const isKnown = this.#unbounded && fingerprint(this.#unbounded) === fingerprint(files);
    this.notice = undefined;
    if (isKnown) this.#use(files, "running");
    else void this.#compileAndTry({ isRequested: true });
  }

  stop(): void {
    this.#checking.abort();
    this.#trial?.controller.abort();
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

  #backend(pipeline: TrainConfig["pipeline"], files = this.running, maxIterations?: number): Backend {
    const backend = this.engine.backend(pipeline);
    if (!isEdited(files)) return backend;
    return withCustomKernels(backend, libraryWith(this.engine.shaders, files), { maxIterations });
  }

  /**
   * Compiles the current edits and runs them if they compile and are not suspect.
   * @param isRequested whether the reader chose to run suspect edits
   * @param pause milliseconds to wait for a later attempt, which replaces this one
   */
  async #compileAndTry({ isRequested = false, pause = 0 } = {}): Promise<void> {
    const attempt = ++this.#attempt;
    const isOutdated = () => attempt !== this.#attempt || this.change.isOver;
    if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause));
    if (!this.#job || isOutdated()) return;
    this.#endTrial();
    const { files, library, saved } = this.edits;
    const { config } = this.#job;
    let messages: ShaderMessage[];
    try {
      messages = (await this.engine.backend(config.pipeline).compile?.(config, library)) ?? [];
    } catch (error) {
      if (isOutdated()) return;
      this.notice = (error as Error).message;
      this.#changed("wrong");
      return;
    }
    if (isOutdated()) return;
    this.messages = messages;
    this.uncalled = [];
    this.calledBy = undefined;
    if (messages.some(({ type }) => type === "error")) return this.#keepRunning("wrong");
    const calledIn = (pipeline: PipelineName) =>
      calledEdits(this.engine.shaders, library, { ...config, pipeline }, this.adapter);
    const { areCalled, sentences } = calledIn(config.pipeline);
    this.uncalled = sentences;
    if (sentences.length > 0) this.calledBy = pipelines.find((name) => calledIn(name).sentences.length === 0);
    if (isEdited(files) && !areCalled) {
      this.notice = undefined;
      if (this.#hasJob && !isEdited(this.running)) this.#keepRunning("uncalled");
      else this.#use({}, "uncalled");
    } else if (isEdited(files) && saved.isSuspect(files) && !isRequested) {
      this.notice ??=
        "These kernels did not finish their trial run, or failed in it, so they do not run by themselves.";
      this.#keepRunning("held");
    } else {
      this.notice = undefined;
      this.#begin(files, "running");
    }
  }

  get #hasJob(): boolean {
    return this.run !== undefined && this.#trainedJob === this.#job;
  }

  /** Continues the current run; for a new job, starts one with the last good kernels. */
  #keepRunning(status: EditStatus): void {
    const { good } = this.edits.saved;
    if (!this.#hasJob) this.#begin(this.edits.saved.isSuspect(good) ? {} : good, status);
    // A trial has aborted the check of the running kernels.
    else if (!this.check && this.#hasStartedCheck && this.#checking.signal.aborted) void this.#checkRunning();
    this.#changed(status);
  }

  /** Trains with kernels: the shipped ones at once, others after a successful trial on this job. */
  #begin(files: KernelFiles, status: EditStatus): void {
    if (!isEdited(files) || this.#passed.has(this.#trialOf(files))) this.#use(files, status);
    else void this.#runTrial(files, status);
  }

  #trialOf(files: KernelFiles): string {
    return `${fingerprint(files)} ${JSON.stringify(this.#job!.config)}`;
  }

  #endTrial(): void {
    if (!this.#trial) return;
    this.#trial.controller.abort();
    this.#trial = undefined;
    this.#resumeAfterTrial();
    this.edits.saved.beginTrial(undefined);
  }

  /** On a software adapter, training beside a trial would delay it by a minute. */
  #pauseForTrial(): void {
    const { run } = this;
    if (!this.adapter.isSoftware || !run || run.isPauseRequested || run.isIdle) return;
    this.#pausedRun = run;
    void run.pause();
  }

  #resumeAfterTrial(): void {
    if (this.#pausedRun === this.run) this.run?.resume();
    this.#pausedRun = undefined;
  }

  /** Runs kernels on trial, with bounded loops; on a GPU, the previous kernels train meanwhile. */
  async #runTrial(files: KernelFiles, status: EditStatus): Promise<void> {
    const { config, image } = this.#job!;
    const { saved } = this.edits;
    const controller = new AbortController();
    const { signal } = controller;
    this.#trial = { files, controller };
    // Two checks at once would only slow each other down.
    this.#checking.abort();
    this.trialProgress = 0;
    // The renders before and after need a run of the shipped kernels.
    if (!this.#hasJob) this.#use({}, status);
    this.#pauseForTrial();
    saved.beginTrial(files);
    this.#changed(status === "running" ? "trying" : status);
    const progress = (fraction: number) => {
      if (signal.aborted) return;
      this.trialProgress = fraction;
      this.#changed();
    };
    try {
      const backend = this.#backend(config.pipeline, files, maxTrialIterations(config));
      const pipeline = await backend.open(config, image.image);
      try {
        await pipeline.advance(trialSteps, { signal });
        if (!signal.aborted) await pipeline.render(image.image);
      } finally {
        await pipeline.free();
      }
      const check = signal.aborted ? undefined : await checkGradients(backend, config, { signal, progress });
      if (signal.aborted || !check) return;
      this.#trial = undefined;
      this.#passed.add(this.#trialOf(files));
      saved.succeed(files);
      this.#use(files, status, check);
    } catch (error) {
      if (signal.aborted) return;
      this.#trial = undefined;
      if (error instanceof RunawayError) this.#fallBack(files, error);
      else this.#suspend(files, error as Error);
    } finally {
      if (!this.#trial) this.#resumeAfterTrial();
    }
  }

  /** Holds kernels that failed their trial without losing the device. */
  #suspend(files: KernelFiles, error: Error): void {
    const { saved } = this.edits;
    saved.fail(files);
    const isEndless = error instanceof EndlessLoopError;
    if (isEndless) this.#unbounded = files;
    const continuing = this.#hasJob ? this.running : saved.good;
    const previous = isEdited(continuing) ? "the last edits that ran well" : "the shipped kernels";
    const condition = isEndless
      ? "unless you choose Run anyway, which lifts the bound"
      : "unless you choose Run anyway";
    this.notice = `${error.message.replace(/\.?$/, ".")} Training continues with ${previous}; these kernels do not run ${condition}.`;
    this.#keepRunning("held");
  }

  /** @param check that of the kernels' trial */
  #use(files: KernelFiles, status: EditStatus, check?: GradientCheck): void {
    const { config, image } = this.#job!;
    const isKnown = !isEdited(files) || this.#passed.has(this.#trialOf(files));
    this.edits.saved.beginTrial(isKnown ? undefined : files);
    this.running = files;
    this.#hasStartedCheck = check !== undefined;
    this.#isLossHandled = false;
    this.#checking.abort();
    this.check = check;
    this.checkError = undefined;
    this.checkProgress = 0;
    try {
      // It ends by `stop`; until then, cells follow it.
      const run = train({ ...config, engine: this.#editedEngine, image }, new Promise(() => {}));
      this.run?.stop();
      this.run = run;
      if (!isEdited(files)) this.shippedRun = run;
      else if (this.#trainedJob !== this.#job) this.shippedRun = undefined;
      this.#trainedJob = this.#job;
      void updateWhileShown(run, document, () => this.#checkWhenDue());
    } catch (error) {
      this.notice = (error as Error).message;
    }
    this.#changed(status);
  }

  /** Checks the gradients once, after the first steps of the run or when it is paused; handles a lost device. */
  #checkWhenDue(): void {
    const { run } = this;
    if (!run || this.change.isOver) return;
    if (run.status === "failed" && run.error instanceof RunawayError) {
      if (this.#isLossHandled) return;
      // A trial is to blame rather than kernels that have run well.
      this.#fallBack(this.#trial?.files ?? this.running, run.error);
      return;
    }
    const hasStarted = run.render && !run.error && (run.step >= trialSteps || run.isIdle);
    if (this.#hasStartedCheck || !(hasStarted || run.error instanceof DivergedError)) return;
    this.#hasStartedCheck = true;
    if (!this.#trial) void this.#checkRunning();
  }

  async #checkRunning(): Promise<void> {
    const files = this.running;
    const controller = new AbortController();
    this.#checking = controller;
    const { signal } = controller;
    const { config } = this.#job!;
    const progress = (fraction: number) => {
      this.checkProgress = fraction;
      this.#changed();
    };
    try {
      const backend = this.#backend(config.pipeline, files);
      const check = await checkGradients(backend, config, { signal, progress });
      if (signal.aborted || !check) return;
      this.check = check;
      this.edits.saved.succeed(files);
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof RunawayError) this.#fallBack(files, error);
      else this.checkError = (error as Error).message;
    }
    this.#changed();
  }

  /** Restarts on a new device with the last good kernels. */
  #fallBack(files: KernelFiles, error: RunawayError): void {
    if (!isEdited(files)) return;
    const { saved } = this.edits;
    this.#endTrial();
    this.#isLossHandled = true;
    this.#passed.delete(this.#trialOf(files));
    saved.fail(files);
    const next = isEdited(saved.good) ? "the last edits that ran well" : "the shipped ones";
    const advice =
      this.engine.kind === "software"
        ? " A software adapter may stay blocked: if training does not restart, restart the browser."
        : "";
    this.notice = `${error.message.replace(/\.?$/, ".")} Training restarts with ${next}; these kernels do not run again unless you choose Run anyway.${advice}`;
    this.#begin(saved.good, "held");
  }

  #changed(status: EditStatus = this.status): void {
    this.status = status;
    this.change.notify();
  }
}

function isEdited(files: KernelFiles): boolean {
  return Object.keys(files).length > 0;
}
