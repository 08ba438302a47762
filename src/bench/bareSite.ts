import { readFile } from "node:fs/promises";
import { join, parse } from "node:path";
import { fileURLToPath } from "node:url";
import { readShaders } from "../host/node/shaderFiles.js";
import type { BenchSite } from "./site.js";

/** What lies beside the bundle as bench.json. */
export interface Manifest {
  versions: Record<string, string>;
  commit?: string;
  /** The pictures, each beside it as raw RGBA bytes. */
  images: { name: string; width: number; height: number; file: string }[];
}

/** The folder that bundle.ts writes, on a host that has Node and a GPU, and no packages. */
export async function bareSite(): Promise<BenchSite> {
  const folder = fileURLToPath(new URL(".", import.meta.url));
  const { versions, commit, images }: Manifest = JSON.parse(await readFile(join(folder, "bench.json"), "utf8"));
  return {
    readLibrary: () => readShaders(join(folder, "shaders")),
    loadImage: async (requestedName = images[0].name) => {
      const entry = images.find(({ name }) => name === requestedName || parse(name).name === requestedName);
      if (!entry)
        throw new Error(`This bundle holds no ${requestedName}, but ${images.map(({ name }) => name).join(", ")}.`);
      const { name, width, height, file } = entry;
      return { name, image: { width, height, data: new Uint8ClampedArray(await readFile(join(folder, file))) } };
    },
    gallery: async () => images.map(({ name }) => name),
    versions: { ...versions, node: process.versions.node },
    commit,
  };
}
