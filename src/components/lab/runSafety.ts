import type { RunStore, StoredRun } from "../../host/runStore.js";
import { writeRun } from "../../host/runWriter.js";
import type { Run } from "../training/run.js";
import type { Lab } from "./lab.js";
import { contentsOf, entryOf } from "./runContents.js";

/** Milliseconds between two storings, at the least; what takes long is stored more seldom. */
const interval = 10_000;
/** Storing takes at most about one part in this many of the time. */
const share = 20;

/**
 * Stores the latest state of the page's run from time to time, and when it pauses, ends or cannot be seen any more, so
 * that it can go on after a reload, or after the page broke down. Each page has a place of its own, and a run that goes
 * on has the place of the state that it goes on from. A lock on each says as long as the page lives that nobody else may
 * go on from there.
 */
export class RunSafety {
  /** The step of the state that is stored. */
  storedStep: number | undefined;
  /** Why nothing is stored, as a sentence. */
  trouble: string | undefined;
  readonly #id = crypto.randomUUID();
  readonly #lab: Lab;
  readonly #ended = new AbortController();
  readonly #end: Promise<void>;
  readonly #held = new Set<string>();
  #run: Run | undefined;
  #isBusy = false;
  #endedAt = performance.now();
  #cost = 0;
  readonly #listeners = new Set<() => void>();

  constructor(
    lab: Lab,
    readonly store: RunStore,
  ) {
    this.#lab = lab;
    const { signal } = this.#ended;
    this.#end = new Promise((release) => signal.addEventListener("abort", () => release()));
    void this.hold(this.#id);
    const look = () => void this.#look();
    const ignore = lab.observe(look);
    document.addEventListener("visibilitychange", look, { signal });
    signal.addEventListener("abort", ignore);
  }

  /** Calls the listener after each change of what is above. */
  observe(listener: () => void): void {
    this.#listeners.add(listener);
  }

  /**
   * Takes a place in the store away from other pages for as long as this one lives.
   * @throws Error of one sentence if another page has it
   */
  async hold(id: string): Promise<void> {
    if (this.#held.has(id)) return;
    const isFree = await new Promise<boolean>((resolve, reject) => {
      const taken = (lock: Lock | null) => {
        resolve(lock !== null);
        return lock ? this.#end : undefined;
      };
      navigator.locks.request(lockName(id), { ifAvailable: true }, taken).catch(reject);
    });
    if (!isFree) throw new Error("Another page goes on with this run.");
    this.#held.add(id);
  }

  /** Frees a place in the store. */
  async clear(id: string): Promise<void> {
    await this.hold(id);
    await this.store.delete(id);
  }

  /** What is stored is not needed any more, since the run is kept at this step. */
  async forget(step: number): Promise<void> {
    this.#run = this.#lab.run;
    this.storedStep = step;
    await this.store.delete(this.#placeOf(this.#run));
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

  #isDue(run: Run): boolean {
    const isOther = run !== this.#run;
    const known = isOther ? run.firstStep : this.storedStep;
    if (!run.state || run.state.step === known) return false;
    const rests = run.status === "paused" || run.status === "done" || document.hidden;
    return rests || performance.now() - this.#endedAt >= Math.max(interval, share * this.#cost);
  }

  async #storeState(run: Run): Promise<void> {
    const { state, look } = run;
    if (!state) return;
    // Whatever comes of it, this state is not tried again.
    this.#run = run;
    this.storedStep = state.step;
    // Raw and decoded parameters, and two moments of each.
    this.store.checkLatest(4 * state.parameters.byteLength);
    const contents = contentsOf(run, state, look?.state.step === state.step ? look : undefined);
    const written = await writeRun({ ...contents, metrics: thinned(contents.metrics) });
    const entry = entryOf(run, written, { id: this.#placeOf(run), kind: "latest", name: run.target.name });
    await this.store.put(entry, written.files);
  }

  #placeOf(run: Run | undefined): string {
    return run?.place ?? this.#id;
  }
}

/** Rows that go on as they are, at most: many take long to hand over. */
const mostRows = 2000;

/** Rows evenly apart, the last one among them. */
function thinned<T>(rows: T[]): T[] {
  const every = Math.ceil(rows.length / mostRows);
  return rows.filter((_, i) => (rows.length - 1 - i) % every === 0);
}

/**
 * The states that pages left behind which are gone, the latest first.
 * @param store none where it is a sentence
 */
export async function abandonedRuns(store: RunStore | string): Promise<StoredRun[]> {
  if (typeof store === "string") return [];
  const { held = [] } = await navigator.locks.query();
  const names = new Set(held.map(({ name }) => name));
  return store.abandoned((id) => names.has(lockName(id)));
}

function lockName(id: string): string {
  return `splatbook run ${id}`;
}
