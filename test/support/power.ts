import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { access } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import { disk } from "../../src/runs/disk.js";
import { lockName } from "../../src/runs/lock.js";

class DiskFile {
  current: Buffer;
  constructor(readonly initial = Buffer.alloc(0)) {
    this.current = initial;
  }
}

class DiskFolder {
  readonly current: Map<string, DiskNode>;
  constructor(readonly initial: ReadonlyMap<string, DiskNode> = new Map()) {
    this.current = new Map(initial);
  }
}

type DiskNode = DiskFile | DiskFolder;

/** A name in a folder that gets new contents, or is removed. */
type NameChange = [folder: DiskFolder, name: string, node: DiskNode | undefined];
/** A change of a disk. The names of one operation change together, as file systems guarantee for a rename. */
type Operation = { names: NameChange[] } | { file: DiskFile; contents: Buffer } | { synced: DiskNode };

/**
 * A folder on a disk that may lose its power. It records every write operation, and `cut` writes a possible state of the
 * disk after any of them. The contents of a file are certain once they are synced, and a name once its folder is synced.
 * Everything else may be present or not, in any order.
 */
export class Power {
  readonly #root: DiskFolder;
  readonly #operations: Operation[] = [];

  /** @param path a folder; its present contents are certain */
  constructor(readonly path: string) {
    this.#root = read(path);
  }

  /** Operations so far. */
  get operations(): number {
    return this.#operations.length;
  }

  /** Runs a function and records its changes of the disk. */
  async record<T>(work: () => Promise<T>): Promise<T> {
    const original = { ...disk };
    const { mkdir, rename, rmdir, remove, write } = original;
    const isInside = (path: string) => !relative(this.path, path).startsWith("..");
    const afterwards = async <Result>(path: string, pending: Promise<Result>, recordChange: () => void) => {
      const result = await pending;
      if (isInside(path)) recordChange();
      return result;
    };
    // The real disk keeps its power, so syncing is skipped.
    const sync = (path: string) =>
      afterwards(path, access(path), () => this.#operations.push({ synced: this.#at(path)! }));
    Object.assign(disk, {
      mkdir: (path) => afterwards(path, mkdir(path), () => this.#name([path, new DiskFolder()])),
      rename: (from: string, to: string) =>
        afterwards(from, rename(from, to), () => this.#name([from, undefined], [to, this.#at(from)])),
      rmdir: (path: string) => afterwards(path, rmdir(path), () => this.#name([path, undefined])),
      remove: (path) => afterwards(path, remove(path), () => this.#remove(path)),
      write: (path, bytes, flag) =>
        afterwards(path, write(path, bytes, flag), () => this.#write(path, Buffer.from(bytes), flag)),
      sync,
      syncFolder: sync,
    } as typeof disk);
    try {
      return await work();
    } finally {
      Object.assign(disk, original);
    }
  }

  /**
   * Writes a possible state of the disk after a number of operations into a new folder.
   * @param random decides what is lost, from 0 to below 1; if absent, nothing is
   */
  cut(at: number, into: string, random?: () => number): void {
    const operations = this.#operations.slice(0, at);
    const written = new Map<DiskFile, Buffer>();
    const syncedContents = new Map<DiskFile, Buffer>();
    const syncedNames = new Set<Operation>();
    for (const [i, operation] of operations.entries()) {
      if ("file" in operation) written.set(operation.file, operation.contents);
      else if (!("synced" in operation)) continue;
      else if (operation.synced instanceof DiskFile)
        syncedContents.set(operation.synced, written.get(operation.synced)!);
      else {
        for (const earlier of operations.slice(0, i)) {
          const touches = "names" in earlier && earlier.names.some(([folder]) => folder === operation.synced);
          if (touches) syncedNames.add(earlier);
        }
      }
    }
    const folderNames = new Map<DiskFolder, Map<string, DiskNode>>();
    const names = (folder: DiskFolder) => {
      const found = folderNames.get(folder) ?? new Map(folder.initial);
      folderNames.set(folder, found);
      return found;
    };
    for (const operation of operations) {
      if (!("names" in operation)) continue;
      if (random && !syncedNames.has(operation) && random() < 0.5) continue;
      for (const [folder, name, node] of operation.names) {
        if (node) names(folder).set(name, node);
        else names(folder).delete(name);
      }
    }
    const writeFolder = (folder: DiskFolder, path: string) => {
      mkdirSync(path);
      for (const [name, node] of names(folder)) {
        // A lock becomes that of a process that has ended.
        const isOwner = basename(path) === lockName;
        const entryPath = join(path, isOwner ? name.replace(/^\d+/, String(2 ** 22 + 1)) : name);
        if (node instanceof DiskFolder) writeFolder(node, entryPath);
        else {
          const [before, after] = [syncedContents.get(node) ?? node.initial, written.get(node) ?? node.initial];
          writeFileSync(entryPath, random ? partialContents(before, after, random) : after);
        }
      }
    };
    writeFolder(this.#root, into);
  }

  #at(path: string): DiskNode | undefined {
    let node: DiskNode | undefined = this.#root;
    for (const name of relative(this.path, path).split("/").filter(Boolean)) {
      node = node instanceof DiskFolder ? node.current.get(name) : undefined;
    }
    return node;
  }

  /** Returns the folder and the name of a path. */
  #name(...changes: [path: string, node: DiskNode | undefined][]): void {
    const names = changes.map(([path, node]): NameChange => {
      const name = relative(dirname(path), path);
      return [this.#at(dirname(path)) as DiskFolder, name, node];
    });
    for (const [folder, name, node] of names) {
      if (node) folder.current.set(name, node);
      else folder.current.delete(name);
    }
    this.#operations.push({ names });
  }

  #remove(path: string): void {
    const node = this.#at(path);
    if (!node) return;
    if (node instanceof DiskFolder) for (const name of [...node.current.keys()]) this.#remove(join(path, name));
    this.#name([path, undefined]);
  }

  #write(path: string, bytes: Buffer, flag: "w" | "a" | "wx"): void {
    if (!this.#at(path)) this.#name([path, new DiskFile()]);
    const file = this.#at(path) as DiskFile;
    file.current = flag === "a" ? Buffer.concat([file.current, bytes]) : bytes;
    this.#operations.push({ file, contents: file.current });
  }
}

function read(path: string): DiskFolder {
  const entries = readdirSync(path, { withFileTypes: true });
  return new DiskFolder(
    new Map(
      entries.map((entry) => {
        const entryPath = join(path, entry.name);
        return [entry.name, entry.isDirectory() ? read(entryPath) : new DiskFile(readFileSync(entryPath))];
      }),
    ),
  );
}

/** Returns possible contents of a file that was not synced: the old ones, or the new ones truncated or zeroed from a position. */
function partialContents(before: Buffer, after: Buffer, random: () => number): Buffer {
  if (before === after) return after;
  const kinds = [
    () => before,
    () => after,
    () => after.subarray(0, Math.floor(random() * after.length)),
    () =>
      Buffer.concat([after.subarray(0, Math.floor(random() * after.length)), Buffer.alloc(after.length)], after.length),
  ];
  return kinds[Math.floor(random() * kinds.length)]();
}
