import { liveClient } from "../workerClient.js";
import { browserPort } from "./browserWorker.js";
import { type FetchedFile, fetchFile } from "./fetchFile.js";
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

/**
 * Fetches an image from a URL. Files of other sites are fetched by a worker, since the page's policy allows only its
 * own site. The policy asks the reader to confirm the URL (trustedTypes.ts).
 * @throws Error of one sentence, such as for a site that does not allow it (CORS)
 */
export async function fetchImage(address: string): Promise<{ file: Blob; name: string }> {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const isOwn = url && (["data:", "blob:"].includes(url.protocol) || url.origin === location.origin);
  if (!url || !(isOwn || url.protocol === "https:")) {
    throw new Error("An image URL must start with https://.");
  }
  const name = url.protocol.startsWith("http") ? url.pathname.split("/").at(-1) || url.host : "the image";
  const { file, status } = await (isOwn ? fetchFile(url.href) : askFetcher(url.href));
  if (file) return { file, name };
  if (status !== undefined) throw new Error(`${url.host} answers ${status} for ${name}.`);
  throw new Error(
    `${url.host} cannot be reached, or does not let other pages read its images (CORS). Download the image and drop it here.`,
  );
}

function askFetcher(address: string): Promise<FetchedFile> {
  const script = new URL(import.meta.resolve("./imageFetcher.js"));
  script.searchParams.set("image", address);
  const fetcher = new Worker(script, { type: "module" });
  return new Promise<FetchedFile>((resolve) => {
    fetcher.addEventListener("message", ({ data }) => resolve(data));
    fetcher.addEventListener("error", () => resolve({}));
  }).finally(() => fetcher.terminate());
}
