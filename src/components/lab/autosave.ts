import { decodedNames, parameterCount, type TrainingState } from "../../engine/model/blobs.js";
import type { RunStore, StoredRun } from "../../host/browser/runStore.js";
import { writeRun } from "../../host/browser/runWriter.js";
import { type RunContents, type WrittenRun, writtenAtOnce } from "../../host/browser/writtenRun.js";
import { thinRows } from "../runs/curve.js";
import { ChangeSignal, updateWhileShown } from "../training/follow.js";
import { Pacing } from "../training/pacing.js";
import type { Run } from "../training/run.js";
import { contentsOf, entryOf } from "./runContents.js";

/** Two saves are at least two seconds apart, and saving takes at most about 1/20 of the time. */
const pause = (cost: number) => Math.max(2000, 20 * cost);
/**
 * Largest tables in bytes that are saved as the page is left. Chromium may not have read more of them before the page is
 * gone. In a private window, the state that was saved before is then lost too.
 */
const largestAtOnce = 1e6;

/**
 * Saves the latest state of the page's run every few seconds, and as soon as the run pauses or ends or its page is hidden.
 * A small state is also saved as the page is left. The run can then be resumed after a reload or a crash. Each page has its
 * own entry in the store; a resumed run keeps the entry that it was resumed from. A lock per entry stops other pages from
 * resuming it while this page is open.
 */
export class Autosave {
  /** The step of the saved state. */
  storedStep: number | undefined;
  error: string | undefined;
  readonly change = new ChangeSignal();
  readonly #id = crypto.randomUUID();
  readonly #end: Promise<unknown>;
  readonly #lockedIds = new Set<string>();
  #run: Run | undefined;
  /** The latest state that was saved, or could not be saved. */
  #lastAttempt: { run?: Run; step?: number } = {};
  /** The latest files, stored or about to be. */
  #written: { run: Run; written: WrittenRun } | undefined;
  readonly #pacing = new Pacing(pause);
  #isBusy = false;
  #isOver = false;

  /**
   * @param invalidation Framework's promise that resolves when the cell runs again
   * @param write writes the files of a run
   */
  constructor(
    readonly store: RunStore,
    invalidation: Promise<unknown>,
    readonly write = writeRun,
  ) {
    this.#end = invalidation;
    const leave = () => this.#storeAtOnce();
    // Browsers complete what begins at the first of these events more often, and the second has a later state.
    const leaving = new AbortController();
    for (const event of ["beforeunload", "pagehide"]) addEventListener(event, leave, { signal: leaving.signal });
    void invalidation.then(() => {
      this.#isOver = true;
      leaving.abort();
    });
    void this.lock(this.#id);
  }

  watch(run: Run): void {
    this.#run = run;
    // A run that ends soon is saved once, at its end.
    this.#pacing.done(0);
    void updateWhileShown(run, document, () => void this.#storeIfDue());
  }

  /**
   * Locks an entry of the store while this page is open.
   * @throws Error if another page has locked it
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

  /** Deletes the saved state of the page's run, because the reader has saved the run at the same step. */
  async discard(run: Run, step: number): Promise<void> {
    if (run !== this.#run || run.state?.step !== step) return;
    this.#lastAttempt = { run, step };
    this.storedStep = step;
    await this.store.delete(this.#storeIdOf(run));
  }

  async #storeIfDue(): Promise<void> {
    const run = this.#run;
    if (!run || this.#isBusy || this.#isOver || !this.#isDue(run)) return;
    this.#isBusy = true;
    const start = performance.now();
    try {
      await this.#storeState(run);
      this.error = undefined;
    } catch (error) {
      this.error = (error as Error).message;
    }
    this.#pacing.done(performance.now() - start);
    this.#isBusy = false;
    this.change.notify();
    // The run may have ended during the save.
    void this.#storeIfDue();
  }

  #isDue(run: Run): boolean {
    const knownStep = run === this.#lastAttempt.run ? this.#lastAttempt.step : (run.resumePoint?.state.step ?? 0);
    if (!run.state || run.state.step === knownStep) return false;
    return run.isIdle || document.hidden || this.#pacing.isDue;
  }

  async #storeState(run: Run): Promise<void> {
    const { state } = run;
    if (!state) return;
    this.#lastAttempt = { run, step: state.step };
    this.store.checkLatest(tableBytes(state));
    const written = await this.write(contentsToSave(run, state));
    // Before it is stored, since the page can be left during that.
    this.#written = { run, written };
    await this.store.put(this.#entryOf(run, written), written.files);
    this.storedStep = state.step;
  }

  /** Saves the latest state as the page is left, when workers no longer answer. */
  #storeAtOnce(): void {
    const run = this.#run;
    // A run that has not been saved yet is a few seconds old.
    if (!run?.state || run !== this.#written?.run || run.state.step === this.storedStep) return;
    if (tableBytes(run.state) > largestAtOnce) return;
    const written = writtenAtOnce(contentsToSave(run, run.state), this.#written.written);
    this.store.putAtOnce(this.#entryOf(run, written), written.files);
  }

  #entryOf(run: Run, written: WrittenRun) {
    return entryOf(run, written, { id: this.#storeIdOf(run), kind: "latest", name: run.target.name });
  }

  #storeIdOf(run: Run): string {
    return run.resumePoint?.storeId ?? this.#id;
  }
}

/** Returns the size of a state's tables: raw and decoded parameters, and two moments of each raw one. */
function tableBytes({ parameters }: TrainingState): number {
  return (3 + decodedNames.length / parameterCount) * parameters.byteLength;
}

/** Rows of metrics that are saved: copying more to the worker takes long. */
const maxRows = 2000;

function contentsToSave(run: Run, state: TrainingState): RunContents {
  const { inspection } = run;
  const contents = contentsOf(run, state, inspection?.state.step === state.step ? inspection : undefined);
  return { ...contents, metrics: thinRows(contents.metrics, maxRows) };
}

/**
 * Returns the saved states of pages that are closed, the latest first.
 * @param store the store, or the reason why there is none
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
