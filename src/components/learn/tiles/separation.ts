import { type OrientedBox, reach, separates, testedAxes } from "../../../engine/cpu/bounds.js";

const sides = ["blob’s long side", "blob’s short side", "tile’s width", "tile’s height"] as const;

/** The separating-axis test on one axis. Lengths are in UV. */
export interface AxisTest {
  axis: [x: number, y: number];
  /** Whose side it lies along: the blob's box has a long and a short one, the tile a width and a height. */
  along: (typeof sides)[number];
  distance: number;
  /** Half of what each box covers of the axis. */
  blobReach: number;
  tileReach: number;
  /** Between the two shadows; below zero they overlap by as much. */
  gap: number;
  separates: boolean;
  /** What each covers, from the middle of the tile. */
  blob: [low: number, high: number];
  tile: [low: number, high: number];
}

/** The test on all four axes, in the order of `intersects`; that ends at the first that separates. */
export function axisTests(blob: OrientedBox, tile: OrientedBox): AxisTest[] {
  return testedAxes(blob, tile).map(([x, y], index) => {
    const blobReach = reach(blob, x, y);
    const tileReach = reach(tile, x, y);
    const middle = (blob.centerX - tile.centerX) * x + (blob.centerY - tile.centerY) * y;
    return {
      axis: [x, y],
      along: sides[index],
      distance: Math.abs(middle),
      blobReach,
      tileReach,
      gap: Math.abs(middle) - (blobReach + tileReach),
      separates: separates(x, y, blob, tile),
      blob: [middle - blobReach, middle + blobReach],
      tile: [-tileReach, tileReach],
    };
  });
}

/** The tests that `intersects` makes: up to the first that separates. */
export function askedTests(tests: AxisTest[]): AxisTest[] {
  const first = tests.findIndex((test) => test.separates);
  return first < 0 ? tests : tests.slice(0, first + 1);
}

/** How far apart two boxes are on the axis that parts them most; below zero where none does. */
export function largestGap(blob: OrientedBox, tile: OrientedBox): number {
  return Math.max(...axisTests(blob, tile).map(({ gap }) => gap));
}

/** The corners of a box, one after the other. */
export function cornersOf({ centerX, centerY, axisX, axisY, halfLength, halfWidth }: OrientedBox): [number, number][] {
  return [
    [-1, -1],
    [1, -1],
    [1, 1],
    [-1, 1],
  ].map(([along, across]) => [
    centerX + along * halfLength * axisX - across * halfWidth * axisY,
    centerY + along * halfLength * axisY + across * halfWidth * axisX,
  ]);
}
