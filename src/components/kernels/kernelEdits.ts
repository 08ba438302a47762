import type { ShaderLibrary } from "../../engine/shaders.js";
import { ChangeSignal } from "../training/follow.js";
import type { KernelFiles, SavedKernels } from "./savedKernels.js";

/** The shipped kernels with what the reader has changed in them. */
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

  /** Back to the shipped text. */
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

/** A library with some of its files replaced. */
export function libraryWith(shipped: ShaderLibrary, files: KernelFiles): ShaderLibrary {
  return new Map([...shipped].map(([path, text]) => [path, files[path] ?? text]));
}

/** Without files that this site does not have, or has just so. */
export function changedOnly(shipped: ShaderLibrary, files: KernelFiles): KernelFiles {
  const isChange = ([path, text]: [string, string]) => shipped.has(path) && shipped.get(path) !== text;
  return Object.fromEntries(Object.entries(files).filter(isChange));
}
