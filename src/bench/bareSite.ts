import { readFile } from "node:fs/promises";
import { join, parse } from "node:path";
import { fileURLToPath } from "node:url";
import { mustBe } from "../engine/quoted.js";
import { readShaders } from "../host/node/shaderFiles.js";
import type { BenchSite } from "./site.js";

/** The contents of bench.json, next to the bundle. */
export interface Manifest {
  versions: Record<string, string>;
  commit?: string;
  /** The images; their files contain raw RGBA bytes. */
  images: { name: string; width: number; height: number; file: string }[];
}

/** Returns the benchmark site in a folder that bundle.ts wrote. */
export async function bareSite(): Promise<BenchSite> {
  const folder = fileURLToPath(new URL(".", import.meta.url));
  const { versions, commit, images }: Manifest = JSON.parse(await readFile(join(folder, "bench.json"), "utf8"));
  return {
    readLibrary: () => readShaders(join(folder, "shaders")),
    loadImage: async (requestedName = images[0].name) => {
      const entry = images.find(({ name }) => name === requestedName || parse(name).name === requestedName);
      if (!entry) {
        const names = images.map(({ name }) => name).join(", ");
        throw new Error(mustBe("image", `one of ${names} in this bundle`, requestedName));
      }
      const { name, width, height, file } = entry;
      return { name, image: { width, height, data: new Uint8ClampedArray(await readFile(join(folder, file))) } };
    },
    gallery: async () => images.map(({ name }) => name),
    versions: { ...versions, node: process.versions.node },
    commit,
  };
}
