import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { unmarked } from "../../engine/marks.js";
import type { ShaderLibrary } from "../../engine/shaders.js";

/** Reads all WGSL files in a folder with their marks, by relative path with forward slashes. */
export async function readMarkedShaders(folder: string): Promise<ShaderLibrary> {
  const paths = await readdir(folder, { recursive: true });
  const files = paths.filter((path) => path.endsWith(".wgsl")).sort();
  const read = async (path: string): Promise<[string, string]> => [
    path.replaceAll("\\", "/"),
    await readFile(join(folder, path), "utf8"),
  ];
  return new Map(await Promise.all(files.map(read)));
}

/** Reads all WGSL files in a folder without marks. */
export async function readShaders(folder: string): Promise<ShaderLibrary> {
  return new Map(Array.from(await readMarkedShaders(folder), ([path, text]) => [path, unmarked(text)]));
}
