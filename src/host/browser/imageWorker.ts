// Decodes images in a worker, since a large one takes a second.
import type { Image, Size } from "../../engine/image/image.js";
import { reduceImage } from "../../engine/image/reduce.js";
import { serveRequests } from "./browserWorker.js";
import { decodeBitmap, tooLargeError } from "./decodeBitmap.js";

export interface ImageRequest {
  file: Blob;
  /** Name of the image in errors. */
  name: string;
  /** Largest longer side in pixels. */
  longest: number;
}

/** A decoded image, composited over white. */
export interface DecodedImage {
  image: Image;
  /** Size before the image was reduced. */
  original: Size;
}

serveRequests(async ({ file, name, longest }: ImageRequest): Promise<DecodedImage> => {
  try {
    const image = await decodeBitmap(file, name);
    const { width, height } = image;
    return { image: reduceImage(image, longest), original: { width, height } };
  } catch (error) {
    throw error instanceof RangeError ? tooLargeError(name) : error;
  }
});
