import { headerComment } from "../../engine/gpu/declarations.js";

/** A TypeScript function that computes the same as a WGSL file. */
export interface CpuReference {
  /** Below src/engine/. */
  file: string;
  name: string;
}

/** Returns the CPU references that the header comment of a WGSL file names, the closest one first. */
export function cpuReferencesIn(text = ""): CpuReference[] {
  const named = headerComment(text).matchAll(/(\w+) in src\/engine\/(\S+\.ts)/g);
  return Array.from(named, ([, name, file]) => ({ file, name }));
}

/** Returns the header comment of a WGSL file without the names of its CPU references. */
export function descriptionOf(text = ""): string {
  return headerComment(text).replace(/\s*CPU references?:.*$/s, "");
}
