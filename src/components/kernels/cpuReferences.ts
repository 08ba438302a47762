import { FileAttachment } from "observablehq:stdlib";
import { findDeclaration, markedLines, unmarked } from "../../engine/marks.js";
import type { CpuReference, ReferenceFile } from "./kernelHeader.js";

let sources: Promise<Record<ReferenceFile, string>> | undefined;

/** Returns the source of a file with CPU references, marks included. Fetches those of all files, once per page. */
export async function markedReference(file: ReferenceFile): Promise<string> {
  sources ??= FileAttachment("../../cpuReferences.json").json() as NonNullable<typeof sources>;
  return (await sources)[file];
}

/** Returns the source of a file with CPU references, without marks. */
export async function referenceText(file: ReferenceFile): Promise<string> {
  return unmarked(await markedReference(file));
}

/** Returns the line on which a CPU reference begins, counted from 1. */
export function referenceLine(text: string, { name }: CpuReference): number {
  return 1 + findDeclaration(markedLines(text), name);
}
