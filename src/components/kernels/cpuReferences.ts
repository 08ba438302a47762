import { FileAttachment } from "observablehq:stdlib";
import { findDeclaration, markedLines, unmarked } from "../../engine/marks.js";
import type { CpuReference } from "./kernelHeader.js";

let sources: Promise<Record<string, string>> | undefined;

/** Returns the source of a file with CPU references. Fetches those of all files, once per page. */
export async function referenceText(file: string): Promise<string> {
  sources ??= FileAttachment("../../cpuReferences.json").json() as NonNullable<typeof sources>;
  return unmarked((await sources)[file]);
}

/** Returns the line on which a CPU reference begins, counted from 1. */
export function referenceLine(text: string, { name }: CpuReference): number {
  return 1 + findDeclaration(markedLines(text), name);
}
