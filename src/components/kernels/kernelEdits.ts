import { crc32 } from "../../engine/files/splat2d/crc32.js";
import type { ShaderLibrary } from "../../engine/shaders.js";
import { ChangeSignal } from "../training/follow.js";

/** Edited WGSL files, by their path under shaders/. */
export type KernelFiles = Record<string, string>;

interface SavedState {
  edits: KernelFiles;
  /** Fingerprint of the edits that are on trial, or that failed: they did not end or lost the device. */
  suspect?: string;
}

const key = "splatbook.kernels";

/** The shipped kernels with the reader's edits, which this browser's storage keeps. */
export class KernelEdits {
  readonly change = new ChangeSignal();
  /** Why the latest change was not saved, as a sentence. */
  problem = "";
  #state: SavedState;

  constructor(
    readonly shipped: ShaderLibrary,
    readonly storage: Pick<Storage, "getItem" | "setItem"> = browserStorage(),
  ) {
    const { edits, suspect } = read(storage);
    const isChange = ([path, text]: [string, string]) => shipped.has(path) && shipped.get(path) !== text;
    this.#state = { edits: Object.fromEntries(Object.entries(edits).filter(isChange)), suspect };
  }

  /** The files that differ from the shipped ones. */
  get files(): KernelFiles {
    return this.#state.edits;
  }

  get library(): ShaderLibrary {
    return libraryWith(this.shipped, this.files);
  }

  text(path: string): string {
    return this.files[path] ?? this.shipped.get(path) ?? "";
  }

  isChanged(path: string): boolean {
    return path in this.files;
  }

  set(path: string, text: string): void {
    if (this.text(path) === text) return;
    const { [path]: _, ...others } = this.files;
    this.#setFiles(text === this.shipped.get(path) ? others : { ...others, [path]: text });
  }

  /** Restores the shipped text of a file. */
  revert(path: string): void {
    this.set(path, this.shipped.get(path) ?? "");
  }

  revertAll(): void {
    if (Object.keys(this.files).length > 0) this.#setFiles({});
  }

  /** Records edits that may not end or that failed, for this page and for the page after a crash. */
  suspect(files: KernelFiles): void {
    this.#save({ suspect: fingerprint(files) });
  }

  /** Forgets which edits may not end. */
  trust(): void {
    this.#save({ suspect: undefined });
  }

  /** Returns whether edits failed, or were on trial when an earlier page ended. */
  isSuspect(files: KernelFiles): boolean {
    return this.#state.suspect === fingerprint(files);
  }

  #setFiles(edits: KernelFiles): void {
    this.#save({ edits });
    this.change.notify();
  }

  #save(change: Partial<SavedState>): void {
    this.#state = { ...this.#state, ...change };
    try {
      this.storage.setItem(key, JSON.stringify(this.#state));
      this.problem = "";
    } catch {
      this.problem = "The browser's storage is full or not available, so your edits are lost when the page closes.";
    }
  }
}

/** Returns a library with some of its files replaced. */
export function libraryWith(shipped: ShaderLibrary, files: KernelFiles): ShaderLibrary {
  return new Map([...shipped].map(([path, text]) => [path, files[path] ?? text]));
}

/** Returns a hash that identifies edits. */
export function fingerprint(files: KernelFiles): string {
  const entries = Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1));
  return crc32(new TextEncoder().encode(JSON.stringify(entries))).toString(16);
}

/** Returns this browser's storage, or an empty one if access is denied. */
function browserStorage(): Pick<Storage, "getItem" | "setItem"> {
  try {
    return localStorage;
  } catch (error) {
    return {
      getItem: () => null,
      setItem() {
        throw error;
      },
    };
  }
}

/** Returns the stored edits that are text, with the names of the present version. */
function read(storage: Pick<Storage, "getItem">): SavedState {
  try {
    const { edits, suspect } = JSON.parse(storage.getItem(key)!);
    const texts = Object.entries<string>(edits).filter(([, text]) => typeof text === "string");
    const renamed = texts.map(([path, text]) => [path, text.replace(/\bCOMPOSITE\b/g, "BACKGROUND")]);
    return { edits: Object.fromEntries(renamed), suspect };
  } catch {
    return { edits: {} };
  }
}
