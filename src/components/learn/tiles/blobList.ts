import { html } from "htl";
import type { Gpu } from "../../../engine/gpu/device.js";
import { type FloatImage, toImage } from "../../../engine/image/image.js";
import type { BrowserEngine } from "../../../host/browser/engine.js";
import { facts } from "../../figures/figure.js";
import { gpuOutput } from "../../figures/gpuOutput.js";
import { imageCanvas } from "../../figures/imageCanvas.js";
import { linkThings } from "../../figures/pointing.js";
import type { GridPicker } from "../../inputs/gridPicker.js";
import { oneTabStop, showTabStop } from "../../inputs/oneTabStop.js";
import { setInputValue } from "../../inputs/setInputValue.js";
import { count, counted, percent } from "../../page/format.js";
import { gatherOnGpu } from "./gather.js";
import { nameOfBlob, relationOf, relations, type TileMembers, type TileScene, tileText } from "./tileScene.js";
import { type Outline, outlineLegend, tilePicker, tileShapes } from "./tileShapes.js";

/** An input for `view` with the chosen blob of a tile list as its value, null before the first choice. */
export type BlobList = HTMLElement & {
  value: number | null;
  /** Shows another tile list, with one blob marked. */
  show(members: TileMembers, chosen: number): void;
};

/** Returns a tile list as buttons, front to back, followed by the nearest blobs that are left out. */
export function blobList(): BlobList {
  const node = html`<div class="tile-list" role="region" aria-label="Tile list">` as BlobList;
  node.value = null;
  oneTabStop(node);
  node.show = (members, chosen) => {
    const { scene, tile, list, added, nearest } = members;
    const chip = (blob: number) => {
      const relation = relationOf(members, blob);
      const { red, green, blue } = scene.blobs[blob];
      const color = [red, green, blue].map((channel) => Math.round(255 * channel)).join(" ");
      const button = html`<button type="button" class="chip ${relation}" style="--blob: rgb(${color})"
        aria-pressed=${String(blob === chosen)} aria-label="Blob ${blob}, ${relations[relation]}"
        onclick=${() => setInputValue(node, blob)}>${blob}</button>`;
      return linkThings(button, nameOfBlob(scene, blob));
    };
    const groups = {
      [`Tile ${tileText(scene, tile)}: its list, front to back`]: list,
      "Left out, although an axis-aligned box would meet the tile": added,
      "Left out, nearest first": nearest,
    };
    const next = node.cloneNode() as HTMLElement;
    for (const [title, blobs] of Object.entries(groups)) {
      const chips = blobs.length > 0 ? Array.from(blobs, chip) : "none";
      next.append(html`<p>${title}</p>`, html`<div class="chips">${chips}</div>`);
    }
    const byLabel = (root: Element, label: string) => root.querySelector<HTMLElement>(`[aria-label="${label}"]`);
    const tabStop = node.querySelector('[tabindex="0"]')?.ariaLabel;
    showTabStop(next, tabStop ? byLabel(next, tabStop) : null);
    // A button that is replaced while it is pressed gets no click.
    if (next.isEqualNode(node)) return;
    const focused = node.contains(document.activeElement) ? document.activeElement!.ariaLabel : null;
    node.replaceChildren(...next.childNodes);
    if (focused) byLabel(node, focused)?.focus();
  };
  return node;
}

/** The tiles of an image, with the list of the chosen tile next to them. */
export type TileView = HTMLElement & {
  picker: GridPicker;
  /** Shows the list of a tile, in the image and next to it, with one blob marked. */
  show(members: TileMembers, image: FloatImage, blob: number, outline: Outline): void;
};

/**
 * Returns a picker of the tiles of a scene and a list side by side.
 * @param tile the one that is chosen at first
 * @param overlay what lies over the image
 */
export function tileView(scene: TileScene, tile: number, list: BlobList, overlay: Element | null = null): TileView {
  const picker = tilePicker(scene, tile, "Tiles of the image; their tile list is next to it", true);
  const stage = html`<div class="hand-stage">${picker}${overlay}</div>`;
  const node = html`<div class="learn-columns tile-columns" style="--first: 1.17fr"><div>${stage}${outlineLegend()}</div>${list}</div>`;
  const show: TileView["show"] = (members, image, blob, outline) => {
    picker.show(imageCanvas(toImage(image)));
    picker.draw(...tileShapes(members, blob, outline));
    list.show(members, blob);
  };
  return Object.assign(node, { picker, show });
}

/** Returns the blob that is shown before the reader chooses one: a false positive if the list has one. */
export function initialBlob({ list, falsePositives, added, nearest }: TileMembers): number {
  return [...falsePositives, ...list, ...added, ...nearest][0];
}

/** Returns the sizes of a tile list and of its alternatives, and whether the kernel on the reader's GPU agrees. */
export function listFacts(
  engine: BrowserEngine,
  { scene, tile, list, falsePositives: { size: falsePositives }, added, omitted }: TileMembers,
  invalidation: Promise<unknown>,
): HTMLElement {
  const aligned = list.length + added.length - omitted.length;
  return facts({
    "in the list": `${count(list.length)} of ${count(scene.blobs.length)}`,
    "false positives": `${count(falsePositives)}${falsePositives > 0 ? ` (${percent(falsePositives / list.length)})` : ""}`,
    "axis-aligned boxes": `${count(aligned)} (+${count(added.length)} −${count(omitted.length)})`,
    "kernel on your GPU": gpuOutput(engine, (gpu) => compareWithKernel(gpu, scene, tile, list), invalidation),
  });
}

async function compareWithKernel(gpu: Gpu, scene: TileScene, tile: number, list: Uint32Array): Promise<string> {
  const capacity = 2048;
  const gathered = await gatherOnGpu(gpu, scene, tile, capacity);
  const kernelBlobs = new Set(gathered);
  const differing = list.filter((blob) => !kernelBlobs.has(blob)).length + Math.max(kernelBlobs.size - list.length, 0);
  const verdict = list.length > capacity ? "list too long" : differing === 0 ? "the same" : counted(differing, "other");
  return `${count(gathered.length)}, ${verdict}`;
}

/** Returns what lists cost over all tiles, as two sentences. */
export function describeListCosts(
  { across, down, tile, blobs }: TileScene,
  { mean, longest, falsePositives, aligned }: Record<string, number>,
): string {
  const n = blobs.length;
  return `Over all ${count(across * down)} tiles of ${tile.join(" × ")}: the mean list holds ${mean.toFixed(1)} of ${count(n)} blobs, so a pixel evaluates ${percent(mean / n)} of what it would without tiles; the longest holds ${count(longest)}. The mean list has ${falsePositives.toFixed(1)} false positives; with axis-aligned boxes it would hold ${aligned.toFixed(1)} blobs.`;
}
