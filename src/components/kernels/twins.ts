import { type AttachedFile, FileAttachment } from "observablehq:stdlib";
import { headOf } from "../../engine/gpu/declarations.js";
import type { Twin, TwinFile } from "./twinTable.js";

/** The sources of the twins; Framework wants each name as a literal. */
export const files: Record<TwinFile, AttachedFile> = {
  "cpu/accumulate.ts": FileAttachment("../../engine/cpu/accumulate.ts"),
  "cpu/adam.ts": FileAttachment("../../engine/cpu/adam.ts"),
  "cpu/blend.ts": FileAttachment("../../engine/cpu/blend.ts"),
  "cpu/blob.ts": FileAttachment("../../engine/cpu/blob.ts"),
  "cpu/bounds.ts": FileAttachment("../../engine/cpu/bounds.ts"),
  "cpu/pipeline.ts": FileAttachment("../../engine/cpu/pipeline.ts"),
  "cpu/rasterize.ts": FileAttachment("../../engine/cpu/rasterize.ts"),
  "cpu/shortList.ts": FileAttachment("../../engine/cpu/shortList.ts"),
  "cpu/support.ts": FileAttachment("../../engine/cpu/support.ts"),
  "cpu/tileLists.ts": FileAttachment("../../engine/cpu/tileLists.ts"),
  "cpu/uv.ts": FileAttachment("../../engine/cpu/uv.ts"),
  "gpu/uniforms.ts": FileAttachment("../../engine/gpu/uniforms.ts"),
  "statistics.ts": FileAttachment("../../engine/statistics.ts"),
};

/** The text of a twin's file. */
export function twinText({ file }: Twin): Promise<string> {
  return files[file].text();
}

/** The line on which a twin's function begins, counted from 1. */
export function lineOfTwin(text: string, { name }: Twin): number {
  return 1 + text.split("\n").findIndex((line) => new RegExp(`\\b(?:function\\*?|class)\\s+${name}\\b`).test(line));
}

/** What a WGSL file says of itself in its first lines, without its twin's name. */
export function wordsOf(text = ""): string {
  return headOf(text).replace(/\s*Twin:.*$/, "");
}
