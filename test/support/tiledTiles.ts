import { listCapacity } from "../../src/engine/config.js";
import { decodeAll, modelOf } from "../../src/engine/model/blob.js";
import { blobBounds } from "../../src/engine/model/bounds.js";
import { passes } from "../../src/engine/model/shortList.js";
import { calcUV, tileBounds, tileGrid, tileOrigin } from "../../src/engine/model/uv.js";
import type { Tiles } from "../../src/engine/pipeline.js";
import type { Scene } from "./scenes.js";

/** Returns the tiles of `tiled`, with the lists that its CPU reference collects. */
export function tiledTiles({ config, image, state }: Scene): Tiles {
  const { tile } = config;
  const { across, down, count } = tileGrid(image, tile);
  const boxes = decodeAll(state.parameters, modelOf(config, image)).map(blobBounds);
  const lists = Array.from({ length: count }, (_, t) => [
    ...passes(boxes, tileBounds(tileOrigin(t, across, tile), tile, calcUV(image, image)), listCapacity(config)),
  ]);
  const lengths = lists.map((windows) => windows.reduce((sum, { list }) => sum + list.blobCount, 0));
  return {
    size: tile,
    across,
    down,
    lengths: Uint32Array.from(lengths),
    passes: Uint32Array.from(lists, ({ length }) => length),
  };
}
