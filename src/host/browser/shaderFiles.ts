import { FileAttachment } from "observablehq:stdlib";
import { unmarked } from "../../engine/marks.js";
import type { ShaderLibrary } from "../../engine/shaders.js";

let loaded: Promise<ShaderLibrary> | undefined;

/** Fetches the source of all kernels with their marks, once per page. */
export function loadMarkedShaders(): Promise<ShaderLibrary> {
  loaded ??= FileAttachment("../../shaders.json")
    .text()
    .then((text) => new Map(JSON.parse(text) as [string, string][]));
  return loaded;
}

/** Returns the source of all kernels without marks. */
export async function loadShaders(): Promise<ShaderLibrary> {
  return new Map(Array.from(await loadMarkedShaders(), ([path, text]) => [path, unmarked(text)]));
}
