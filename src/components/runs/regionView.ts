import type { Size } from "../../engine/picture/image.js";
import type { Rect } from "../../engine/regions/plan.js";
import type { View } from "../pictures/view.js";

/**
 * The part of a picture that a view shows, and the size to draw it at: the part has that size's shape, so it may reach
 * beyond the picture by less than a pixel that is drawn.
 * @param size of the picture
 * @param frame the room it is shown in, in pixels that are drawn
 */
export function partOf({ zoom, x, y }: View, size: Size, frame: Size): { crop: Rect; to: Size } {
  const to = { width: Math.max(1, Math.round(frame.width)), height: Math.max(1, Math.round(frame.height)) };
  const stride = Math.max(size.width / zoom / to.width, size.height / zoom / to.height);
  const crop = { x: x * size.width, y: y * size.height, width: stride * to.width, height: stride * to.height };
  return { crop, to };
}

/** Where a part of a picture stands in a frame that shows a view, and how large it is there, in shares of the frame. */
export function placeOf(part: Rect, size: Size, { zoom, x, y }: View) {
  return {
    left: zoom * (part.x / size.width - x),
    top: zoom * (part.y / size.height - y),
    width: (zoom * part.width) / size.width,
    height: (zoom * part.height) / size.height,
  };
}

/** The regions of which some pixels lie in a part, by their places. */
export function regionsIn(regions: readonly Rect[], part: Rect): number[] {
  return regions.flatMap(({ x, y, width, height }, i) =>
    x < part.x + part.width && part.x < x + width && y < part.y + part.height && part.y < y + height ? [i] : [],
  );
}

/** The region whose own a pixel is, by its place. */
export function regionAt(regions: readonly Rect[], x: number, y: number): number {
  return regions.findIndex((own) => x >= own.x && x < own.x + own.width && y >= own.y && y < own.y + own.height);
}
