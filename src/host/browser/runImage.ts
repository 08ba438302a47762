import type { Image } from "../../engine/image/image.js";
import { decodeImage } from "./pictures.js";

/** Decodes a picture of a run; what `RunSource` asks of a browser. */
export async function decodeRunImage(png: Uint8Array, file: string): Promise<Image> {
  const blob = new Blob([png as Uint8Array<ArrayBuffer>], { type: "image/png" });
  return (await decodeImage(blob, file, Number.POSITIVE_INFINITY)).image;
}
