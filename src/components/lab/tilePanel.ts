import { standsFor } from "../figures/pointed.js";
import { explain } from "../figures/terms.js";
import { element } from "../page/element.js";
import { count, counted } from "../page/format.js";
import { colorRamp, rampLegend } from "../pictures/colorRamp.js";
import { listLimit } from "../runs/listLimit.js";
import { colorOf, type Scene } from "./scene.js";
import { commonlyLongest, ellipseStride } from "./tileLayers.js";
import { fullestTile, type TileList } from "./tileList.js";

/** Blobs of a tile that are drawn and listed at most: the first. */
export const mostListed = 400;

/** What a tile's short-list holds, in words and numbers. */
export function tilePanel({ config, look, ...scene }: Scene, list: TileList): HTMLElement {
  const [width, height] = look.tiles.size;
  const limit = listLimit(config);
  const { length, passes, x, y } = list;
  const share = limit === undefined ? 0 : length / limit;
  const bar = element("div", {
    class: `fill-bar${share > 1 ? " overflowing" : ""}`,
    style: `width: ${100 * Math.min(share, 1)}%`,
  });
  const indices: Node[] = [];
  let room = mostListed;
  for (const [index, blobs] of passes.entries()) {
    if (passes.length > 1) indices.push(element("span", { class: "pass" }, `pass ${index + 1}`));
    for (const blob of blobs.subarray(0, room)) {
      const color = colorOf({ config, look, ...scene }, blob);
      const index = element("span", { class: "index", style: `--blob: ${color}` }, String(blob));
      indices.push(standsFor(index, `blob:${blob}`));
    }
    room -= Math.min(room, blobs.length);
  }
  if (length > mostListed) indices.push(element("span", { class: "pass" }, `and ${count(length - mostListed)} more`));
  const pixels = `pixels ${x}–${x + width - 1} across, ${y}–${y + height - 1} down`;
  const filled =
    limit === undefined
      ? "no list capacity in this pipeline"
      : `${count(length)} of GAUSSIANS_PER_BLOCK ${count(limit)}`;
  const label = { class: "indices", tabindex: 0, role: "region", "aria-label": "Blobs in the tile list" };
  return element(
    "div",
    { class: "tile-panel" },
    element("h3", {}, `Tile ${list.column}, ${list.row}`),
    element("p", {}, `${counted(length, "blob")} in ${counted(passes.length, "pass")}; ${pixels}.`),
    limit !== undefined && element("div", { class: "fill" }, bar),
    element("div", { class: "fill-label" }, filled),
    element("div", label, ...indices),
  );
}

/** What the colours of the tiles mean, and what is not drawn. */
export function tileLegend(scene: Scene): HTMLElement {
  const { tiles } = scene.look;
  const most = commonlyLongest(scene);
  const legend = rampLegend(colorRamp("viridis"), "blobs in a tile list");
  const isMore = tiles.lengths[fullestTile(scene)] > most;
  legend.setTicks(["0", String(most / 2), `${count(most)}${isMore ? " and more" : ""}`]);
  const stride = ellipseStride(scene);
  const words = `${describeOverflow(scene)}${stride > 1 ? ` One ellipse is drawn per ${stride} blobs.` : ""}`;
  return explain(element("div", {}, legend.node, element("p", { class: "overlay-note" }, words)));
}

function describeOverflow({ look, config }: Scene): string {
  const overflowing = look.tiles.passes.filter((passes) => passes > 1).length;
  const cap = listLimit(config);
  if (cap === undefined) return "Each tile processes its whole list in one pass.";
  const limit = `GAUSSIANS_PER_BLOCK (${count(cap)})`;
  if (overflowing === 0) return `No list is longer than ${limit}, so each tile needs one pass.`;
  const verb = overflowing === 1 ? "has a list" : "have lists";
  return `${counted(overflowing, "tile")} ${verb} longer than ${limit}. Each white stroke is a further pass.`;
}
