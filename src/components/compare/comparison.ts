import type { Image } from "../../engine/image/image.js";
import { type ParameterGroup, parameterGroups } from "../../engine/model/blobs.js";
import { runStyle } from "../runs/runStyle.js";
import type { Sample } from "../runs/samples.js";
import { ChangeSignal } from "../training/follow.js";
import type { ComparedRun, FilmFrame, RunData } from "./comparedRun.js";

/** Runs that are compared at once, at most: as many as have a colour of their own. */
export const maxChosen = 6;

/** A run's final picture, and what it should have been. */
export interface RunImages {
  run: ComparedRun;
  /** From 1. */
  position: number;
  render: Image;
  target?: Image;
  /** Of the film, by ascending step. */
  film: FilmFrame[];
}

/** The runs on the page, and which of them are compared. */
export class Comparison extends ChangeSignal {
  /** In the order in which they came. */
  readonly runs: ComparedRun[] = [];
  /** The runs that are compared; a run's place here gives it its colour and dash. */
  readonly chosen: ComparedRun[] = [];
  /** What went wrong, a sentence each. */
  readonly errors: string[] = [];

  /** Whether no other run can be compared before one is left out. */
  get isFull(): boolean {
    return this.chosen.length >= maxChosen;
  }

  /**
   * Adds runs; those that have come already stay as they are.
   * @param choose how many of them are compared at once, as far as there are places
   */
  add(runs: readonly ComparedRun[], choose: number): void {
    const newRuns = runs.filter(({ id }) => !this.runs.some((run) => run.id === id));
    for (const run of newRuns) {
      run.name = this.#uniqueName(run.name);
      this.runs.push(run);
    }
    this.chosen.push(...newRuns.slice(0, Math.max(0, Math.min(choose, maxChosen - this.chosen.length))));
    this.notify();
  }

  remove(id: string): void {
    for (const list of [this.runs, this.chosen]) {
      const index = list.findIndex((run) => run.id === id);
      if (index >= 0) list.splice(index, 1);
    }
    this.notify();
  }

  rename(id: string, name: string): void {
    const run = this.runs.find((candidate) => candidate.id === id);
    if (!run) return;
    const uniqueName = this.#uniqueName(name, run);
    if (uniqueName === run.name) return;
    run.name = uniqueName;
    this.notify();
  }

  /** Compares a run if there is a place for it, or leaves it out again. */
  toggle(run: ComparedRun): void {
    const index = this.chosen.indexOf(run);
    if (index >= 0) this.chosen.splice(index, 1);
    else if (!this.isFull) this.chosen.push(run);
    this.notify();
  }

  complain(...sentences: string[]): void {
    this.errors.push(...sentences.filter((sentence) => !this.errors.includes(sentence)));
    this.notify();
  }

  dismissErrors(): void {
    this.errors.length = 0;
    this.notify();
  }

  /** What was measured of runs, with the style of each; a run without it has no points. */
  async curves(runs: readonly ComparedRun[]) {
    const curves = await this.#parts(runs, "curve");
    return runs.map((run, i) => {
      // An error of nothing has no place on a logarithmic axis, nor its infinite decibels on any.
      const points = curves[i]?.points.filter(({ loss }) => loss > 0) ?? [];
      return { run, style: runStyle(i), points: points.map((row) => ({ ...row, run: run.name })) };
    });
  }

  async pictures(runs: readonly ComparedRun[]): Promise<RunImages[]> {
    const parts = (["render", "target", "film"] as const).map((part) => this.#parts(runs, part));
    const [renders, targets, films] = (await Promise.all(parts)) as [Image[], Image[], FilmFrame[][]];
    return runs.flatMap((run, i) => {
      const render = renders[i];
      return render ? [{ run, position: i + 1, render, target: targets[i], film: films[i] ?? [] }] : [];
    });
  }

  /** The numbers of runs by parameter group; a run without them keeps its place, and so the others their colours. */
  async samples(runs: readonly ComparedRun[], part: "parameters" | "gradients"): Promise<Sample[]> {
    const emptyValues = Object.fromEntries(Object.keys(parameterGroups).map((group) => [group, new Float32Array()]));
    const samples = await this.#parts(runs, part);
    return samples.map(
      (sample, i) => sample ?? { name: runs[i].name, values: emptyValues as Record<ParameterGroup, Float32Array> },
    );
  }

  /** A part of each run; undefined where a run has none, or where it cannot be read, which is told. */
  #parts<P extends keyof RunData>(runs: readonly ComparedRun[], part: P): Promise<(RunData[P] | undefined)[]> {
    const read = (run: ComparedRun) =>
      run.part(part).catch((error: Error) => {
        this.complain(error.message);
        return undefined;
      });
    return Promise.all(runs.map(read));
  }

  #uniqueName(name: string, except?: ComparedRun): string {
    const isTaken = (candidate: string) => this.runs.some((run) => run !== except && run.name === candidate);
    let uniqueName = name;
    for (let i = 2; isTaken(uniqueName); i++) uniqueName = `${name} (${i})`;
    return uniqueName;
  }
}
