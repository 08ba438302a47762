import type { Image, Size } from "../../engine/image/image.js";
import { reduceImage } from "../../engine/image/reduce.js";
import { decodeImageBytes } from "./imageFile.js";

/** Decodes an image as `decodeImage` of the library, in Node and Deno. The library's package has this module. */
export async function decodeFile(file: Blob, name: string, longest: number): Promise<{ image: Image; original: Size }> {
  const image = await decodeImageBytes(new Uint8Array(await file.arrayBuffer()), name).catch((error) => {
    const hasSharp = error?.code !== "ERR_MODULE_NOT_FOUND";
    throw hasSharp ? error : new Error("Images are decoded by the package sharp here. Install it: npm install sharp.");
  });
  const { width, height } = image;
  return { image: reduceImage(image, longest), original: { width, height } };
}
