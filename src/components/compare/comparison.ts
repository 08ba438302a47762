import type { MetricsRow } from "../../engine/files/arrow.js";
import type { Image } from "../../engine/image/image.js";
import { thinRows } from "../runs/curve.js";
import { uniqueName } from "../runs/uniqueName.js";
import { ChangeSignal } from "../training/follow.js";
import type { ComparedRun, RunData } from "./comparedRun.js";

/** The most runs that are compared at once: charts of more take long to draw. */
export const maxChosen = 100;

/** The most runs that are read at once: each has a worker of its own. */
const maxReads = 8;

/** The most points of a curve, and of all curves in a chart. */
const [maxCurvePoints, maxPoints] = [500, 20_000];

/** A run's final render and target. */
export interface RunImages {
  run: ComparedRun;
  render: Image;
  target?: Image;
}

/** A run's training curve. Its points have the run's name. */
interface RunCurve {
  run: ComparedRun;
  points: (MetricsRow & { run: string })[];
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
  async curves(runs: readonly ComparedRun[]): Promise<RunCurve[]> {
    const read = async (run: ComparedRun) => {
      const rows = await this.#read(run, "metrics");
      // A loss of 0 has no place on a logarithmic axis.
      const points = rows?.filter(({ loss }) => loss > 0) ?? [];
      const shown = thinRows(points, Math.min(maxCurvePoints, Math.floor(maxPoints / runs.length)));
      return { run, points: shown.map((row) => ({ ...row, run: run.name })) };
    };
    const curves: RunCurve[] = [];
    for (let i = 0; i < runs.length; i += maxReads)
      curves.push(...(await Promise.all(runs.slice(i, i + maxReads).map(read))));
    return curves;
  }

  /** Returns the images of the runs that have a render. */
  async images(runs: readonly ComparedRun[]): Promise<RunImages[]> {
    const read = async (run: ComparedRun) => {
      const [render, target] = await Promise.all([this.#read(run, "render"), this.#read(run, "target")]);
      return render ? [{ run, render, target }] : [];
    };
    return (await Promise.all(runs.map(read))).flat();
  }

  /** Returns data of a run; undefined if the run has none, or if it cannot be read, which is reported. */
  async #read<K extends keyof RunData>({ data }: ComparedRun, kind: K): Promise<RunData[K] | undefined> {
    try {
      return await data[kind]?.();
    } catch (error) {
      this.reportErrors((error as Error).message);
      return undefined;
    }
  }

  #uniqueName(name: string, except?: ComparedRun): string {
    return uniqueName(name, (candidate) => this.runs.some((run) => run !== except && run.name === candidate));
  }
}
