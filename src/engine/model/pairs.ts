import type { TrainConfig } from "../config.js";
import type { Size } from "../image/image.js";
import { attenuationOf, lowestTransmittance } from "./blend.js";
import { alphaOf, decode, lowestPower, modelOf } from "./blob.js";
import { deviations } from "./bounds.js";
import { tileArea } from "./uv.js";

/**
 * Returns the number of pixel–blob pairs with the pixel in the blob's support, and of those that are blended, because the
 * pixel is not opaque yet. They do not depend on the engine or the tiles.
 */
export function countPairs(config: TrainConfig, parameters: ArrayLike<number>, size: Size) {
  const model = modelOf(config, size);
  const { width, height } = size;
  const attenuation = attenuationOf(config.blend);
  const transmittance = new Float32Array(width * height).fill(1);
  let [blended, supported] = [0, 0];
  for (let i = 0; i < config.blobs; i++) {
    const blob = decode(parameters, i, model);
    const bend = -0.5 * blob.stretch;
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
      const last = Math.min(Math.floor(middle + half), width - 1);
      for (let column = Math.max(Math.ceil(middle - half), 0); column <= last; column++) {
        supported++;
        const at = row * width + column;
        const x = (column - centerX) * perPixelX;
        const power = bend * (x * x - 2 * blob.correlation * x * y + y * y);
        if (transmittance[at] < lowestTransmittance || power < lowestPower) continue;
        blended++;
        transmittance[at] *= 1 - attenuation * alphaOf(blob, Math.exp(power));
      }
    }
  }
  return { blended, supported };
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
