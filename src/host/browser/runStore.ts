import { type DBSchema, type IDBPDatabase, type IDBPTransaction, openDB } from "idb";
import type { RunDescription } from "../../engine/files/runDescription.js";
import { withPresentNames } from "../../engine/oldNames.js";

/** The entry of a stored run. */
export interface StoredRun {
  id: string;
  /** "kept": saved by the reader. "latest": the last state of an unsaved run, which a page stores regularly. */
  kind: "kept" | "latest";
  name: string;
  /** When it was stored, as ISO 8601. */
  storedAt: string;
  bytes: number;
  description: RunDescription;
  /** Planned last step. */
  until: number;
  thumbnail?: Blob;
  /** Name of its image in the gallery, if it is from there, and the image's size before it was reduced. */
  inGallery?: string;
  original?: { width: number; height: number };
}

export type RunBlobs = Record<string, Blob>;

/** Largest size in bytes of all saved runs, and of one unsaved run. */
const storeLimits = { kept: 256e6, latest: 64e6 };

interface Schema extends DBSchema {
  runs: { key: string; value: StoredRun };
  files: { key: [id: string, file: string]; value: Blob };
}

type Writing = IDBPTransaction<Schema, ("runs" | "files")[], "readwrite">;

const filesOf = (id: string) => IDBKeyRange.bound([id], [id, []]);

/**
 * Runs in the browser's storage. Each is written in one transaction: either all of it is stored, or nothing changes.
 */
export class RunStore {
  private constructor(
    readonly db: IDBPDatabase<Schema>,
    readonly limits: typeof storeLimits,
  ) {}

  /**
   * Opens the store.
   * @throws Error of one sentence if the browser does not allow the page to store data
   */
  static async open(limits = storeLimits): Promise<RunStore> {
    if (!isSecureContext) {
      throw new Error("Runs can be saved only on pages that are served over https or from this machine.");
    }
    try {
      const db = await openDB<Schema>("splatbook", 1, {
        upgrade(db) {
          db.createObjectStore("runs", { keyPath: "id" });
          db.createObjectStore("files");
        },
        // A page with a newer version of the store must not wait for this one.
        blocking: (_current, _blocked, event) => (event.target as IDBDatabase).close(),
      });
      return new RunStore(db, limits);
    } catch (error) {
      throw new Error(`This browser does not let the page save runs (${(error as Error).name}).`);
    }
  }

  /** Returns the saved runs, latest first. */
  async kept(): Promise<StoredRun[]> {
    return newestFirst((await this.#all()).filter(({ kind }) => kind === "kept"));
  }

  /** Returns the total size of the saved runs in bytes. */
  async bytes(): Promise<number> {
    return sum(await this.kept());
  }

  /** Returns a run, or undefined if there is none with this id. */
  async get(id: string): Promise<StoredRun | undefined> {
    const run = await this.db.get("runs", id);
    return run && present(run);
  }

  async #all(): Promise<StoredRun[]> {
    return (await this.db.getAll("runs")).map(present);
  }

  /** Returns a file of a run, or undefined if the run has no file of this name. */
  file(id: string, name: string): Promise<Blob | undefined> {
    return this.db.get("files", [id, name]);
  }

  /** Returns the names of a run's files. */
  async fileNames(id: string): Promise<string[]> {
    return (await this.db.getAllKeys("files", filesOf(id))).map(([, name]) => name);
  }

  /**
   * Stores a run, and replaces the one with the same id.
   * @throws Error of one sentence if there is not enough space; nothing changes then
   */
  async put(run: Omit<StoredRun, "bytes">, files: RunBlobs): Promise<StoredRun> {
    const stored = withSize(run, files);
    const tx = this.db.transaction(["runs", "files"], "readwrite", { durability: "strict" });
    // Errors are thrown below.
    tx.done.catch(() => {});
    let others: StoredRun[] = [];
    try {
      others = (await tx.objectStore("runs").getAll()).filter(({ id }) => id !== run.id);
      this.#checkCapacity(stored, others);
      await Promise.all(replaceIn(tx, stored, files));
      await tx.done;
    } catch (error) {
      abort(tx);
      throw explain(error as Error, others);
    }
    return stored;
  }

  /**
   * Stores an unsaved run as `put` does, for a page that is being left: it asks for everything at once, and the browser
   * goes on without the page. Nothing changes if it fails, unless files are so large that the browser has not read them
   * before the page is gone: it then keeps the run that is replaced, but Chromium loses both in a private window.
   */
  putAtOnce(run: Omit<StoredRun, "bytes">, files: RunBlobs): void {
    const stored = withSize(run, files);
    if (stored.bytes > this.limits.latest) return;
    let tx: Writing | undefined;
    try {
      tx = this.db.transaction(["runs", "files"], "readwrite", { durability: "relaxed" });
      tx.done.catch(() => {});
      replaceIn(tx, stored, files);
      tx.commit();
    } catch {
      // The browser has closed the store, or refuses a request.
      if (tx) abort(tx);
    }
  }

  /**
   * Renames a run.
   * @throws Error of one sentence if the run does not exist, or the name is empty
   */
  async rename(id: string, name: string): Promise<void> {
    const trimmed = name.trim();
    if (trimmed === "") throw new Error("A run needs a name.");
    const tx = this.db.transaction("runs", "readwrite");
    const run = await tx.store.get(id);
    if (!run) throw new Error("This run has been deleted.");
    await tx.store.put({ ...run, name: trimmed });
    await tx.done;
  }

  /** Deletes a run and its files. */
  async delete(id: string): Promise<void> {
    const tx = this.db.transaction(["runs", "files"], "readwrite");
    await Promise.all([tx.objectStore("runs").delete(id), tx.objectStore("files").delete(filesOf(id)), tx.done]);
  }

  /**
   * Returns unsaved runs of pages that were closed: unfinished runs first, each group latest first.
   * @param isAlive whether the page that stored a run is still open
   */
  async abandoned(isAlive: (id: string) => boolean): Promise<StoredRun[]> {
    const all = await this.#all();
    const hasEnded = ({ description, until }: StoredRun) => Number(description.step >= until);
    const left = newestFirst(all.filter(({ id, kind }) => kind === "latest" && !isAlive(id)));
    return left.sort((a, b) => hasEnded(a) - hasEnded(b));
  }

  /**
   * Checks the size of an unsaved run before it is stored.
   * @throws Error of one sentence if it is too large
   */
  checkLatest(bytes: number): void {
    const limit = this.limits.latest;
    if (bytes <= limit) return;
    throw new Error(`the run takes ${megabytes(bytes)}, and this browser stores at most ${megabytes(limit)} of one.`);
  }

  #checkCapacity({ kind, bytes }: StoredRun, others: StoredRun[]): void {
    if (kind === "latest") {
      this.checkLatest(bytes);
      return;
    }
    const kept = others.filter((other) => other.kind === "kept");
    const limit = this.limits.kept;
    const used = sum(kept);
    if (used + bytes <= limit) return;
    const remedy =
      kept.length > 0 ? `delete saved runs first, such as ${largestOf(kept)}` : "download its files instead";
    throw new Error(
      `The run takes ${megabytes(bytes)} and the saved ones ${megabytes(used)}, but the limit is ${megabytes(limit)}: ${remedy}.`,
    );
  }
}

/** Returns a stored run with the present names in its config. Earlier versions used others. */
function present({ description, ...run }: StoredRun): StoredRun {
  return { ...run, description: { ...description, config: withPresentNames(description.config) } };
}

/** Returns a size in words, to a tenth of a megabyte. */
export function megabytes(bytes: number): string {
  return bytes >= 1e5 ? `${(bytes / 1e6).toFixed(1)} MB` : `${Math.max(1, Math.round(bytes / 1000))} kB`;
}

function sum(runs: StoredRun[]): number {
  return runs.reduce((total, { bytes }) => total + bytes, 0);
}

function largestOf(runs: StoredRun[]): string {
  const { name, bytes } = runs.reduce((a, b) => (b.bytes > a.bytes ? b : a));
  return `${name} with ${megabytes(bytes)}`;
}

function newestFirst(runs: StoredRun[]): StoredRun[] {
  return runs.sort((a, b) => b.storedAt.localeCompare(a.storedAt));
}

function withSize(run: Omit<StoredRun, "bytes">, files: RunBlobs): StoredRun {
  return { ...run, bytes: Object.values(files).reduce((bytes, { size }) => bytes + size, 0) };
}

/**
 * Requests that a transaction replaces a run.
 * @returns the requests
 * @throws DOMException if the browser refuses one of them; the caller aborts the transaction
 */
function replaceIn(tx: Writing, run: StoredRun, files: RunBlobs): Promise<unknown>[] {
  const [runs, contents] = [tx.objectStore("runs"), tx.objectStore("files")];
  const requests: Promise<unknown>[] = [];
  const add = (request: Promise<unknown>) => {
    // An aborted transaction rejects all of its requests.
    request.catch(() => {});
    requests.push(request);
  };
  add(contents.delete(filesOf(run.id)));
  for (const [name, blob] of Object.entries(files)) add(contents.put(blob, [run.id, name]));
  add(runs.put(run));
  return requests;
}

function abort(tx: { abort(): void }): void {
  try {
    tx.abort();
  } catch {
    // The transaction has already ended.
  }
}

/** @param others the runs that could be deleted */
function explain(error: Error, others: StoredRun[]): Error {
  if (error.name === "QuotaExceededError") {
    const listNames = { latest: "the lab's list of unsaved runs", kept: "Compare's list of saved runs" };
    const remedies = (["latest", "kept"] as const).flatMap((kind) => {
      const runs = others.filter((other) => other.kind === kind);
      return runs.length > 0 ? [`delete runs in ${listNames[kind]}, such as ${largestOf(runs)}`] : [];
    });
    const remedy = [...remedies, "free space on the disk"].join(", or ");
    return new Error(`The browser has no space left for this site's data: ${remedy}.`);
  }
  if (error.name === "AbortError" || error.name === "InvalidStateError") {
    return new Error("The browser could not store the run. Reload the page and try again.");
  }
  return error;
}
