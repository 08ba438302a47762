import type { TrainConfig } from "../config.js";
import { lowestTransmittance } from "./blend.js";
import { alphaOf, type Blob, decode, lowestPower } from "./blob.js";
import { deviations } from "./bounds.js";
import { type PixelBlob, pixelBlob } from "./support.js";
import { calcUV, type Size } from "./uv.js";

type Visit = (y: number, first: number, last: number) => void;

/**
 * How many pairs of a pixel and a blob there are whose blob's support holds the pixel, whoever computes and with
 * whatever tiles.
 */
export function countSupportPairs(config: TrainConfig, parameters: ArrayLike<number>, size: Size): number {
  let pairs = 0;
  visitSupports(config, parameters, size, () => (_, first, last) => {
    pairs += last - first + 1;
  });
  return pairs;
}

/** How many of these are blended: the pixel is not opaque yet when the blob's turn comes. */
export function countBlendedPairs(config: TrainConfig, parameters: ArrayLike<number>, size: Size): number {
  const transmittance = new Float32Array(size.width * size.height).fill(1);
  let pairs = 0;
  visitSupports(config, parameters, size, (blob, pixels) => (row, first, last) => {
    const y = (row - pixels.centerY) * pixels.perDeviationY;
    const bend = -0.5 * blob.stretch;
    for (let column = first; column <= last; column++) {
      const at = row * size.width + column;
      if (transmittance[at] < lowestTransmittance) continue;
      const x = (column - pixels.centerX) * pixels.perDeviationX;
      const power = bend * (x * x - 2 * blob.correlation * x * y + y * y);
      if (power < lowestPower) continue;
      pairs++;
      transmittance[at] *= 1 - alphaOf(blob, Math.exp(power));
    }
  });
  return pairs;
}

/** Calls `visitor`'s visit with each row of pixels of each blob's support, blob by blob in their order. */
function visitSupports(
  { blobs, covarianceScale }: TrainConfig,
  parameters: ArrayLike<number>,
  size: Size,
  visitor: (blob: Blob, pixels: PixelBlob) => Visit,
): void {
  const uv = calcUV(size, size);
  for (let i = 0; i < blobs; i++) {
    const blob = decode(parameters, i, covarianceScale);
    const pixels = pixelBlob(blob, uv);
    const visit = visitor(blob, pixels);
    const reach = deviations / pixels.perDeviationY;
    const bottom = Math.min(Math.floor(pixels.centerY + reach), size.height - 1);
    for (let row = Math.max(Math.ceil(pixels.centerY - reach), 0); row <= bottom; row++) {
      const y = (row - pixels.centerY) * pixels.perDeviationY;
      const middle = pixels.centerX + (blob.correlation * y) / pixels.perDeviationX;
      // In standard deviations the support is (x - rho y)^2 <= (1 - rho^2) (16 - y^2).
      const half = Math.sqrt(Math.max(deviations ** 2 - y * y, 0) / blob.stretch) / pixels.perDeviationX;
      const first = Math.max(Math.ceil(middle - half), 0);
      const last = Math.min(Math.floor(middle + half), size.width - 1);
      if (first <= last) visit(row, first, last);
    }
  }
}
