import { html } from "htl";
import { linkThings } from "../figures/pointing.js";
import { colorRamp, rampLegend } from "../images/colorRamp.js";
import { count, counted } from "../page/format.js";
import { listLimit } from "../runs/listLimit.js";
import { colorOf, type Scene } from "./scene.js";
import { ellipseStride, rampMaximum } from "./tileLayers.js";
import { fullestTile, type TileList } from "./tileList.js";

/** Maximum number of blobs of a tile that are drawn and listed. */
export const maxListed = 400;

/** Returns a panel with the length, the passes and the blobs of a tile's list. */
export function tilePanel(scene: Scene, { length, passes, column, row, x, y }: TileList): HTMLElement {
  const [width, height] = scene.inspection.tiles.size;
  const limit = listLimit(scene.config);
  const indices: Node[] = [];
  const addNote = (text: string) => indices.push(html`<span class="pass">${text}</span>`);
  let remaining = maxListed;
  for (const [pass, blobs] of passes.entries()) {
    if (passes.length > 1) addNote(`pass ${pass + 1}`);
    for (const blob of blobs.subarray(0, remaining)) {
      const index = html`<span class="index" style=${{ "--blob": colorOf(scene, blob) }}>${blob}</span>`;
      indices.push(linkThings(index, `blob:${blob}`));
    }
    remaining -= Math.min(remaining, blobs.length);
  }
  if (length > maxListed) addNote(`and ${count(length - maxListed)} more`);
  return html`<div class="tile-panel" role="group" aria-label="Chosen tile">
    <h3>Tile ${column}, ${row}</h3>
    <p>${counted(length, "blob")} in ${counted(passes.length, "pass")}; pixels ${x}–${x + width - 1} across, ${y}–${y + height - 1} down.</p>
    ${limit === undefined ? html`<div class="fill-label">no list capacity in this pipeline</div>` : fillBar(length, limit)}
    <div class="indices" tabindex="0" role="region" aria-label="Blobs in the tile list">${indices}</div>
  </div>`;
}

function fillBar(length: number, limit: number): DocumentFragment {
  const name = `fill-bar${length > limit ? " overflowing" : ""}`;
  return html.fragment`<div class="fill"><div class=${name} style=${`width: ${100 * Math.min(length / limit, 1)}%`}></div></div>
    <div class="fill-label">${count(length)} of GAUSSIANS_PER_BLOCK ${count(limit)}</div>`;
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
  return html`<div>${legend.node}<p class="overlay-note">${legendText}</p></div>`;
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
