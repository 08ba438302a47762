import type { TrainConfig } from "../../../engine/config.js";
import { type AdamConstants, adamConstants } from "../../../engine/cpu/adam.js";
import { baseRates, scheduleAtStep } from "../../../engine/rates.js";
import type { BrowserEngine } from "../../../host/browser.js";
import type { Lab } from "../../lab/lab.js";
import { whileShown } from "../whileShown.js";
import { type Replay, replay } from "./replay.js";
import { isAdam, type Rule, rules } from "./rules.js";
import { syntheticInputs } from "./synthetic.js";
import { remarkable, sequenceOf, type TrainedRun, trainByRule } from "./training.js";

/** What the reader can change of the rules. */
export interface AdamSettings extends AdamConstants {
  /** Adam's η, in raw units a step. */
  rate: number;
  /** η of momentum and of gradient descent, in raw units for a gradient of 1. */
  plainRate: number;
}

/** Steps that are recorded, and that synthetic inputs have. */
const recordedSteps: Record<BrowserEngine["kind"], number> = { gpu: 300, software: 200, cpu: 200 };

/** Where SGD did well on the small job, among 0.3, 0.5, 1, 2, 3, 5 and 10. */
const plainRate = 1;

/** The gradients that the rules are fed with, and where they come from. */
export interface AdamInput {
  gradients: ArrayLike<number>;
  start: number;
  isRecorded: boolean;
}

/**
 * What the figures about Adam have in common: a recorded run of the lab's job, the parameter that is looked at, the
 * settings of the rules, and the step.
 */
export class AdamDesk {
  /** The run whose gradients are replayed, as far as it is recorded. */
  run: TrainedRun | undefined;
  /** What is going on, as a sentence. */
  words = "The recording begins when the figure is seen.";
  settings: AdamSettings;
  /** A kept blob of the run, and one of its raw parameters. */
  kept = 0;
  field = 0;
  /** "recorded", or the name of a synthetic input. */
  source = "recorded";
  /** Counted from 0. */
  step = 0;
  readonly #listeners = new Set<() => void>();
  readonly #stepListeners = new Set<() => void>();
  /** What shows it. */
  readonly #nodes = new Set<Node>();
  #controller = new AbortController();
  #recordedFor: unknown;

  constructor(
    readonly engine: BrowserEngine,
    readonly lab: Lab,
  ) {
    this.settings = { rate: this.config?.learningRate ?? 0.01, plainRate, ...adamConstants };
  }

  get config(): TrainConfig | undefined {
    return this.lab.run?.config;
  }

  /** Records the lab's job from its first step, unless that was done, or is under way. */
  record(): void {
    const { run } = this.lab;
    if (!run || this.#recordedFor === run.config) return;
    this.#recordedFor = run.config;
    this.#controller.abort();
    this.#controller = new AbortController();
    const { signal } = this.#controller;
    const { config, target } = run;
    this.settings = { ...this.settings, rate: config.learningRate };
    this.run = undefined;
    const steps = Math.min(recordedSteps[this.engine.kind], config.steps);
    const tell = (words: string) => {
      this.words = words;
      this.#notify();
    };
    tell("A run of this job is being recorded from its first step.");
    const order = { rule: config.biasCorrection, config, image: target.image, steps };
    const backend = this.engine.backend(config.pipeline);
    trainByRule(backend, order, signal, ({ losses }) => {
      if (signal.aborted) return;
      if (!this.#isShown()) return this.#giveUp();
      if (losses.length % 30 === 0) tell(`Step ${losses.length} of ${steps} is recorded.`);
    }).then(
      (done) => {
        if (signal.aborted) return;
        this.run = done;
        this.step = 0;
        const [first] = remarkable(done);
        if (first) Object.assign(this, { kept: first.kept, field: first.field });
        tell(`${done.losses.length} steps of ${config.blobs} blobs are recorded, as ${run.adapter} took them.`);
      },
      (error: Error) => {
        if (signal.aborted) return;
        tell(`The run could not be recorded: ${error.message}`);
      },
    );
  }

  /** What the rules are fed with now; undefined while nothing is recorded. */
  get input(): AdamInput | undefined {
    const synthetic = syntheticInputs.find(({ name }) => name === this.source);
    if (synthetic)
      return {
        gradients: synthetic.make(recordedSteps[this.engine.kind], this.settings),
        start: 0.5,
        isRecorded: false,
      };
    if (!this.run) return undefined;
    const gradients = sequenceOf(this.run, "gradients", this.kept, this.field);
    return {
      gradients,
      start: this.run.parameters[0][this.field * this.run.kept.length + this.kept],
      isRecorded: true,
    };
  }

  /** η of a rule at step t, for the parameter that is looked at or another one. */
  rateAt(rule: Rule, t: number, field = this.field): number {
    const rate = isAdam(rule) ? this.settings.rate : this.settings.plainRate;
    const config = this.run?.config ?? this.config;
    if (!config || this.source !== "recorded") return rate;
    const multiple = baseRates({ ...config, learningRate: 1 })[field];
    return rate * multiple * scheduleAtStep(config, t);
  }

  /** What each rule makes of the input. */
  replays({ gradients, start }: AdamInput): Record<Rule, Replay> {
    const made = rules.map((rule) => {
      const rateAt = (t: number) => this.rateAt(rule, t);
      return [rule, replay(gradients, start, { rule, rateAt, constants: this.settings })];
    });
    return Object.fromEntries(made) as Record<Rule, Replay>;
  }

  /** Changes what is shown or how the rules step. */
  set(change: Partial<Pick<AdamDesk, "settings" | "kept" | "field" | "source">>): void {
    Object.assign(this, change);
    this.#notify();
  }

  goTo(step: number): void {
    if (step === this.step) return;
    this.step = step;
    for (const listener of this.#stepListeners) listener();
  }

  /** Calls a listener when anything but the step has changed, until `node` has left the page. */
  observe(node: Node, listener: () => void): void {
    this.#nodes.add(node);
    listen(this.#listeners, node, listener);
  }

  /** Calls a listener when the step has changed, until `node` has left the page. */
  observeStep(node: Node, listener: () => void): void {
    listen(this.#stepListeners, node, listener);
  }

  readonly #notify = () => {
    for (const listener of this.#listeners) listener();
  };

  #isShown(): boolean {
    for (const node of this.#nodes) if (!node.isConnected) this.#nodes.delete(node);
    return this.#nodes.size > 0;
  }

  /** Records no further; the next figure that is seen begins anew. */
  #giveUp(): void {
    this.#controller.abort();
    this.#recordedFor = undefined;
  }
}

function listen(listeners: Set<() => void>, node: Node, listener: () => void): void {
  const call = whileShown(node, listener, () => listeners.delete(call));
  listeners.add(call);
}

const desks = new WeakMap<Lab, AdamDesk>();

/** The desk of a lab: one for all figures. */
export function deskOf(engine: BrowserEngine, lab: Lab): AdamDesk {
  const desk = desks.get(lab) ?? new AdamDesk(engine, lab);
  desks.set(lab, desk);
  return desk;
}
