import type { BlobValues } from "./blob.js";

/** A box in UV space: centre, unit vector of its first axis, half its extent along both axes. */
export interface OrientedBox {
  centerX: number;
  centerY: number;
  axisX: number;
  axisY: number;
  halfLength: number;
  halfWidth: number;
}

/** A blob's support and its bounds extend to 4σ. */
export const deviations = 4;

/** Returns the 4σ box of a blob, from the eigendecomposition of Σ. CPU reference of shaders/shared/bounds.wgsl. */
export function blobBounds(blob: BlobValues): OrientedBox {
  const { varianceX: xx, varianceY: yy, correlation } = blob;
  const xy = correlation * Math.sqrt(xx * yy);
  const half = 0.5 * (xx - yy);
  const radius = Math.hypot(half, xy);
  const largest = 0.5 * (xx + yy) + radius;
  // The smallest eigenvalue is the determinant over the largest one, without cancellation.
  const smallest = (xx * yy * (1 - correlation * correlation)) / largest;
  let axisX = half >= 0 ? half + radius : xy;
  let axisY = half >= 0 ? xy : radius - half;
  // Relative to Σ, so that small tilted blobs keep their tilt.
  if (Math.abs(xy) <= 1e-6 * largest) {
    axisX = half >= 0 ? 1 : 0;
    axisY = half >= 0 ? 0 : 1;
  }
  const length = Math.hypot(axisX, axisY);
  return {
    centerX: blob.centerX,
    centerY: blob.centerY,
    axisX: axisX / length,
    axisY: axisY / length,
    halfLength: deviations * Math.sqrt(largest),
    halfWidth: deviations * Math.sqrt(smallest),
  };
}

/** The separating-axis test on the axes of both boxes: returns false if one of the four separates them. */
export function intersects(a: OrientedBox, b: OrientedBox): boolean {
  return !(
    separates(a.axisX, a.axisY, a, b) || //@ sat.axis0
    separates(-a.axisY, a.axisX, a, b) || //@ sat.axis1
    separates(b.axisX, b.axisY, a, b) || //@ sat.axis2
    separates(-b.axisY, b.axisX, a, b) //@ sat.axis3
  );
}

/** Returns the axes that `intersects` tests, in its order. */
export function testedAxes(a: OrientedBox, b: OrientedBox): [x: number, y: number][] {
  return [a, b].flatMap(({ axisX, axisY }): [number, number][] => [
    [axisX, axisY],
    [-axisY, axisX],
  ]);
}

/** Returns whether the projections of two boxes onto an axis, a unit vector, are disjoint. */
export function separates(axisX: number, axisY: number, a: OrientedBox, b: OrientedBox): boolean {
  const distance = Math.abs((b.centerX - a.centerX) * axisX + (b.centerY - a.centerY) * axisY);
  return distance > reach(a, axisX, axisY) + reach(b, axisX, axisY); //@ sat.compare
}

/** Returns half the extent of a box along an axis. */
export function reach(box: OrientedBox, axisX: number, axisY: number): number {
  const along = Math.abs(box.axisX * axisX + box.axisY * axisY);
  const across = Math.abs(box.axisX * axisY - box.axisY * axisX);
  return box.halfLength * along + box.halfWidth * across;
}
