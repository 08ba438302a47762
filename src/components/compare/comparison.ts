import type { ComparedRun } from "./comparedRun.js";

/** Runs that are compared at once, at most: as many as have a colour of their own. */
export const mostChosen = 6;

/** The runs on the page, which of them are compared, and which one is pointed out. */
export class Comparison {
  /** In the order in which they came. */
  readonly runs: ComparedRun[] = [];
  /** The runs that are compared; a run's place here gives it its colour and dash. */
  readonly chosen: ComparedRun[] = [];
  /** What went wrong, a sentence each. */
  readonly troubles: string[] = [];
  #pinned: ComparedRun | undefined;
  #pointed: ComparedRun | undefined;
  readonly #listeners = { runs: new Set<() => void>(), marked: new Set<() => void>() };

  /** The run that is pointed out everywhere: the one under the pointer or the keyboard, or else the one clicked last. */
  get marked(): ComparedRun | undefined {
    return this.#pointed ?? this.#pinned;
  }

  /** Whether no other run can be compared before one is left out. */
  get isFull(): boolean {
    return this.chosen.length >= mostChosen;
  }

  get pointed(): ComparedRun | undefined {
    return this.#pointed;
  }

  get pinned(): ComparedRun | undefined {
    return this.#pinned;
  }

  /**
   * Adds runs; those that have come already stay as they are.
   * @param choose how many of them are compared at once, as far as there are places
   */
  add(runs: readonly ComparedRun[], choose: number): void {
    const fresh = runs.filter(({ id }) => !this.runs.some((run) => run.id === id));
    for (const run of fresh) {
      run.name = this.#freeName(run.name);
      this.runs.push(run);
    }
    this.chosen.push(...fresh.slice(0, Math.max(0, Math.min(choose, mostChosen - this.chosen.length))));
    this.#tell("runs");
  }

  remove(id: string): void {
    for (const list of [this.runs, this.chosen]) {
      const at = list.findIndex((run) => run.id === id);
      if (at >= 0) list.splice(at, 1);
    }
    if (this.#pinned?.id === id) this.#pinned = undefined;
    if (this.#pointed?.id === id) this.#pointed = undefined;
    this.#tell("runs");
  }

  rename(id: string, name: string): void {
    const run = this.runs.find((candidate) => candidate.id === id);
    if (!run) return;
    const free = this.#freeName(name, run);
    if (free === run.name) return;
    run.name = free;
    this.#tell("runs");
  }

  /** Compares a run if there is a place for it, or leaves it out again. */
  toggle(run: ComparedRun): void {
    const at = this.chosen.indexOf(run);
    if (at >= 0) this.chosen.splice(at, 1);
    else if (!this.isFull) this.chosen.push(run);
    this.#tell("runs");
  }

  /** Points a run out as long as the pointer or the keyboard is on it. */
  point(run: ComparedRun | undefined): void {
    if (run === this.#pointed) return;
    this.#pointed = run;
    this.#tell("marked");
  }

  /** Points a run out for good, or, if it is already, no longer. */
  pin(run: ComparedRun): void {
    this.#pinned = this.#pinned === run ? undefined : run;
    this.#tell("marked");
  }

  /** Adds to the troubles what is not among them yet. */
  complain(...sentences: string[]): void {
    const fresh = sentences.filter((sentence) => !this.troubles.includes(sentence));
    if (fresh.length === 0) return;
    this.troubles.push(...fresh);
    this.#tell("runs");
  }

  forgetTroubles(): void {
    this.troubles.length = 0;
    this.#tell("runs");
  }

  /** Calls the listener after each change of the runs, of those chosen and of the troubles, or of the one marked. */
  observe(what: "runs" | "marked", listener: () => void): () => void {
    this.#listeners[what].add(listener);
    return () => this.#listeners[what].delete(listener);
  }

  #freeName(name: string, own?: ComparedRun): string {
    const isTaken = (candidate: string) => this.runs.some((run) => run !== own && run.name === candidate);
    let free = name;
    for (let i = 2; isTaken(free); i++) free = `${name} (${i})`;
    return free;
  }

  #tell(what: "runs" | "marked"): void {
    for (const listener of this.#listeners[what]) listener();
  }
}
