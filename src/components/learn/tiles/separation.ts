import { type OrientedBox, reach, separates, testedAxes } from "../../../engine/model/bounds.js";

/** Of the blob's box a long and a short one, of the tile a width and a height. */
const sides = ["blob’s long side", "blob’s short side", "tile’s width", "tile’s height"] as const;

type Pair = [number, number];

/** The separating-axis test on one axis. Lengths are in UV. */
export type AxisTest = ReturnType<typeof axisTests>[number];

/** The test on all four axes, in the order of `intersects`; that ends at the first that separates. */
export function axisTests(blob: OrientedBox, tile: OrientedBox) {
  return testedAxes(blob, tile).map(([x, y], index) => {
    // Half of what each box covers of the axis.
    const [blobReach, tileReach] = [reach(blob, x, y), reach(tile, x, y)];
    const offset = (blob.centerX - tile.centerX) * x + (blob.centerY - tile.centerY) * y;
    return {
      axis: [x, y] as Pair,
      along: sides[index],
      /** Between the centres, along the axis. */
      distance: Math.abs(offset),
      blobReach,
      tileReach,
      /** Between the two shadows; below zero they overlap by as much. */
      gap: Math.abs(offset) - (blobReach + tileReach),
      separates: separates(x, y, blob, tile),
      /** What each covers, from the middle of the tile. */
      blob: [offset - blobReach, offset + blobReach] as Pair,
      tile: [-tileReach, tileReach] as Pair,
    };
  });
}

/** The tests that `intersects` makes: up to the first that separates. */
export function performedTests(tests: AxisTest[]): AxisTest[] {
  const first = tests.findIndex((test) => test.separates);
  return first < 0 ? tests : tests.slice(0, first + 1);
}

/** How far apart two boxes are on the axis that parts them most; below zero where none does. */
export function largestGap(blob: OrientedBox, tile: OrientedBox): number {
  return Math.max(...axisTests(blob, tile).map(({ gap }) => gap));
}
