// Decodes images in a worker, since a large one takes a second.
import type { Image } from "../../engine/image/image.js";
import { reduceImage } from "../../engine/image/reduce.js";
import { decodeBitmap, tooLargeError } from "./decodeBitmap.js";

export interface ImageRequest {
  id: number;
  file: Blob;
  /** Name of the image in errors. */
  name: string;
  /** Largest longer side in pixels. */
  longest: number;
}

export interface ImageReply {
  id: number;
  image?: Image;
  /** Size in the file, upright. */
  original?: { width: number; height: number };
  /** Why it cannot be decoded, as a sentence. */
  failed?: string;
}

addEventListener("message", async ({ data }: MessageEvent<ImageRequest>) => {
  const reply: ImageReply = { id: data.id, ...(await decode(data)) };
  postMessage(reply, { transfer: reply.image ? [reply.image.data.buffer as ArrayBuffer] : [] });
});

async function decode({ file, name, longest }: ImageRequest): Promise<Omit<ImageReply, "id">> {
  try {
    const image = await decodeBitmap(file, name);
    const { width, height } = image;
    return { image: reduceImage(image, longest), original: { width, height } };
  } catch (error) {
    return { failed: (error instanceof RangeError ? tooLargeError(name) : (error as Error)).message };
  }
}
