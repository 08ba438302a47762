// Decodes pictures away from the page's own thread: a large one takes a second.
import type { Image } from "../engine/image.js";
import { reduceImage } from "../engine/reduce.js";
import { decodeBitmap } from "./decodeBitmap.js";

export interface PictureRequest {
  id: number;
  file: Blob;
  /** Pixels that the longer side may have. */
  longest: number;
}

export interface PictureReply {
  id: number;
  image?: Image;
  /** Size in the file, upright. */
  original?: { width: number; height: number };
  failed?: "unreadable" | "too large";
}

addEventListener("message", async ({ data: { id, file, longest } }: MessageEvent<PictureRequest>) => {
  const { image, original, failed } = await decode(file, longest);
  const reply: PictureReply = { id, image, original, failed };
  postMessage(reply, { transfer: image ? [image.data.buffer as ArrayBuffer] : [] });
});

async function decode(file: Blob, longest: number): Promise<Omit<PictureReply, "id">> {
  try {
    const image = await decodeBitmap(file);
    const { width, height } = image;
    return { image: reduceImage(image, longest), original: { width, height } };
  } catch (failed) {
    return { failed: failed === "unreadable" ? failed : "too large" };
  }
}
