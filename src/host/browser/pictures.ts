import type { Image } from "../../engine/image/image.js";
import { type FetchedFile, fetchFile } from "./fetchFile.js";
import type { ImageReply, ImageRequest } from "./pictureWorker.js";

/** A decoded image, composited over white. */
interface DecodedImage {
  image: Image;
  /** Its size before it was reduced. */
  original: { width: number; height: number };
}

/** An image to train on, and where it comes from. */
export interface ChosenImage extends DecodedImage {
  name: string;
  /** Its name in the gallery, if it is from there. */
  inGallery?: string;
}

let worker: Worker | undefined;
let requests = 0;

/**
 * Decodes an image, upright and in sRGB, and scales it down if its longer side has more than
 * `longest` pixels.
 * @throws Error of one sentence
 */
export async function decodeImage(file: Blob, name: string, longest: number): Promise<DecodedImage> {
  if (file.size === 0) throw new Error(`${name} is empty.`);
  const { image, original, failed } = await askWorker({ id: ++requests, file, name, longest });
  if (!image || !original) throw new Error(failed);
  return { image, original };
}

function askWorker(request: ImageRequest): Promise<ImageReply> {
  worker ??= new Worker(import.meta.resolve("./pictureWorker.js"), { type: "module" });
  const thread = worker;
  return new Promise((resolve, reject) => {
    const settle = () => {
      thread.removeEventListener("message", answered);
      thread.removeEventListener("error", failed);
    };
    const answered = ({ data }: MessageEvent<ImageReply>) => {
      if (data.id !== request.id) return;
      settle();
      resolve(data);
    };
    const failed = () => {
      settle();
      worker = undefined;
      reject(new Error("The thread that decodes images stopped. Try again."));
    };
    thread.addEventListener("message", answered);
    thread.addEventListener("error", failed);
    thread.postMessage(request);
  });
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
  const script = new URL(import.meta.resolve("./pictureFetcher.js"));
  script.searchParams.set("picture", address);
  const fetcher = new Worker(script, { type: "module" });
  return new Promise<FetchedFile>((resolve) => {
    fetcher.addEventListener("message", ({ data }) => resolve(data));
    fetcher.addEventListener("error", () => resolve({}));
  }).finally(() => fetcher.terminate());
}
