import type { TrainConfig } from "../config.js";
import type { Size } from "../image/image.js";
import { attenuationOf, lowestTransmittance } from "./blend.js";
import { alphaOf, type Blob, decode, lowestPower, modelOf } from "./blob.js";
import { deviations } from "./bounds.js";
import { tileArea } from "./uv.js";

type Visit = (y: number, first: number, last: number) => void;

/** Returns the numbers of pixel–blob pairs in the supports of the blobs, and of those that are blended. */
export function countPairs(config: TrainConfig, parameters: ArrayLike<number>, size: Size) {
  return {
    blended: countBlendedPairs(config, parameters, size),
    supported: countSupportPairs(config, parameters, size),
  };
}

/**
 * Returns the number of pixel–blob pairs with the pixel in the blob's support. It does not depend on the engine or the
 * tiles.
 */
function countSupportPairs(config: TrainConfig, parameters: ArrayLike<number>, size: Size): number {
  let pairs = 0;
  visitSupports(config, parameters, size, () => (_, first, last) => {
    pairs += last - first + 1;
  });
  return pairs;
}

/** Returns the number of these pairs that are blended, because the pixel is not opaque yet. */
function countBlendedPairs(config: TrainConfig, parameters: ArrayLike<number>, size: Size): number {
  const attenuation = attenuationOf(config.blend);
  const transmittance = new Float32Array(size.width * size.height).fill(1);
  let pairs = 0;
  visitSupports(config, parameters, size, (blob) => (row, first, last) => {
    const y = (row / size.height - blob.centerY) * blob.perDeviationY;
    const bend = -0.5 * blob.stretch;
    for (let column = first; column <= last; column++) {
      const at = row * size.width + column;
      if (transmittance[at] < lowestTransmittance) continue;
      const x = (column / size.width - blob.centerX) * blob.perDeviationX;
      const power = bend * (x * x - 2 * blob.correlation * x * y + y * y);
      if (power < lowestPower) continue;
      pairs++;
      transmittance[at] *= 1 - attenuation * alphaOf(blob, Math.exp(power));
    }
  });
  return pairs;
}

/** Returns the numbers of pixel–blob pairs on tile lists of these lengths, and of tile–blob intersections. */
export function countListed(lengths: Uint32Array, across: number, tile: [number, number], size: Size) {
  let [listed, entries] = [0, 0];
  for (const [t, length] of lengths.entries()) {
    const { left, top, right, bottom } = tileArea(t, across, tile, size);
    listed += length * (right - left) * (bottom - top);
    entries += length;
  }
  return { listed, entries };
}

/** Calls the function that `visitor` returns with each row of pixels of each blob's support, in blob order. */
function visitSupports(
  config: TrainConfig,
  parameters: ArrayLike<number>,
  size: Size,
  visitor: (blob: Blob) => Visit,
): void {
  const model = modelOf(config, size);
  const { width, height } = size;
  for (let i = 0; i < config.blobs; i++) {
    const blob = decode(parameters, i, model);
    const visit = visitor(blob);
    const centerX = width * blob.centerX;
    const centerY = height * blob.centerY;
    // A pixel in standard deviations.
    const perPixelX = blob.perDeviationX / width;
    const perPixelY = blob.perDeviationY / height;
    const reach = deviations / perPixelY;
    const bottom = Math.min(Math.floor(centerY + reach), height - 1);
    for (let row = Math.max(Math.ceil(centerY - reach), 0); row <= bottom; row++) {
      const y = (row - centerY) * perPixelY;
      const middle = centerX + (blob.correlation * y) / perPixelX;
      // In standard deviations the support is (x - rho y)^2 <= (1 - rho^2) (16 - y^2).
      const half = Math.sqrt(Math.max(deviations ** 2 - y * y, 0) / blob.stretch) / perPixelX;
      const first = Math.max(Math.ceil(middle - half), 0);
      const last = Math.min(Math.floor(middle + half), width - 1);
      if (first <= last) visit(row, first, last);
    }
  }
}
