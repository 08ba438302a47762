import type { Image } from "../../engine/image/image.js";
import { decodeImage } from "./images.js";

/** Decodes an image of a run, for `RunSource`. */
export async function decodeRunImage(png: Uint8Array, file: string): Promise<Image> {
  const blob = new Blob([png as Uint8Array<ArrayBuffer>], { type: "image/png" });
  return (await decodeImage(blob, file, Number.POSITIVE_INFINITY)).image;
}
