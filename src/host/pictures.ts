import type { Image } from "../engine/image.js";
import type { PictureReply, PictureRequest } from "./pictureWorker.js";

/** A decoded picture, over white where it was transparent. */
export interface DecodedPicture {
  image: Image;
  /** Its size before it was reduced. */
  original: { width: number; height: number };
}

let worker: Worker | undefined;
let requests = 0;

/**
 * Decodes a picture, upright, its values as they are in the file, and reduces it if its longer side has more than
 * `longest` pixels.
 * @throws Error of one sentence
 */
export async function decodePicture(file: Blob, name: string, longest: number): Promise<DecodedPicture> {
  if (file.size === 0) throw new Error(`${name} is empty.`);
  const { image, original, failed } = await askWorker({ id: ++requests, file, name, longest });
  if (!image || !original) throw new Error(failed);
  return { image, original };
}

function askWorker(request: PictureRequest): Promise<PictureReply> {
  worker ??= new Worker(import.meta.resolve("./pictureWorker.js"), { type: "module" });
  const thread = worker;
  return new Promise((resolve, reject) => {
    const settle = () => {
      thread.removeEventListener("message", answered);
      thread.removeEventListener("error", failed);
    };
    const answered = ({ data }: MessageEvent<PictureReply>) => {
      if (data.id !== request.id) return;
      settle();
      resolve(data);
    };
    const failed = () => {
      settle();
      worker = undefined;
      reject(new Error("The thread that decodes pictures stopped; try again."));
    };
    thread.addEventListener("message", answered);
    thread.addEventListener("error", failed);
    thread.postMessage(request);
  });
}

/**
 * Fetches the file behind a URL.
 * @throws Error of one sentence, above all where the other site does not let this page read it
 */
export async function fetchPicture(address: string): Promise<{ file: Blob; name: string }> {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url || !["http:", "https:", "data:", "blob:"].includes(url.protocol)) {
    throw new Error("An address begins with https:// and leads to a picture.");
  }
  const name = url.protocol.startsWith("http") ? url.pathname.split("/").at(-1) || url.host : "the picture";
  let response: Response;
  try {
    response = await fetch(url, { credentials: "omit", referrerPolicy: "no-referrer" });
  } catch {
    throw new Error(
      `${url.host} cannot be reached, or does not let other pages read its pictures (CORS); download the picture and drop it here.`,
    );
  }
  if (!response.ok) throw new Error(`${url.host} answers ${response.status} for ${name}.`);
  return { file: await response.blob(), name };
}
