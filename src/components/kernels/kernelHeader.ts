import { headerComment } from "../../engine/gpu/declarations.js";

/** A file below src/engine/ with CPU references. */
export type ReferenceFile = `${string}.ts`;

/** A TypeScript function that computes the same as a WGSL file. */
export interface CpuReference {
  file: ReferenceFile;
  name: string;
}

/** Returns the CPU references that the header comment of a WGSL file names, the closest one first. */
export function cpuReferencesIn(text = ""): CpuReference[] {
  const named = headerComment(text).matchAll(/(\w+) in src\/engine\/(\S+\.ts)/g);
  return Array.from(named, ([, name, file]) => ({ file: file as ReferenceFile, name }));
}

/** Returns the header comment of a WGSL file without the names of its CPU references. */
export function descriptionOf(text = ""): string {
  return headerComment(text).replace(/\s*CPU references?:.*$/s, "");
}
