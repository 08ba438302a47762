import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { decodeImage } from "../host/imageFile.js";
import { readShaders } from "../host/node.js";
import type { BenchSite } from "./bench/bench.js";
import { projectRoot } from "./install.js";
import { gitCommit, versions } from "./versions.js";

/** Reads the checkout's shaders. */
export const readLibrary = () => readShaders(join(projectRoot, "shaders"));

/** A benchmark in this checkout. */
export function checkoutSite(): BenchSite {
  const folder = join(projectRoot, "data", "images");
  return {
    readLibrary,
    loadImage: async (path = join(folder, "astronaut.png")) => ({
      name: basename(path),
      image: await decodeImage(path),
    }),
    gallery: async () => {
      const names = await readdir(folder);
      return names.filter((name) => /\.(png|jpg)$/.test(name)).map((name) => join(folder, name));
    },
    versions: versions(),
    commit: gitCommit(),
  };
}
