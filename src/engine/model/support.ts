import { clamp } from "../clamp.js";
import { type Blob, type BlobValues, lowestPower } from "./blob.js";
import { deviations } from "./bounds.js";
import type { UvMapping } from "./uv.js";

/** Returns whether a blob's support can reach the image. */
export function meetsImage({ centerX, centerY, perDeviationX, perDeviationY }: Blob): boolean {
  const reachX = deviations / perDeviationX;
  const reachY = deviations / perDeviationY;
  return centerX + reachX >= 0 && centerX - reachX <= 1 && centerY + reachY >= 0 && centerY - reachY <= 1;
}

/** A blob in the pixels of a render. */
export interface PixelBlob {
  centerX: number;
  centerY: number;
  /** The power to base 2 at an offset in pixels is xx dx² + xy dx dy + yy dy². */
  conic: { xx: number; xy: number; yy: number };
}

/** Returns a blob in the pixels of a render. CPU reference of pixelBlob in shaders/binned/support.wgsl. */
export function pixelBlob(blob: Blob, uv: UvMapping): PixelBlob {
  const perPixelX = blob.perDeviationX * uv.scaleX;
  const perPixelY = blob.perDeviationY * uv.scaleY;
  const bend = -0.5 * Math.LOG2E * blob.stretch;
  return {
    centerX: (blob.centerX - uv.offsetX) / uv.scaleX,
    centerY: (blob.centerY - uv.offsetY) / uv.scaleY,
    conic: {
      xx: bend * perPixelX * perPixelX,
      xy: -2 * bend * blob.correlation * perPixelX * perPixelY,
      yy: bend * perPixelY * perPixelY,
    },
  };
}

/**
 * Returns whether a pixel of the tile at this column and row can lie on the blob's support, the 4σ ellipse with a power
 * of at least −8. The nearest point of the tile decides. CPU reference of meetsTile in shaders/binned/support.wgsl.
 */
export function meetsTile(blob: PixelBlob, column: number, row: number, [width, height]: [number, number]): boolean {
  const lowX = column * width - blob.centerX;
  const lowY = row * height - blob.centerY;
  const highX = lowX + width - 1;
  const highY = lowY + height - 1;
  const { xx, xy, yy } = blob.conic;
  const power = (x: number, y: number) => xx * x * x + xy * x * y + yy * y * y;
  const nearestX = clamp(0, lowX, highX);
  const nearestY = clamp(0, lowY, highY);
  // The power is highest at the centre, or on a side that faces it.
  let highest = nearestX === 0 && nearestY === 0 ? 0 : Number.NEGATIVE_INFINITY;
  if (nearestX !== 0) {
    const y = clamp(((-0.5 * xy) / yy) * nearestX, lowY, highY);
    highest = Math.max(highest, power(nearestX, y));
  }
  if (nearestY !== 0) {
    const x = clamp(((-0.5 * xy) / xx) * nearestY, lowX, highX);
    highest = Math.max(highest, power(x, nearestY));
  }
  return highest >= 1.000625 * lowestPower * Math.LOG2E;
}

/** Sums over a blob's pixels of dL/dpower times 1, x, y, x², xy and y², in standard deviations. */
interface Moments {
  sum: number;
  x: number;
  y: number;
  xx: number;
  xy: number;
  yy: number;
}

/** Returns dL/d(centre, variances, correlation, opacity). CPU reference of gradientOfMoments in binned/slots.wgsl. */
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
