import type { Blob, BlobValues } from "./blob.js";
import { deviations } from "./bounds.js";
import type { UvMapping } from "./uv.js";

/** A blob on a render's pixels: a pixel is (pixel − centre) · perDeviation standard deviations away. */
export interface PixelBlob {
  centerX: number;
  centerY: number;
  perDeviationX: number;
  perDeviationY: number;
  correlation: number;
}

/** Twin of pixelBlob in shaders/binned/support.wgsl. */
export function pixelBlob(blob: Blob, uv: UvMapping): PixelBlob {
  return {
    centerX: (blob.centerX - uv.offsetX) / uv.scaleX,
    centerY: (blob.centerY - uv.offsetY) / uv.scaleY,
    perDeviationX: blob.perDeviationX * uv.scaleX,
    perDeviationY: blob.perDeviationY * uv.scaleY,
    correlation: blob.correlation,
  };
}

/**
 * Whether a pixel of the tile at this column and row can lie on the blob's support, its 4σ ellipse. In standard
 * deviations the support is x² − 2ρxy + y² ≤ 16 (1 − ρ²) and the tile a box, whose nearest point decides.
 * Twin of meetsTile in shaders/binned/support.wgsl.
 */
export function meetsTile(blob: PixelBlob, column: number, row: number, [width, height]: [number, number]): boolean {
  const lowX = (column * width - blob.centerX) * blob.perDeviationX;
  const lowY = (row * height - blob.centerY) * blob.perDeviationY;
  const highX = lowX + (width - 1) * blob.perDeviationX;
  const highY = lowY + (height - 1) * blob.perDeviationY;
  const { correlation: rho } = blob;
  const distance = (x: number, y: number) => x * x - 2 * rho * x * y + y * y;
  const nearestX = clamp(0, lowX, highX);
  const nearestY = clamp(0, lowY, highY);
  // The minimum lies at the centre, or on a side that faces it.
  let least = nearestX === 0 && nearestY === 0 ? 0 : Number.POSITIVE_INFINITY;
  if (nearestX !== 0) least = Math.min(least, distance(nearestX, clamp(rho * nearestX, lowY, highY)));
  if (nearestY !== 0) least = Math.min(least, distance(clamp(rho * nearestY, lowX, highX), nearestY));
  return least <= deviations ** 2 * 1.000625 * (1 - rho * rho);
}

/** Sums over a blob's pixels: of dL/dpower, and of it times x, y, x², xy and y² in standard deviations. */
export interface Moments {
  sum: number;
  x: number;
  y: number;
  xx: number;
  xy: number;
  yy: number;
}

/** dL/d(centre, variances, correlation, opacity) from the moments. Twin of gradientOfMoments in binned/lists.wgsl. */
export function gradientOfMoments(blob: Blob, { sum, x, y, xx, xy, yy }: Moments): Partial<BlobValues> {
  const { correlation: rho, stretch } = blob;
  return {
    centerX: stretch * (x - rho * y) * blob.perDeviationX,
    centerY: stretch * (y - rho * x) * blob.perDeviationY,
    varianceX: (0.5 * stretch * (xx - rho * xy)) / blob.varianceX,
    varianceY: (0.5 * stretch * (yy - rho * xy)) / blob.varianceY,
    correlation: stretch * (xy - rho * stretch * (xx - 2 * rho * xy + yy)),
    opacity: blob.opacity === 0 ? 0 : sum / blob.opacity,
  };
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(Math.max(value, low), high);
}
