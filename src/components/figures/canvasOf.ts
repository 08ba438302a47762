import type { Image } from "../../engine/image.js";
import { element } from "../element.js";

/**
 * An image's own pixels, or a part of them; what is part of no pixel stays clear.
 * @param alt what it shows, for who does not see it
 */
export function canvasOf(
  image: Image,
  alt: string,
  { x = 0, y = 0, width = image.width, height = image.height } = {},
): HTMLCanvasElement {
  const canvas = element("canvas", { role: "img", "aria-label": alt, width, height });
  const data = new ImageData(image.data as Uint8ClampedArray<ArrayBuffer>, image.width, image.height);
  canvas.getContext("2d")!.putImageData(data, -x, -y);
  return canvas;
}
