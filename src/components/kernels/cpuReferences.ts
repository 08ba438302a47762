import { type AttachedFile, FileAttachment } from "observablehq:stdlib";
import { headerComment } from "../../engine/gpu/declarations.js";
import { findDeclaration, markedLines, unmarked } from "../../engine/marks.js";
import type { CpuReference, ReferenceFile } from "./cpuReferenceTable.js";

/** The sources of the CPU references, marks included. Framework needs each name as a literal. */
export const referenceFiles: Record<ReferenceFile, AttachedFile> = {
  "model/accumulate.ts": FileAttachment("../../engine/model/accumulate.ts"),
  "model/adam.ts": FileAttachment("../../engine/model/adam.ts"),
  "model/binned/1-project.ts": FileAttachment("../../engine/model/binned/1-project.ts"),
  "model/binned/2-allocateLists.ts": FileAttachment("../../engine/model/binned/2-allocateLists.ts"),
  "model/binned/2to4-gatherLists.ts": FileAttachment("../../engine/model/binned/2to4-gatherLists.ts"),
  "model/binned/3-fillLists.ts": FileAttachment("../../engine/model/binned/3-fillLists.ts"),
  "model/binned/4-sortLists.ts": FileAttachment("../../engine/model/binned/4-sortLists.ts"),
  "model/binned/5-rasterize.ts": FileAttachment("../../engine/model/binned/5-rasterize.ts"),
  "model/binned/6-rasterizeBackward.ts": FileAttachment("../../engine/model/binned/6-rasterizeBackward.ts"),
  "model/binned/7-updateBlobs.ts": FileAttachment("../../engine/model/binned/7-updateBlobs.ts"),
  "model/binned/lists.ts": FileAttachment("../../engine/model/binned/lists.ts"),
  "model/binned/slots.ts": FileAttachment("../../engine/model/binned/slots.ts"),
  "model/blend.ts": FileAttachment("../../engine/model/blend.ts"),
  "model/blob.ts": FileAttachment("../../engine/model/blob.ts"),
  "model/bounds.ts": FileAttachment("../../engine/model/bounds.ts"),
  "model/rasterize.ts": FileAttachment("../../engine/model/rasterize.ts"),
  "model/shortList.ts": FileAttachment("../../engine/model/shortList.ts"),
  "model/support.ts": FileAttachment("../../engine/model/support.ts"),
  "model/tileLists.ts": FileAttachment("../../engine/model/tileLists.ts"),
  "model/uv.ts": FileAttachment("../../engine/model/uv.ts"),
  "gpu/uniforms.ts": FileAttachment("../../engine/gpu/uniforms.ts"),
  "statistics.ts": FileAttachment("../../engine/statistics.ts"),
};

/** Returns the text of a CPU reference's file, without marks. */
export async function referenceText({ file }: CpuReference): Promise<string> {
  return unmarked(await referenceFiles[file].text());
}

/** Returns the line on which a CPU reference begins, counted from 1. */
export function referenceLine(text: string, { name }: CpuReference): number {
  return 1 + findDeclaration(markedLines(text), name);
}

/** Returns the header comment of a WGSL file without the name of its CPU reference. */
export function descriptionOf(text = ""): string {
  return headerComment(text).replace(/\s*CPU references?:.*$/s, "");
}
