import type { Size } from "../../engine/image/image.js";
import type { Rect } from "../../engine/regions/plan.js";
import type { View } from "../images/view.js";

/**
 * The part of a picture that a view shows, and the size to draw it at: the part has that size's shape, so it may reach
 * beyond the picture by less than a pixel that is drawn.
 * @param size of the picture
 * @param frame that has the picture's shape, on the screen
 * @param available in whose middle the frame stands, where more can be seen than in the frame
 * @param density pixels that are drawn for one of the screen
 * @returns also as what the part is to be drawn, since a pixel is drawn as what is at its corner, and shown as its area
 */
export function visiblePart(
  { zoom, x, y }: View,
  size: Size,
  frame: Size,
  available = frame,
  density = 1,
): { part: Rect; crop: Rect; to: Size } {
  const [left, across] = visibleRange(x, zoom, frame.width, available.width);
  const [top, down] = visibleRange(y, zoom, frame.height, available.height);
  const pixels = (length: number) => Math.max(1, Math.round(density * zoom * length));
  const to = { width: pixels(across * frame.width), height: pixels(down * frame.height) };
  const stride = Math.max((across * size.width) / to.width, (down * size.height) / to.height);
  const part = { x: left * size.width, y: top * size.height, width: stride * to.width, height: stride * to.height };
  const corner = (stride - 1) / 2;
  return { part, crop: { ...part, x: part.x + corner, y: part.y + corner }, to };
}

/** From where a side of a picture is seen, and how much of it: in shares of the side. */
function visibleRange(at: number, zoom: number, frame: number, available: number): [from: number, share: number] {
  const beyond = Math.max(0, available / frame - 1) / 2 / zoom;
  const from = Math.max(0, at - beyond);
  return [from, Math.min(1, at + 1 / zoom + beyond) - from];
}

/** Where a part of a picture stands in a frame that shows a view, and how large it is there, in shares of the frame. */
export function positionInView(part: Rect, size: Size, { zoom, x, y }: View) {
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

/** About how many blobs lie in a part, as if each region had its own spread evenly. */
export function blobsIn(regions: readonly (Rect & { blobs: number })[], part: Rect): number {
  const overlap = (a: number, length: number, b: number, other: number) =>
    Math.max(0, Math.min(a + length, b + other) - Math.max(a, b)) / length;
  return regions.reduce((sum, { x, y, width, height, blobs }) => {
    return sum + blobs * overlap(x, width, part.x, part.width) * overlap(y, height, part.y, part.height);
  }, 0);
}

/** The region whose own a pixel is, by its place. */
export function regionAt(regions: readonly Rect[], x: number, y: number): number {
  return regions.findIndex(
    (region) => x >= region.x && x < region.x + region.width && y >= region.y && y < region.y + region.height,
  );
}
