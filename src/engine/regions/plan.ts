import type { Size } from "../image/image.js";

/** A rectangle of an image, in pixels. */
export interface Rect extends Size {
  x: number;
  y: number;
}

/** A region of an image that is fitted in regions. */
export interface Region {
  /** Its own pixels; every pixel of the image belongs to one region. */
  own: Rect;
  /** The pixels that its blobs learn: its own, and a halo around them. */
  learned: Rect;
  /** Bounds of its blobs: slightly beyond the learned pixels, since the edges need blobs there. */
  bounds: Rect;
}

/** How an image is fitted in regions: first the regions, then the windows over their seams, in this order. */
export interface RegionPlan {
  regions: Region[];
  windows: Rect[];
}

/** Default side of a region, in pixels. */
export const defaultSide = 2048;

/** Largest width of a halo in pixels; at most a quarter of a region's side. */
const maxHalo = 128;

/** Extent of a window to each side of its seam, in halo widths. */
const windowReach = 2;

/**
 * Returns the regions of an image in row order, as few and as equal in size as possible, and the windows over the seams
 * between them: vertical seams first, then horizontal ones. A window extends beyond the ends of its seam, so each
 * crossing is well inside at least one window.
 * @param side largest side of a region, in pixels
 */
export function planRegions(size: Size, side: number): RegionPlan {
  const xs = cutPositions(size.width, side);
  const ys = cutPositions(size.height, side);
  const halo = Math.min(maxHalo, Math.ceil(side / 4));
  const rows = ys.slice(1).map((bottom, i) => ({ y: ys[i], height: bottom - ys[i] }));
  const columns = xs.slice(1).map((right, i) => ({ x: xs[i], width: right - xs[i] }));
  const seams = [
    ...rows.flatMap((row) => xs.slice(1, -1).map((x) => ({ ...row, x, width: 0 }))),
    ...ys.slice(1, -1).flatMap((y) => columns.map((column) => ({ ...column, y, height: 0 }))),
  ];
  const regions = rows.flatMap((row) => columns.map((column) => ({ ...column, ...row })));
  return {
    regions: regions.map((own) => ({
      own,
      learned: expandRect(own, halo, size),
      bounds: expandRect(own, Math.round(1.5 * halo), size),
    })),
    windows: seams.map((seam) => expandRect(seam, windowReach * halo, size)),
  };
}

/**
 * Returns how many of a plan's first tasks must be done before a task can start. Regions are independent; a window needs
 * the regions and earlier windows with blobs in it.
 * @param taskIndex index of the task, regions first
 */
export function neededBefore({ regions, windows }: RegionPlan, taskIndex: number): number {
  const window = windows[taskIndex - regions.length];
  if (!window) return 0;
  const before = [...regions.map(({ bounds }) => bounds), ...windows].slice(0, taskIndex);
  return before.findLastIndex((rect) => areTouching(rect, window)) + 1;
}

/** Returns whether two rectangles share a pixel or an edge. */
function areTouching(a: Rect, b: Rect): boolean {
  const overlaps = (a: number, length: number, b: number, other: number) => a <= b + other && b <= a + length;
  return overlaps(a.x, a.width, b.x, b.width) && overlaps(a.y, a.height, b.y, b.height);
}

/** Returns where a side is cut into pieces of at most `maxLength`, including both ends. */
function cutPositions(length: number, maxLength: number): number[] {
  const pieces = Math.ceil(length / maxLength);
  return Array.from({ length: pieces + 1 }, (_, i) => Math.round((i * length) / pieces));
}

/** Returns a rectangle with a margin around it, inside the image. */
function expandRect({ x, y, width, height }: Rect, margin: number, size: Size): Rect {
  const [left, top] = [Math.max(0, x - margin), Math.max(0, y - margin)];
  const right = Math.min(size.width, x + width + margin);
  const bottom = Math.min(size.height, y + height + margin);
  return { x: left, y: top, width: right - left, height: bottom - top };
}

/** Returns the number of pixels of a rectangle. */
export function areaOf({ width, height }: Size): number {
  return width * height;
}
