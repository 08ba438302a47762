import type { Size } from "../../engine/image/image.js";
import type { Rect } from "../../engine/regions/plan.js";
import type { View } from "../images/view.js";

/**
 * Returns the visible part of an image and the size to draw it at. Both have the same aspect ratio, so the part may extend
 * beyond the image by less than a drawn pixel.
 * @param size of the image
 * @param frame size on the screen of the element with the whole image
 * @param available size of the visible area around the frame
 * @param density drawn pixels per CSS pixel
 * @returns also `crop`, the part shifted by half a pixel: a pixel is drawn at its corner and shown as its area
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

/** Returns the visible range along one side of an image: its start and its length, in fractions of the side. */
function visibleRange(at: number, zoom: number, frame: number, available: number): [from: number, length: number] {
  const beyond = Math.max(0, available / frame - 1) / 2 / zoom;
  const from = Math.max(0, at - beyond);
  return [from, Math.min(1, at + 1 / zoom + beyond) - from];
}

/** Returns the position and the size of a part of an image in a frame, in fractions of the frame. */
export function positionInView(part: Rect, size: Size, { zoom, x, y }: View) {
  return {
    left: zoom * (part.x / size.width - x),
    top: zoom * (part.y / size.height - y),
    width: (zoom * part.width) / size.width,
    height: (zoom * part.height) / size.height,
  };
}

/** Returns the indices of the regions that overlap a part. */
export function regionsIn(regions: readonly Rect[], part: Rect): number[] {
  return regions.flatMap(({ x, y, width, height }, i) =>
    x < part.x + part.width && part.x < x + width && y < part.y + part.height && part.y < y + height ? [i] : [],
  );
}

/** Estimates the number of blobs in a part, as if blobs were distributed evenly within their regions. */
export function blobsIn(regions: readonly (Rect & { blobs: number })[], part: Rect): number {
  const overlap = (a: number, length: number, b: number, other: number) =>
    Math.max(0, Math.min(a + length, b + other) - Math.max(a, b)) / length;
  return regions.reduce((sum, { x, y, width, height, blobs }) => {
    return sum + blobs * overlap(x, width, part.x, part.width) * overlap(y, height, part.y, part.height);
  }, 0);
}

/** Returns the index of the region that contains a pixel. */
export function regionAt(regions: readonly Rect[], x: number, y: number): number {
  return regions.findIndex(
    (region) => x >= region.x && x < region.x + region.width && y >= region.y && y < region.y + region.height,
  );
}
