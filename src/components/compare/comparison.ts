import type { MetricsRow } from "../../engine/files/arrow.js";
import type { Image } from "../../engine/image/image.js";
import { thinRows } from "../runs/curve.js";
import { uniqueName } from "../runs/uniqueName.js";
import { ChangeSignal } from "../training/follow.js";
import type { ComparedRun, RunData } from "./comparedRun.js";

/** The most runs that are compared at once: as many as there are colours. */
export const maxChosen = 6;

/** The most points of a curve. */
const maxPoints = 500;

/** A run's final render and target. */
export interface RunImages {
  run: ComparedRun;
  render: Image;
  target: Image;
}

/** The runs in the page, and the selection to compare. */
export class Comparison extends ChangeSignal {
  /** All runs, in the order in which they were added. */
  readonly runs: ComparedRun[] = [];
  /** The compared runs. */
  readonly chosen: ComparedRun[] = [];
  /** Errors, one sentence each. */
  errors: readonly string[] = [];

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
    const newName = run && this.#uniqueName(name, run);
    if (!run || newName === run.name) return;
    run.name = newName!;
    this.notify();
  }

  /** Selects a run if there is room, or deselects it. */
  toggle(run: ComparedRun): void {
    const index = this.chosen.indexOf(run);
    if (index >= 0) this.chosen.splice(index, 1);
    else if (!this.isFull) this.chosen.push(run);
    this.notify();
  }

  showErrors(errors: readonly string[]): void {
    this.errors = [...new Set(errors)];
    this.notify();
  }

  /** Returns the training curves of runs. Their points have the run's name. */
  async curves(runs: readonly ComparedRun[]): Promise<(MetricsRow & { run: string })[][]> {
    const read = async (run: ComparedRun) => {
      // An infinite PSNR has no place in a chart.
      const rows = ((await this.#read(run, "metrics")) ?? []).filter(({ loss }) => loss > 0);
      return thinRows(rows, maxPoints).map((row) => ({ ...row, run: run.name }));
    };
    return Promise.all(runs.map(read));
  }

  /** Returns the images of the runs of which they can be read. */
  async images(runs: readonly ComparedRun[]): Promise<RunImages[]> {
    const read = async (run: ComparedRun) => {
      const [render, target] = await Promise.all([this.#read(run, "render"), this.#read(run, "target")]);
      return render && target ? [{ run, render, target }] : [];
    };
    return (await Promise.all(runs.map(read))).flat();
  }

  /** Returns data of a run; undefined if it cannot be read, which is reported. */
  async #read<K extends keyof RunData>({ data }: ComparedRun, kind: K): Promise<RunData[K] | undefined> {
    try {
      return await data[kind]();
    } catch (error) {
      this.showErrors([...this.errors, (error as Error).message]);
      return undefined;
    }
  }

  #uniqueName(name: string, except?: ComparedRun): string {
    return uniqueName(name, (candidate) => this.runs.some((run) => run !== except && run.name === candidate));
  }
}
