import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { access } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { disk } from "../../src/runs/disk.js";
import { lockFile } from "../../src/runs/lock.js";

class File {
  now: Buffer;
  constructor(readonly initially = Buffer.alloc(0)) {
    this.now = initially;
  }
}

class Folder {
  readonly now: Map<string, Node>;
  constructor(readonly initially: ReadonlyMap<string, Node> = new Map()) {
    this.now = new Map(initially);
  }
}

type Node = File | Folder;

/** A name in a folder that comes to stand for something, or for nothing. */
type Renaming = [folder: Folder, name: string, node: Node | undefined];
/** What is done to a disk. The names of one operation change together, as file systems promise of a rename. */
type Operation = { names: Renaming[] } | { file: File; contents: Buffer } | { synced: Node };

/**
 * A folder on a disk that may lose its power. What is written is remembered, operation by operation, so that `cut` can
 * lay out what such a disk may hold after any of them. A file's contents are certain as far as they were synced, a name
 * once the folder that it stands in was; of the rest anything may be there, whatever came first.
 */
export class Power {
  readonly #root: Folder;
  readonly #operations: Operation[] = [];

  /** @param path a folder; what it holds already is certain */
  constructor(readonly path: string) {
    this.#root = read(path);
  }

  /** Operations so far. */
  get operations(): number {
    return this.#operations.length;
  }

  /** Does some work while all that changes the disk is remembered. */
  async record<T>(work: () => Promise<T>): Promise<T> {
    const own = { ...disk };
    const { mkdir, rename, rmdir, remove, write } = own;
    const isOurs = (path: string) => !relative(this.path, path).startsWith("..");
    const then = async <Result>(path: string, done: Promise<Result>, note: () => void) => {
      const result = await done;
      if (isOurs(path)) note();
      return result;
    };
    // Nothing is lost of this disk, so that it need not really sync.
    const sync = (path: string) => then(path, access(path), () => this.#operations.push({ synced: this.#at(path)! }));
    Object.assign(disk, {
      mkdir: (path) => then(path, mkdir(path), () => this.#name([path, new Folder()])),
      rename: (from: string, to: string) =>
        then(from, rename(from, to), () => this.#name([from, undefined], [to, this.#at(from)])),
      rmdir: (path: string) => then(path, rmdir(path), () => this.#name([path, undefined])),
      remove: (path) => then(path, remove(path), () => this.#remove(path)),
      write: (path, bytes, flag) =>
        then(path, write(path, bytes, flag), () => this.#write(path, Buffer.from(bytes), flag)),
      sync,
      syncFolder: sync,
    } as typeof disk);
    try {
      return await work();
    } finally {
      Object.assign(disk, own);
    }
  }

  /**
   * Writes into a new folder what the disk may hold where its power is cut after so many operations.
   * @param random decides what is lost, below 1 and at least 0; nothing is if it is absent
   */
  cut(at: number, into: string, random?: () => number): void {
    const operations = this.#operations.slice(0, at);
    const written = new Map<File, Buffer>();
    const certain = new Map<File, Buffer>();
    const certainNames = new Set<Operation>();
    for (const [i, operation] of operations.entries()) {
      if ("file" in operation) written.set(operation.file, operation.contents);
      else if (!("synced" in operation)) continue;
      else if (operation.synced instanceof File) certain.set(operation.synced, written.get(operation.synced)!);
      else {
        for (const earlier of operations.slice(0, i)) {
          const touches = "names" in earlier && earlier.names.some(([folder]) => folder === operation.synced);
          if (touches) certainNames.add(earlier);
        }
      }
    }
    const held = new Map<Folder, Map<string, Node>>();
    const names = (folder: Folder) => {
      const found = held.get(folder) ?? new Map(folder.initially);
      held.set(folder, found);
      return found;
    };
    for (const operation of operations) {
      if (!("names" in operation)) continue;
      if (random && !certainNames.has(operation) && random() < 0.5) continue;
      for (const [folder, name, node] of operation.names) {
        if (node) names(folder).set(name, node);
        else names(folder).delete(name);
      }
    }
    const lay = (folder: Folder, path: string) => {
      mkdirSync(path);
      for (const [name, node] of names(folder)) {
        const place = join(path, name);
        if (node instanceof Folder) lay(node, place);
        else {
          const [before, after] = [certain.get(node) ?? node.initially, written.get(node) ?? node.initially];
          writeFileSync(place, random ? partOf(before, after, random) : after);
          if (name === lockFile) release(place);
        }
      }
    };
    lay(this.#root, into);
  }

  #at(path: string): Node | undefined {
    let node: Node | undefined = this.#root;
    for (const name of relative(this.path, path).split("/").filter(Boolean)) {
      node = node instanceof Folder ? node.now.get(name) : undefined;
    }
    return node;
  }

  /** The folder that a path's last part stands in, and that part. */
  #name(...changes: [path: string, node: Node | undefined][]): void {
    const names = changes.map(([path, node]): Renaming => {
      const name = relative(dirname(path), path);
      return [this.#at(dirname(path)) as Folder, name, node];
    });
    for (const [folder, name, node] of names) {
      if (node) folder.now.set(name, node);
      else folder.now.delete(name);
    }
    this.#operations.push({ names });
  }

  #remove(path: string): void {
    const node = this.#at(path);
    if (!node) return;
    if (node instanceof Folder) for (const name of [...node.now.keys()]) this.#remove(join(path, name));
    this.#name([path, undefined]);
  }

  #write(path: string, bytes: Buffer, flag: "w" | "a" | "wx"): void {
    if (!this.#at(path)) this.#name([path, new File()]);
    const file = this.#at(path) as File;
    file.now = flag === "a" ? Buffer.concat([file.now, bytes]) : bytes;
    this.#operations.push({ file, contents: file.now });
  }
}

function read(path: string): Folder {
  const entries = readdirSync(path, { withFileTypes: true });
  return new Folder(
    new Map(
      entries.map((entry) => {
        const place = join(path, entry.name);
        return [entry.name, entry.isDirectory() ? read(place) : new File(readFileSync(place))];
      }),
    ),
  );
}

/** What a disk may hold of a file's contents that were not synced: those before, or these up to somewhere, or zeros from there. */
function partOf(before: Buffer, after: Buffer, random: () => number): Buffer {
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

/** Lets a lock be that of a process that ended with the power, some time ago. */
function release(path: string): void {
  try {
    const owner = JSON.parse(readFileSync(path, "utf8"));
    writeFileSync(path, JSON.stringify({ ...owner, process: 2 ** 22 + 1 }));
  } catch {
    // It says nothing any more.
  }
  utimesSync(path, 0, 0);
}
