import { html } from "htl";
import { decode, modelOf } from "../../engine/model/blob.js";
import { calcUV } from "../../engine/model/uv.js";
import { colorRamp } from "../images/colorRamp.js";
import { blendSteps, blobAt } from "../learn/pixelStack.js";
import { count, counted } from "../page/format.js";
import { listLimit } from "../runs/listLimit.js";
import { colorOf, type Scene } from "./scene.js";
import { ellipseStride, rampMaximum } from "./tileLayers.js";
import type { TileList } from "./tileList.js";

/** Maximum number of blobs of a tile that are drawn and listed. */
export const maxListed = 400;

/** A blob of a tile's list. */
export interface ListedBlob {
  blob: number;
  color: string;
  /** At the tile's middle pixel. */
  alpha: number;
  /** The blob's share of the colour of that pixel. */
  weight: number;
}

/** Returns the first 400 blobs of a tile's list, front to back. */
export function listedBlobs(scene: Scene, { passes, x, y }: TileList): ListedBlob[] {
  const { config, target, inspection } = scene;
  const [width, height] = inspection.tiles.size;
  const { scaleX, scaleY, offsetX, offsetY } = calcUV(target, target);
  const [u, v] = [(x + width / 2 - 0.5) * scaleX + offsetX, (y + height / 2 - 0.5) * scaleY + offsetY];
  const model = modelOf(config, target);
  const stack = passes
    .flatMap((pass) => Array.from(pass))
    .slice(0, maxListed)
    .map((blob) => blobAt(blob, decode(inspection.state.parameters, blob, model), u, v));
  return blendSteps(stack, config.blend).map(({ index: blob, alpha, weight }) => ({
    blob,
    color: colorOf(scene, blob),
    alpha,
    weight,
  }));
}

/** Returns the legend of the colours of the tiles, and what is not drawn. */
export function tileLegend(scene: Scene): HTMLElement {
  const stride = ellipseStride(scene);
  return html`<span class="ramp">blobs in the list: 0 <i style=${{ background: colorRamp("viridis").gradient }}></i>
    ${count(rampMaximum(scene))}${stride > 1 ? `; an ellipse for one blob in ${stride}` : ""}
  </span>`;
}

/** Returns the number of tiles, and how many of them take several passes. */
export function describePasses({ inspection, config }: Scene): string {
  const { passes, lengths } = inspection.tiles;
  const overflowing = passes.filter((count) => count > 1).length;
  const limit = listLimit(config);
  const size = limit === undefined ? "" : ` of ${count(limit)} blobs`;
  const rest = overflowing > 0 ? `${counted(overflowing, "tile")} in several passes${size}` : "each in one pass";
  return `${counted(lengths.length, "tile")}, ${rest}`;
}
