import { linkThings } from "../figures/pointing.js";
import { explain } from "../figures/terms.js";
import { colorRamp, rampLegend } from "../images/colorRamp.js";
import { element } from "../page/element.js";
import { count, counted } from "../page/format.js";
import { listLimit } from "../runs/listLimit.js";
import { colorOf, type Scene } from "./scene.js";
import { ellipseStride, rampMaximum } from "./tileLayers.js";
import { fullestTile, type TileList } from "./tileList.js";

/** Maximum number of blobs of a tile that are drawn and listed. */
export const maxListed = 400;

/** Returns a panel with the length, the passes and the blobs of a tile's list. */
export function tilePanel({ config, inspection, ...scene }: Scene, list: TileList): HTMLElement {
  const [width, height] = inspection.tiles.size;
  const limit = listLimit(config);
  const { length, passes, x, y } = list;
  const fillFraction = limit === undefined ? 0 : length / limit;
  const bar = element("div", {
    class: `fill-bar${fillFraction > 1 ? " overflowing" : ""}`,
    style: `width: ${100 * Math.min(fillFraction, 1)}%`,
  });
  const indices: Node[] = [];
  let remaining = maxListed;
  for (const [index, blobs] of passes.entries()) {
    if (passes.length > 1) indices.push(element("span", { class: "pass" }, `pass ${index + 1}`));
    for (const blob of blobs.subarray(0, remaining)) {
      const color = colorOf({ config, inspection, ...scene }, blob);
      const index = element("span", { class: "index", style: `--blob: ${color}` }, String(blob));
      indices.push(linkThings(index, `blob:${blob}`));
    }
    remaining -= Math.min(remaining, blobs.length);
  }
  if (length > maxListed) indices.push(element("span", { class: "pass" }, `and ${count(length - maxListed)} more`));
  const pixels = `pixels ${x}–${x + width - 1} across, ${y}–${y + height - 1} down`;
  const fillText =
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
    element("div", { class: "fill-label" }, fillText),
    element("div", label, ...indices),
  );
}

/** Returns the legend of the tile colours, with a note on overflow and on ellipses that are not drawn. */
export function tileLegend(scene: Scene): HTMLElement {
  const { tiles } = scene.inspection;
  const maximum = rampMaximum(scene);
  const legend = rampLegend(colorRamp("viridis"), "blobs in a tile list");
  const hasLonger = tiles.lengths[fullestTile(scene)] > maximum;
  legend.setTicks(["0", String(maximum / 2), `${count(maximum)}${hasLonger ? " and more" : ""}`]);
  const stride = ellipseStride(scene);
  const legendText = `${describeOverflow(scene)}${stride > 1 ? ` One ellipse is drawn per ${stride} blobs.` : ""}`;
  return explain(element("div", {}, legend.node, element("p", { class: "overlay-note" }, legendText)));
}

function describeOverflow({ inspection, config }: Scene): string {
  const overflowing = inspection.tiles.passes.filter((passes) => passes > 1).length;
  const capacity = listLimit(config);
  if (capacity === undefined) return "Each tile processes its whole list in one pass.";
  const limit = `GAUSSIANS_PER_BLOCK (${count(capacity)})`;
  if (overflowing === 0) return `No list is longer than ${limit}, so each tile needs one pass.`;
  const verb = overflowing === 1 ? "has a list" : "have lists";
  return `${counted(overflowing, "tile")} ${verb} longer than ${limit}. Each white stroke is a further pass.`;
}
