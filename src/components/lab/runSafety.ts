import type { RunStore, StoredRun } from "../../host/runStore.js";
import { writeRun } from "../../host/runWriter.js";
import type { Lab } from "./lab.js";
import type { LabRun } from "./labRun.js";
import { contentsOf, entryOf } from "./runContents.js";

/** Milliseconds between two storings, at the least; what takes long is stored more seldom. */
const interval = 10_000;
/** Storing takes at most about one part in this many of the time. */
const share = 20;

/**
 * Stores the latest state of the page's run from time to time, and when it pauses, ends or cannot be seen any more, so
 * that it can go on after a reload, or after the page broke down. Each page has a place of its own, and a lock that
 * says as long as it lives that nobody else may go on from there.
 */
export class RunSafety {
  /** The step of the state that is stored. */
  storedStep: number | undefined;
  /** Why nothing is stored, as a sentence. */
  trouble: string | undefined;
  readonly #id = crypto.randomUUID();
  readonly #lab: Lab;
  readonly #store: RunStore;
  readonly #ended = new AbortController();
  #run: LabRun | undefined;
  #isBusy = false;
  #endedAt = performance.now();
  #cost = 0;
  readonly #listeners = new Set<() => void>();

  constructor(lab: Lab, store: RunStore) {
    this.#lab = lab;
    this.#store = store;
    const { signal } = this.#ended;
    const held = new Promise<void>((release) => signal.addEventListener("abort", () => release()));
    void navigator.locks.request(lockName(this.#id), () => held);
    const look = () => void this.#look();
    const ignore = lab.observe(look);
    document.addEventListener("visibilitychange", look, { signal });
    signal.addEventListener("abort", ignore);
  }

  /** Calls the listener after each change of what is above. */
  observe(listener: () => void): void {
    this.#listeners.add(listener);
  }

  /** The states that other pages left behind which are gone, the latest first. */
  async abandoned(): Promise<StoredRun[]> {
    const { held = [] } = await navigator.locks.query();
    const names = new Set(held.map(({ name }) => name));
    return this.#store.abandoned((id) => names.has(lockName(id)));
  }

  /** What is stored is not needed any more, since the run is kept at this step. */
  async forget(step: number): Promise<void> {
    this.#run = this.#lab.run;
    this.storedStep = step;
    await this.#store.delete(this.#id);
  }

  stop(): void {
    this.#ended.abort();
  }

  async #look(): Promise<void> {
    const { run } = this.#lab;
    if (!run || this.#isBusy || this.#ended.signal.aborted || !this.#isDue(run)) return;
    this.#isBusy = true;
    const start = performance.now();
    try {
      await this.#storeState(run);
      this.trouble = undefined;
    } catch (error) {
      this.trouble = (error as Error).message;
    }
    this.#endedAt = performance.now();
    this.#cost = this.#endedAt - start;
    this.#isBusy = false;
    for (const listener of this.#listeners) listener();
    // The run may have ended meanwhile.
    void this.#look();
  }

  #isDue(run: LabRun): boolean {
    const isOther = run !== this.#run;
    const known = isOther ? (run.before?.state.step ?? 0) : this.storedStep;
    if (!run.state || run.state.step === known) return false;
    const rests = run.status === "paused" || run.status === "done" || document.hidden;
    return rests || performance.now() - this.#endedAt >= Math.max(interval, share * this.#cost);
  }

  async #storeState(run: LabRun): Promise<void> {
    const { state, view } = run;
    if (!state) return;
    // Whatever comes of it, this state is not tried again.
    this.#run = run;
    this.storedStep = state.step;
    // Raw and decoded parameters, and two moments of each.
    this.#store.checkLatest(4 * state.parameters.byteLength);
    const contents = contentsOf(run, state, view?.state.step === state.step ? view : undefined);
    const written = await writeRun({ ...contents, metrics: thinned(contents.metrics) });
    const entry = entryOf(run, written, { id: this.#id, kind: "latest", name: run.target.name });
    await this.#store.put(entry, written.files, run.before?.replaces);
  }
}

/** Rows that go on as they are, at most: many take long to hand over. */
const mostRows = 2000;

/** Rows evenly apart, the last one among them. */
function thinned<T>(rows: T[]): T[] {
  const every = Math.ceil(rows.length / mostRows);
  return rows.filter((_, i) => (rows.length - 1 - i) % every === 0);
}

function lockName(id: string): string {
  return `splatbook run ${id}`;
}
