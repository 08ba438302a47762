import type { Image } from "../engine/image.js";
import { element } from "./element.js";

/** A canvas of an image's own pixels. */
export function canvasOf({ width, height, data }: Image): HTMLCanvasElement {
  const canvas = element("canvas", { width, height });
  canvas.getContext("2d")!.putImageData(new ImageData(data as Uint8ClampedArray<ArrayBuffer>, width, height), 0, 0);
  return canvas;
}
