import { FileAttachment } from "observablehq:stdlib";
import type { ShaderLibrary } from "../../engine/shaders.js";

let loaded: Promise<ShaderLibrary> | undefined;

/** Fetches the text of every kernel, once for a page. */
export function loadShaders(): Promise<ShaderLibrary> {
  loaded ??= FileAttachment("../../shaders.json")
    .text()
    .then((text) => new Map(JSON.parse(text) as [string, string][]));
  return loaded;
}
