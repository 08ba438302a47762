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
  const gallery = join(projectRoot, "data", "images", "astronaut.png");
  return {
    readLibrary,
    loadImage: async (path = gallery) => ({ name: basename(path), image: await decodeImage(path) }),
    versions: versions(),
    commit: gitCommit(),
  };
}
