import { type FSWatcher, watch } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { type LiveRun, liveRun, noNotes, type RunChange, readNotes } from "../engine/files/liveRun.js";
import { readRunDescription } from "../engine/files/runDescription.js";
import { notesFile, runFiles } from "../engine/files/runFiles.js";
import { isSystemError } from "../terminal/failure.js";
import { lockFile, lockState } from "./lock.js";
import { candidatePaths, committedFolder, temporaryPrefix } from "./staging.js";

/** Milliseconds between two looks at the runs that train, since their processes may be killed, and at all folders. */
const runningInterval = 1000;
const allInterval = 10_000;

/** Folders of other programs, which may be large. */
const skippedFolders = /^\.|^node_modules$/;

/**
 * Follows the runs below a folder. The system reports changes of local folders at once. Folders that another machine
 * writes are looked at again and again.
 */
export class RunFeed {
  /** The runs by path. */
  readonly runs = new Map<string, LiveRun>();
  /** Known folders, each with a watcher unless it cannot be watched. */
  readonly #folders = new Map<string, FSWatcher | undefined>();
  /** The files of a run as they were read last, by the run's path. */
  readonly #stamps = new Map<string, string>();
  readonly #queued = new Set<string>();
  #latest: Promise<void> = Promise.resolve();
  readonly #timers: NodeJS.Timeout[] = [];

  private constructor(
    readonly root: string,
    private readonly onChange: (change: RunChange) => void,
  ) {}

  static async open(root: string, onChange: (change: RunChange) => void): Promise<RunFeed> {
    const feed = new RunFeed(root, onChange);
    await feed.#enqueue(root);
    const lookAt = (folders: Iterable<string>) => {
      for (const folder of folders) void feed.#enqueue(folder);
    };
    const running = () => [...feed.runs.values()].filter(({ state }) => state === "running");
    feed.#timers.push(
      setInterval(() => lookAt(running().map(({ path }) => join(root, path))), runningInterval),
      setInterval(() => lookAt([root, ...feed.#folders.keys()]), allInterval),
    );
    return feed;
  }

  close(): void {
    for (const timer of this.#timers) clearInterval(timer);
    for (const watcher of this.#folders.values()) watcher?.close();
    this.#folders.clear();
  }

  /** Looks at a folder after those that wait. */
  #enqueue(folder: string): Promise<void> {
    if (!this.#queued.has(folder)) {
      this.#queued.add(folder);
      this.#latest = this.#latest.then(async () => {
        this.#queued.delete(folder);
        // A file that is removed while it is read, for instance. The folder is looked at again.
        await this.#visit(folder).catch(() => {});
      });
    }
    return this.#latest;
  }

  async #visit(folder: string): Promise<void> {
    // The watcher comes first, so that no change is missed.
    this.#watch(folder);
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => undefined);
    if (!entries) return this.#forget(folder);
    const names = new Set(entries.map(({ name }) => name));
    const isRun = names.has(runFiles.description) || names.has(committedFolder) || names.has(lockFile);
    if (isRun && !names.has("sweep.json") && (await this.#read(folder))) return;
    this.#remove(this.#pathOf(folder));
    const folders = entries.filter((entry) => entry.isDirectory() && !skippedFolders.test(entry.name));
    for (const { name } of folders) {
      const path = join(folder, name);
      if (!this.#folders.has(path)) await this.#visit(path);
    }
  }

  /** Reads a run if it has changed, and returns whether there is one. */
  async #read(folder: string): Promise<boolean> {
    const path = this.#pathOf(folder);
    const lock = await lockState(folder);
    const notesPath = join(folder, notesFile);
    const stamp = [
      lock,
      await stampOf(...candidatePaths(folder, runFiles.description)),
      await stampOf(notesPath),
    ].join();
    if (this.#stamps.get(path) === stamp) return this.runs.has(path);
    let error: string | undefined;
    const attempt = async <T>(work: () => Promise<T>): Promise<T | undefined> => {
      try {
        return await work();
      } catch (reason) {
        error ??= (reason as Error).message;
        return undefined;
      }
    };
    const notes = await attempt(async () => readNotes((await readAny(notesPath)) ?? "{}"));
    const description = await attempt(async () => {
      const text = await readAny(...candidatePaths(folder, runFiles.description));
      return text === undefined ? undefined : readRunDescription(text);
    });
    if (!description && !error && lock === undefined) return false;
    this.#stamps.set(path, stamp);
    this.#set(liveRun(path, lock, notes ?? noNotes, description, error));
    return true;
  }

  #set(run: LiveRun): void {
    this.runs.set(run.path, run);
    this.onChange(run);
  }

  #remove(path: string): void {
    this.#stamps.delete(path);
    if (this.runs.delete(path)) this.onChange({ path, removed: true });
  }

  /** Removes a deleted folder, with all below it. */
  #forget(folder: string): void {
    for (const [known, watcher] of this.#folders) {
      if (known !== folder && !known.startsWith(folder + sep)) continue;
      watcher?.close();
      this.#folders.delete(known);
      this.#remove(this.#pathOf(known));
    }
  }

  #watch(folder: string): void {
    if (this.#folders.get(folder)) return;
    try {
      const watcher = watch(folder, (_, name) => {
        // Files of an unfinished checkpoint change often.
        if (!name?.startsWith(temporaryPrefix)) void this.#enqueue(folder);
      });
      watcher.on("error", () => {
        watcher.close();
        this.#folders.set(folder, undefined);
      });
      this.#folders.set(folder, watcher);
    } catch {
      // Such as too many watched folders. It is looked at regularly.
      this.#folders.set(folder, undefined);
    }
  }

  #pathOf(folder: string): string {
    return relative(this.root, folder).replaceAll(sep, "/") || ".";
  }
}

/** Returns what changes with the contents of the first of some files that exists. */
async function stampOf(...paths: string[]): Promise<string> {
  for (const path of paths) {
    const found = await stat(path).catch(() => undefined);
    if (found) return `${found.ino} ${found.size} ${found.mtimeMs}`;
  }
  return "";
}

/** Returns the text of the first of some files that exists; undefined if none does. */
async function readAny(...paths: string[]): Promise<string | undefined> {
  for (const path of paths) {
    try {
      return await readFile(path, "utf8");
    } catch (error) {
      if (!isSystemError(error) || error.code !== "ENOENT") throw error;
    }
  }
  return undefined;
}
