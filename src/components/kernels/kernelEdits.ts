import type { ShaderLibrary } from "../../engine/shaders.js";
import { ChangeSignal } from "../training/follow.js";
import type { KernelFiles, SavedKernels } from "./savedKernels.js";

/** The shipped kernels with the reader's edits. */
export class KernelEdits {
  readonly change = new ChangeSignal();
  #files: KernelFiles;

  constructor(
    readonly shipped: ShaderLibrary,
    readonly saved: SavedKernels,
  ) {
    this.#files = changedOnly(shipped, saved.edits);
  }

  get files(): KernelFiles {
    return this.#files;
  }

  get library(): ShaderLibrary {
    return libraryWith(this.shipped, this.#files);
  }

  text(path: string): string {
    return this.#files[path] ?? this.shipped.get(path) ?? "";
  }

  isChanged(path: string): boolean {
    return path in this.#files;
  }

  set(path: string, text: string): void {
    if (this.text(path) === text) return;
    const { [path]: _, ...others } = this.#files;
    this.#setFiles(text === this.shipped.get(path) ? others : { ...others, [path]: text });
  }

  /** Restores the shipped text of a file. */
  revert(path: string): void {
    this.set(path, this.shipped.get(path) ?? "");
  }

  revertAll(): void {
    if (Object.keys(this.#files).length > 0) this.#setFiles({});
  }

  #setFiles(files: KernelFiles): void {
    this.#files = files;
    this.saved.edits = files;
    this.change.notify();
  }
}

/** Returns a library with some of its files replaced. */
export function libraryWith(shipped: ShaderLibrary, files: KernelFiles): ShaderLibrary {
  return new Map([...shipped].map(([path, text]) => [path, files[path] ?? text]));
}

/** Returns only the files that this site has and that differ from its own. */
export function changedOnly(shipped: ShaderLibrary, files: KernelFiles): KernelFiles {
  const isChange = ([path, text]: [string, string]) => shipped.has(path) && shipped.get(path) !== text;
  return Object.fromEntries(Object.entries(files).filter(isChange));
}
