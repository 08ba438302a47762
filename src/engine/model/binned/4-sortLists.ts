import { type BinnedJob, type Entry, type Filled, type Gathered, subtilesMet } from "./lists.js";

/** Twin of shaders/binned/4-sortLists.wgsl: each tile's list by blob index, with what blending an entry takes. */
export function sortLists(job: BinnedJob, { leftBy: _, ...given }: Filled): Gathered {
  const { tileLists, keys, places, pixelBlobs } = given;
  const list = tileLists.flatMap(({ first, count }, tile): Entry[] =>
    Array.from({ length: count }, (_, k) => first + k)
      .sort((a, b) => keys[a] - keys[b])
      .map((entry) => {
        const { blob } = pixelBlobs[keys[entry]];
        return { blob, index: keys[entry], pair: places[2 * entry], subtiles: subtilesMet(job, blob, tile) };
      }),
  );
  return { ...given, list };
}
