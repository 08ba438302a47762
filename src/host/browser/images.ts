import { liveClient } from "../workerClient.js";
import { browserPort } from "./browserWorker.js";
import type { DecodedImage, ImageRequest } from "./imageWorker.js";

/** An image to train on, and where it comes from. */
export interface ChosenImage extends DecodedImage {
  name: string;
  /** Its name in the gallery, if it is from there. */
  inGallery?: string;
}

/** Returns the worker that decodes images; starts it if none is there. */
export const startDecoder = liveClient<ImageRequest, DecodedImage>(
  () => browserPort(import.meta.resolve("./imageWorker.js")),
  "The thread that decodes images",
);

/**
 * Decodes an image, upright and in sRGB, and reduces it if its longer side has more than `longest` pixels. In Node and
 * Deno, it needs the package `sharp`.
 * @throws Error of one sentence
 */
export async function decodeImage(file: Blob, name: string, longest: number): Promise<DecodedImage> {
  if (file.size === 0) throw new Error(`${name} is empty.`);
  if ("getBuiltinModule" in (globalThis.process ?? {}) && !globalThis.document) {
    // A module of the library's package. Bundlers for browsers must not look for it.
    const module = await import(
      /* @vite-ignore */ /* webpackIgnore: true */ globalThis.process && "splatbook/decodeFile"
    );
    return module.decodeFile(file, name, longest);
  }
  return startDecoder().ask({ file, name, longest });
}
