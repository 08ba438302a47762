import { FileAttachment } from "observablehq:stdlib";
import type { ShaderLibrary } from "../engine/gpu/shaders.js";

/** Fetches the text of every kernel. */
export async function loadShaders(): Promise<ShaderLibrary> {
  const files: [path: string, text: string][] = JSON.parse(await FileAttachment("../shaders.json").text());
  return new Map(files);
}
