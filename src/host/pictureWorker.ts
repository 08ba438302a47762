// Decodes pictures away from the page's own thread: a large one takes a second.
import type { Image } from "../engine/image.js";
import { reduceImage } from "../engine/reduce.js";

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
  let bitmap: ImageBitmap;
  try {
    // Pixels as they are in the file, upright as its EXIF orientation says.
    bitmap = await createImageBitmap(file, { premultiplyAlpha: "none", colorSpaceConversion: "none" });
  } catch {
    return { failed: "unreadable" };
  }
  const original = { width: bitmap.width, height: bitmap.height };
  try {
    const canvas = new OffscreenCanvas(original.width, original.height);
    const context = canvas.getContext("2d", { willReadFrequently: true })!;
    context.fillStyle = "white";
    context.fillRect(0, 0, original.width, original.height);
    context.drawImage(bitmap, 0, 0);
    const { data } = context.getImageData(0, 0, original.width, original.height);
    return { image: reduceImage({ ...original, data }, longest), original };
  } catch {
    return { failed: "too large" };
  } finally {
    bitmap.close();
  }
}
