import { html } from "htl";
import type { Image } from "../../engine/image/image.js";

/**
 * Returns a canvas with an image, or a part of it, pixel for pixel.
 * @param label alternative text, if the canvas needs one
 */
export function imageCanvas(
  image: Image,
  label?: string,
  { x = 0, y = 0, width = image.width, height = image.height } = {},
): HTMLCanvasElement {
  const aria = label === undefined ? { "aria-hidden": "true" } : { role: "img", "aria-label": label };
  const canvas = html<HTMLCanvasElement>`<canvas width=${width} height=${height} ${aria}></canvas>`;
  const data = new ImageData(new Uint8ClampedArray(image.data), image.width, image.height);
  canvas.getContext("2d")!.putImageData(data, -x, -y);
  return canvas;
}
