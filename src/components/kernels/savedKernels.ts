import { crc32 } from "../../engine/files/splat2d/crc32.js";

/** Edited WGSL files, by their path under shaders/. */
export type KernelFiles = Record<string, string>;

interface SavedState {
  /** The texts in the editors. */
  edits: KernelFiles;
  /** The last edits that ran well. */
  good: KernelFiles;
  /** The edits that the lab trains with. */
  lab: KernelFiles;
  /** Fingerprint of edits in an unfinished trial. */
  trial?: string;
  /** Fingerprints of edits that did not end or lost the device. */
  bad: string[];
}

const key = "splatbook.kernels";
const maxBad = 50;

/** A reader's kernels in this browser's storage, shared by the pages. */
export class SavedKernels {
  /** Why the latest change was not saved, as a sentence. */
  problem: string | undefined;
  #saved: SavedState;
  /** Fingerprint of edits that were on trial when an earlier page ended. */
  #unfinished: string | undefined;

  constructor(readonly storage: Pick<Storage, "getItem" | "setItem"> = browserStorage()) {
    this.#saved = read(storage);
    this.#unfinished = this.#saved.trial;
  }

  get edits(): KernelFiles {
    return this.#saved.edits;
  }

  get good(): KernelFiles {
    return this.#saved.good;
  }

  get lab(): KernelFiles {
    return this.#saved.lab;
  }

  set edits(edits: KernelFiles) {
    this.#save({ edits });
  }

  set lab(lab: KernelFiles) {
    this.#save({ lab });
  }

  /** Records edits that are about to run for the first time, for the page after a crash; undefined clears the record. */
  beginTrial(files: KernelFiles | undefined): void {
    this.#save({ trial: files && fingerprint(files) });
  }

  succeed(files: KernelFiles): void {
    const bad = this.#saved.bad.filter((text) => text !== fingerprint(files));
    if (this.#unfinished === fingerprint(files)) this.#unfinished = undefined;
    this.#save({ good: files, trial: undefined, bad });
  }

  fail(files: KernelFiles): void {
    const bad = [...this.#saved.bad, fingerprint(files)].slice(-maxBad);
    const good = fingerprint(this.#saved.good) === fingerprint(files) ? {} : this.#saved.good;
    this.#save({ bad, good, trial: undefined });
  }

  /** Returns whether edits did not end, lost the device, or were on trial when an earlier page ended. */
  isSuspect(files: KernelFiles): boolean {
    const text = fingerprint(files);
    return this.#unfinished === text || this.#saved.bad.includes(text);
  }

  #save(change: Partial<SavedState>): void {
    // Read first: another page may have saved in the meantime.
    this.#saved = { ...(this.problem ? this.#saved : read(this.storage)), ...change };
    try {
      this.storage.setItem(key, JSON.stringify(this.#saved));
      this.problem = undefined;
    } catch {
      this.problem = "The browser's storage is full or not available, so your edits are lost when the page closes.";
    }
  }
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

/** Returns a hash that identifies edits. */
export function fingerprint(files: KernelFiles): string {
  const entries = Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1));
  return crc32(new TextEncoder().encode(JSON.stringify(entries))).toString(16);
}

function read(storage: Pick<Storage, "getItem">): SavedState {
  try {
    const saved: Partial<SavedState> = JSON.parse(storage.getItem(key) ?? "{}") ?? {};
    return {
      edits: textFiles(saved.edits),
      good: textFiles(saved.good),
      lab: textFiles(saved.lab),
      bad: Array.isArray(saved.bad) ? saved.bad.filter((text) => typeof text === "string") : [],
      ...(typeof saved.trial === "string" && { trial: saved.trial }),
    };
  } catch {
    return { edits: {}, good: {}, lab: {}, bad: [] };
  }
}

/** Returns the entries of a stored value that are text, with the names of the present version. */
function textFiles(value: unknown): KernelFiles {
  if (typeof value !== "object" || value === null) return {};
  const texts = Object.entries(value).filter(([, text]) => typeof text === "string");
  return Object.fromEntries(texts.map(([path, text]) => [path, text.replace(/\bCOMPOSITE\b/g, "BACKGROUND")]));
}
