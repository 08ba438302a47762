import { type Scene as Drawn, decodeScene } from "../../../src/components/lab/scene.js";
import { type TileList, tileList } from "../../../src/components/lab/tileList.js";
import { CpuPipeline } from "../../../src/engine/cpu/pipeline.js";
import { runToEnd } from "../../../src/engine/model/tileLists.js";
import type { Scene } from "../../support/scenes.js";
import { tiledTiles } from "../../support/tiledTiles.js";

/** Returns a scene as the lab has it, with the render of the CPU engine and the tiles of `tiled`. */
export async function momentOf({ config, image, state }: Scene): Promise<Drawn> {
  const pipeline = new CpuPipeline(config, image, state);
  const snapshot = {
    state,
    gradients: await pipeline.computeGradients(),
    tiles: tiledTiles({ config, image, state }),
    render: await pipeline.render({ width: image.width, height: image.height }),
  };
  return runToEnd(decodeScene({ config, target: { image } }, snapshot));
}

/** Returns the list of a pixel's tile. */
export function listAt(scene: Drawn, x: number, y: number): TileList {
  const { size, across } = scene.inspection.tiles;
  return runToEnd(tileList(scene, Math.floor(y / size[1]) * across + Math.floor(x / size[0])));
}
