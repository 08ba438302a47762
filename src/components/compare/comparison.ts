import type { Image } from "../../engine/image/image.js";
import { type ParameterGroup, parameterGroups } from "../../engine/model/blobs.js";
import { thinRows } from "../runs/curve.js";
import type { Sample } from "../runs/samples.js";
import { uniqueName } from "../runs/uniqueName.js";
import { ChangeSignal } from "../training/follow.js";
import type { ComparedRun, FilmFrame, RunData } from "./comparedRun.js";

/** The most runs that are compared at once: charts of more take long to draw. */
export const maxChosen = 100;

/** The most points of all curves in a chart. */
const maxPoints = 20_000;

/** A run's final render, target and film. */
export interface RunImages {
  run: ComparedRun;
  /** The position among the compared runs, from 1. */
  position: number;
  render: Image;
  target?: Image;
  /** By ascending step. */
  film: FilmFrame[];
}

/** The runs in the page, and the selection to compare. */
export class Comparison extends ChangeSignal {
  /** All runs, in the order in which they were added. */
  readonly runs: ComparedRun[] = [];
  /** The compared runs. */
  readonly chosen: ComparedRun[] = [];
  /** Errors, one sentence each. */
  readonly errors: string[] = [];

  get isFull(): boolean {
    return this.chosen.length >= maxChosen;
  }

  /**
   * Adds runs, except those with a known id.
   * @param choose how many of them to compare, within the limit
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
    const newName = this.#uniqueName(name, run);
    if (newName === run.name) return;
    run.name = newName;
    this.notify();
  }

  /** Selects all runs, within the limit, or deselects all. */
  chooseAll(isChosen: boolean): void {
    this.chosen.splice(0);
    if (isChosen) this.chosen.push(...this.runs.slice(0, maxChosen));
    this.notify();
  }

  /** Selects a run if there is room, or deselects it. */
  toggle(run: ComparedRun): void {
    const index = this.chosen.indexOf(run);
    if (index >= 0) this.chosen.splice(index, 1);
    else if (!this.isFull) this.chosen.push(run);
    this.notify();
  }

  reportErrors(...sentences: string[]): void {
    this.errors.push(...sentences.filter((sentence) => !this.errors.includes(sentence)));
    this.notify();
  }

  dismissErrors(): void {
    this.errors.length = 0;
    this.notify();
  }

  /** Returns the training curves of runs; a run without metrics has no points. */
  async curves(runs: readonly ComparedRun[]) {
    const curves = await this.#read(runs, "curve");
    return runs.map((run, i) => {
      // A loss of 0 has no place on a logarithmic axis.
      const points = curves[i]?.points.filter(({ loss }) => loss > 0) ?? [];
      const shown = thinRows(points, Math.floor(maxPoints / runs.length));
      return { run, points: shown.map((row) => ({ ...row, run: run.name })) };
    });
  }

  /** Returns the images of the runs that have a render. */
  async images(runs: readonly ComparedRun[]): Promise<RunImages[]> {
    const kinds = ["render", "target", "film"] as const;
    const data = await Promise.all(kinds.map((kind) => this.#read(runs, kind)));
    const [renders, targets, films] = data as [Image[], Image[], FilmFrame[][]];
    return runs.flatMap((run, i) => {
      const render = renders[i];
      return render ? [{ run, position: i + 1, render, target: targets[i], film: films[i] ?? [] }] : [];
    });
  }

  /** Returns samples of runs by parameter group; empty for a run without them, so that the others keep their colours. */
  async samples(runs: readonly ComparedRun[], kind: "parameters" | "gradients"): Promise<Sample[]> {
    const emptyValues = Object.fromEntries(Object.keys(parameterGroups).map((group) => [group, new Float32Array()]));
    const samples = await this.#read(runs, kind);
    return samples.map(
      (sample, i) => sample ?? { name: runs[i].name, values: emptyValues as Record<ParameterGroup, Float32Array> },
    );
  }

  /** Returns data of each run; undefined if a run has none, or if it cannot be read, which is reported. */
  #read<K extends keyof RunData>(runs: readonly ComparedRun[], kind: K): Promise<(RunData[K] | undefined)[]> {
    const read = (run: ComparedRun) =>
      run.data(kind).catch((error: Error) => {
        this.reportErrors(error.message);
        return undefined;
      });
    return Promise.all(runs.map(read));
  }

  #uniqueName(name: string, except?: ComparedRun): string {
    return uniqueName(name, (candidate) => this.runs.some((run) => run !== except && run.name === candidate));
  }
}
