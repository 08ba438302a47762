import { type OrientedBox, reach, separates, testedAxes } from "../../../engine/model/bounds.js";

const sides = ["blob’s long side", "blob’s short side", "tile’s width", "tile’s height"] as const;

type Pair = [number, number];

/** The separating-axis test on one axis, in UV units. */
export type AxisTest = ReturnType<typeof axisTests>[number];

/** Returns the test on all four axes, in the order of `intersects`. */
export function axisTests(blob: OrientedBox, tile: OrientedBox) {
  return testedAxes(blob, tile).map(([x, y], index) => {
    // Half lengths of the projections.
    const [blobReach, tileReach] = [reach(blob, x, y), reach(tile, x, y)];
    const offset = (blob.centerX - tile.centerX) * x + (blob.centerY - tile.centerY) * y;
    return {
      axis: [x, y] as Pair,
      along: sides[index],
      /** Between the centres, along the axis. */
      distance: Math.abs(offset),
      blobReach,
      tileReach,
      /** Between the two projections; negative where they overlap. */
      gap: Math.abs(offset) - (blobReach + tileReach),
      separates: separates(x, y, blob, tile),
      /** The ends of each projection, from the centre of the tile. */
      blob: [offset - blobReach, offset + blobReach] as Pair,
      tile: [-tileReach, tileReach] as Pair,
    };
  });
}

/** Returns the tests that `intersects` makes: up to the first that separates. */
export function performedTests(tests: AxisTest[]): AxisTest[] {
  const first = tests.findIndex((test) => test.separates);
  return first < 0 ? tests : tests.slice(0, first + 1);
}

/** Returns the largest gap between two boxes on any of the four axes; negative if they meet. */
export function largestGap(blob: OrientedBox, tile: OrientedBox): number {
  return Math.max(...axisTests(blob, tile).map(({ gap }) => gap));
}
