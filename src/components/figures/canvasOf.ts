import type { Image } from "../../engine/image.js";
import { element } from "../element.js";

/**
 * A canvas on the page that shows a picture, pixel for pixel.
 * @param label what is to be seen, where nothing beside it says so
 */
export function canvasOf({ width, height, data }: Image, label?: string): HTMLCanvasElement {
  const said = label === undefined ? { "aria-hidden": "true" } : { role: "img", "aria-label": label };
  const canvas = element("canvas", { width, height, ...said });
  canvas.getContext("2d")!.putImageData(new ImageData(new Uint8ClampedArray(data), width, height), 0, 0);
  return canvas;
}
