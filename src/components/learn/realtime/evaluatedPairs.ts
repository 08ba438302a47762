import { listCapacity, type TrainConfig } from "../../../engine/config.js";
import { subtile } from "../../../engine/gpu/binned/layout.js";
import type { Size } from "../../../engine/image/image.js";
import { countListed, countPairs } from "../../../engine/model/pairs.js";
import { meetsTile, pixelBlob } from "../../../engine/model/support.js";
import { tiledBlobs } from "../../../engine/model/tiledBlobs.js";

/** Pixel–blob pairs in one forward pass, by the set that a program evaluates. */
export interface EvaluatedPairs {
  /** Every pixel with every blob. */
  all: number;
  /** Blobs on the pixel's tile list, with a bounding box that overlaps the tile. */
  listed: number;
  /** Blobs with a support that overlaps the pixel's 8 × 4 subtile in `binned`. */
  met: number;
  /** Blobs with a support that contains the pixel. */
  supported: number;
  /** Of these, the ones blended before the pixel is opaque. */
  blended: number;
  /** Blobs on the longest tile list. */
  longest: number;
  /** Number of tiles with a list longer than its capacity. */
  overflowing: number;
  tiles: number;
}

/** Counts the pairs for given parameters. Slow for many blobs. */
export function countEvaluatedPairs(config: TrainConfig, parameters: ArrayLike<number>, image: Size): EvaluatedPairs {
  const { across, lists } = tiledBlobs(config, image, parameters);
  const lengths = Uint32Array.from(lists, ({ length }) => length);
  return {
    all: image.width * image.height * config.blobs,
    listed: countListed(lengths, across, config.tile, image).listed,
    met: countMetPairs(config, parameters, image),
    ...countPairs(config, parameters, image),
    longest: lengths.reduce((longest, length) => Math.max(longest, length), 0),
    overflowing: lengths.filter((length) => length > listCapacity(config)).length,
    tiles: lengths.length,
  };
}

function countMetPairs(config: TrainConfig, parameters: ArrayLike<number>, image: Size): number {
  const { blobs, uv, across, lists } = tiledBlobs(config, image, parameters, image, subtile);
  const pixelBlobs = blobs.map((blob) => pixelBlob(blob, uv));
  const lengths = Uint32Array.from(lists, (list, tile) => {
    const isMet = (blob: number) => meetsTile(pixelBlobs[blob], tile % across, Math.floor(tile / across), subtile);
    return list.filter(isMet).length;
  });
  return countListed(lengths, across, subtile, image).listed;
}
