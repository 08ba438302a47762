import type { Size } from "../image/image.js";

/** A rectangle of a picture, in pixels. */
export interface Rect extends Size {
  x: number;
  y: number;
}

/** A region of a picture that is fitted part by part. */
export interface Region {
  /** Its own pixels; regions share none, and leave none out. */
  own: Rect;
  /** What its blobs learn: its own pixels, and a halo of the pixels around them. */
  learned: Rect;
  /** How far its blobs may reach: nothing tells them what lies beyond what they learn, but at its ends some are needed. */
  bounds: Rect;
}

/** How a picture is fitted by regions: the regions first, and then the windows over their seams, each in this order. */
export interface RegionPlan {
  regions: Region[];
  windows: Rect[];
}

/** Pixels of a region's side, unless others are asked for. */
export const defaultSide = 2048;

/** Pixels that a halo is wide, and a quarter of a region's side at most. */
const maxHalo = 128;

/** How many times as wide as a halo a window reaches to each side of its seam. */
const windowReach = 2;

/**
 * The regions of a picture, row by row, about as large as they may be, and all about as large as each other; and the
 * windows over the seams between them: those beside each other first, then those above each other. A window reaches
 * beyond the ends of its seam, so that each crossing lies in the middle of one at least.
 * @param side of a region at most, in pixels
 */
export function planRegions(size: Size, side: number): RegionPlan {
  const xs = cutPositions(size.width, side);
  const ys = cutPositions(size.height, side);
  const halo = Math.min(maxHalo, Math.ceil(side / 4));
  const reach = windowReach * halo;
  const pieces = ys.slice(1).map((bottom, row) => ({ y: ys[row], height: bottom - ys[row] }));
  const columns = xs.slice(1).map((right, column) => ({ x: xs[column], width: right - xs[column] }));
  const own = pieces.flatMap((piece) => columns.map((column) => ({ ...column, ...piece })));
  const verticalSeams = pieces.flatMap((part) => xs.slice(1, -1).map((x) => ({ ...part, x, width: 0 })));
  const horizontalSeams = ys.slice(1, -1).flatMap((y) => columns.map((column) => ({ ...column, y, height: 0 })));
  return {
    regions: own.map((own) => ({
      own,
      learned: expandRect(own, halo, size),
      bounds: expandRect(own, Math.round(1.5 * halo), size),
    })),
    windows: [...verticalSeams, ...horizontalSeams].map((seam) => expandRect(seam, reach, size)),
  };
}

/**
 * How many of a plan's first regions and windows have to be done before one of them can be learned: what a region learns
 * needs no other, and a window needs what can be seen in it, which regions and earlier windows may have put there.
 * @param taskIndex its place among them, the regions first
 */
export function neededBefore({ regions, windows }: RegionPlan, taskIndex: number): number {
  const window = windows[taskIndex - regions.length];
  if (!window) return 0;
  const before = [...regions.map(({ bounds }) => bounds), ...windows].slice(0, taskIndex);
  return before.findLastIndex((rect) => areTouching(rect, window)) + 1;
}

/** Whether two rectangles share a pixel, or an edge. */
function areTouching(a: Rect, b: Rect): boolean {
  const overlaps = (a: number, length: number, b: number, other: number) => a <= b + other && b <= a + length;
  return overlaps(a.x, a.width, b.x, b.width) && overlaps(a.y, a.height, b.y, b.height);
}

/** Where a side is cut into parts that are at most so long, its ends included. */
function cutPositions(length: number, maxLength: number): number[] {
  const pieces = Math.ceil(length / maxLength);
  return Array.from({ length: pieces + 1 }, (_, i) => Math.round((i * length) / pieces));
}

/** A rectangle with a margin around it, as far as the picture goes. */
function expandRect({ x, y, width, height }: Rect, margin: number, size: Size): Rect {
  const [left, top] = [Math.max(0, x - margin), Math.max(0, y - margin)];
  const right = Math.min(size.width, x + width + margin);
  const bottom = Math.min(size.height, y + height + margin);
  return { x: left, y: top, width: right - left, height: bottom - top };
}

/** The number of pixels of a rectangle. */
export function areaOf({ width, height }: Size): number {
  return width * height;
}
