import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Image } from "../engine/image/image.js";
import type { ShaderLibrary } from "../engine/shaders.js";
import { gitCommit } from "../host/node/checkout.js";
import { decodeImage } from "../host/node/imageFile.js";
import { projectRoot } from "../host/node/install.js";
import { readLibrary, versions } from "../host/node/project.js";
import { usageFailure } from "../terminal/failure.js";

/** Where the benchmark runs: a checkout, or a folder that `npm run bench:bundle` wrote. */
export interface BenchSite {
  readLibrary(): Promise<ShaderLibrary>;
  /** Loads an image; the site's own if `path` is absent. */
  loadImage(path: string | undefined): Promise<{ name: string; image: Image }>;
  /** Returns the paths of the site's images. */
  gallery(): Promise<string[]>;
  readonly versions: Record<string, string>;
  readonly commit: string | undefined;
}

/** Returns the benchmark site of this checkout or package. */
export function checkoutSite(): BenchSite {
  const images = () => {
    const folder = join(projectRoot, "data", "images");
    if (existsSync(folder)) return folder;
    throw usageFailure("bench needs an image, such as splatbook bench photo.jpg. Only a checkout has data/images.");
  };
  return {
    readLibrary,
    loadImage: async (path = join(images(), "astronaut.png")) => ({
      name: basename(path),
      image: await decodeImage(path),
    }),
    gallery: async () => {
      const folder = images();
      const names = await readdir(folder);
      return names.filter((name) => /\.(png|jpg)$/.test(name)).map((name) => join(folder, name));
    },
    get versions() {
      return versions();
    },
    // Running git takes longer than printing a help text.
    get commit() {
      return gitCommit();
    },
  };
}
