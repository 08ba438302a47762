import { decodedNames, parameterCount } from "../../engine/model/blobs.js";
import type { RunStore, StoredRun } from "../../host/browser/runStore.js";
import { writeRun } from "../../host/browser/runWriter.js";
import { thinRows } from "../runs/curve.js";
import { ChangeSignal, updateWhileShown } from "../training/follow.js";
import type { Run } from "../training/run.js";
import { contentsOf, entryOf } from "./runContents.js";

/** Milliseconds between two storings, at the least; what takes long is stored more seldom. */
const interval = 10_000;
/** Storing takes at most about one part in this many of the time. */
const costFactor = 20;

/**
 * Stores the latest state of the page's run from time to time, and when it pauses, ends or cannot be seen any more, so
 * that it can go on after a reload, or after the page broke down. Each page has a place of its own, and a run that goes
 * on has the place of the state that it goes on from. A lock on each says as long as the page lives that nobody else may
 * go on from there.
 */
export class Autosave {
  /** The step of the state that is stored. */
  storedStep: number | undefined;
  error: string | undefined;
  readonly change = new ChangeSignal();
  readonly #id = crypto.randomUUID();
  readonly #ended = new AbortController();
  readonly #end: Promise<void>;
  readonly #lockedIds = new Set<string>();
  #run: Run | undefined;
  /** The state that was tried last, whatever came of it. */
  #lastAttempt: { run?: Run; step?: number } = {};
  #isBusy = false;
  #endedAt = performance.now();
  #cost = 0;

  /**
   * @param invalidation Framework's promise that its cell has run its time
   * @param write makes the files of a run
   */
  constructor(
    readonly store: RunStore,
    invalidation: Promise<unknown>,
    readonly write = writeRun,
  ) {
    const { signal } = this.#ended;
    this.#end = new Promise((release) => signal.addEventListener("abort", () => release()));
    void this.lock(this.#id);
    document.addEventListener("visibilitychange", () => void this.#storeIfDue(), { signal });
    void invalidation.then(() => this.#ended.abort());
  }

  watch(run: Run): void {
    this.#run = run;
    void updateWhileShown(run, document, () => void this.#storeIfDue());
  }

  /**
   * Takes a place in the store away from other pages for as long as this one lives.
   * @throws Error of one sentence if another page has it
   */
  async lock(id: string): Promise<void> {
    if (this.#lockedIds.has(id)) return;
    const isFree = await new Promise<boolean>((resolve, reject) => {
      const granted = (lock: Lock | null) => {
        resolve(lock !== null);
        return lock ? this.#end : undefined;
      };
      navigator.locks.request(lockName(id), { ifAvailable: true }, granted).catch(reject);
    });
    if (!isFree) throw new Error("Another page has resumed this run.");
    this.#lockedIds.add(id);
  }

  async clear(id: string): Promise<void> {
    await this.lock(id);
    await this.store.delete(id);
  }

  /** What is stored is not needed any more, if this is the page's run, since it is kept at this step. */
  async discard(run: Run, step: number): Promise<void> {
    if (run !== this.#run || run.state?.step !== step) return;
    this.#lastAttempt = { run, step };
    this.storedStep = step;
    await this.store.delete(this.#storeIdOf(run));
  }

  async #storeIfDue(): Promise<void> {
    const run = this.#run;
    if (!run || this.#isBusy || this.#ended.signal.aborted || !this.#isDue(run)) return;
    this.#isBusy = true;
    const start = performance.now();
    try {
      await this.#storeState(run);
      this.error = undefined;
    } catch (error) {
      this.error = (error as Error).message;
    }
    this.#endedAt = performance.now();
    this.#cost = this.#endedAt - start;
    this.#isBusy = false;
    this.change.notify();
    // The run may have ended meanwhile.
    void this.#storeIfDue();
  }

  #isDue(run: Run): boolean {
    const knownStep = run === this.#lastAttempt.run ? this.#lastAttempt.step : run.firstStep;
    if (!run.state || run.state.step === knownStep) return false;
    const rests = run.status === "paused" || run.status === "done" || document.hidden;
    return rests || performance.now() - this.#endedAt >= Math.max(interval, costFactor * this.#cost);
  }

  async #storeState(run: Run): Promise<void> {
    const { state, inspection } = run;
    if (!state) return;
    this.#lastAttempt = { run, step: state.step };
    // Raw and decoded parameters, and two moments of each raw one.
    this.store.checkLatest((3 + decodedNames.length / parameterCount) * state.parameters.byteLength);
    const contents = contentsOf(run, state, inspection?.state.step === state.step ? inspection : undefined);
    const written = await this.write({ ...contents, metrics: thinRows(contents.metrics, maxRows) });
    const entry = entryOf(run, written, { id: this.#storeIdOf(run), kind: "latest", name: run.target.name });
    await this.store.put(entry, written.files);
    this.storedStep = state.step;
  }

  #storeIdOf(run: Run): string {
    return run.storeId ?? this.#id;
  }
}

/** Rows that go on as they are, at most: many take long to hand over. */
const maxRows = 2000;

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
