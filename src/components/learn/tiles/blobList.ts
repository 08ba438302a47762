import type { Gpu } from "../../../engine/gpu/device.js";
import { blobsOfTile } from "../../../engine/model/tileLists.js";
import { linkThings } from "../../figures/pointing.js";
import { oneTabStop, showTabStop } from "../../inputs/oneTabStop.js";
import { element } from "../../page/element.js";
import { count, counted, percent } from "../../page/format.js";
import { gatherOnGpu } from "./gather.js";
import { cellOfTile, nameOfBlob, type TileMembers, type TileScene } from "./tileScene.js";

/** An input for `view`: the blob that a reader chose of a tile's list, null as long as none was. */
export type BlobList = HTMLElement & {
  value: number | null;
  /** Shows another tile's list, with one blob marked. */
  show(scene: TileScene, members: TileMembers, chosen: number): void;
};

/** A tile's short-list as buttons, front to back, and the blobs that were left out of it most narrowly. */
export function blobList(): BlobList {
  const node = element("div", {
    class: "tile-list",
    role: "region",
    "aria-label": "Tile list",
  }) as unknown as BlobList;
  node.value = null;
  oneTabStop(node);
  const choose = (blob: number) => {
    node.value = blob;
    node.dispatchEvent(new Event("input", { bubbles: true }));
  };
  node.show = (scene, { tile, list, idle, added, nearest }, chosen) => {
    const chip = (blob: number, kind: string, description: string) => {
      const { red, green, blue } = scene.blobs[blob];
      const color = [red, green, blue].map((channel) => Math.round(255 * channel)).join(" ");
      const attributes = {
        type: "button",
        class: `chip ${kind}`,
        style: `--blob: rgb(${color})`,
        "aria-pressed": String(blob === chosen),
        "aria-label": `Blob ${blob}, ${description}`,
        onclick: () => choose(blob),
      };
      return linkThings(element("button", attributes, String(blob)), nameOfBlob(scene, blob));
    };
    const group = (title: string, chips: HTMLElement[]) => [
      element("p", { class: "chip-head" }, title),
      element("div", { class: "chips" }, ...(chips.length > 0 ? chips : ["none"])),
    ];
    const excludedChip = (blob: number) => chip(blob, "out", "left out");
    const next = node.cloneNode() as HTMLElement;
    next.append(
      ...group(
        `Tile ${tileText(scene, tile)}: its list, front to back`,
        Array.from(list, (blob) =>
          idle.has(blob) ? chip(blob, "idle", "false positive") : chip(blob, "in", "in the list"),
        ),
      ),
      ...group("Left out, although an axis-aligned box would meet the tile", added.map(excludedChip)),
      ...group("Left out, nearest first", nearest.map(excludedChip)),
    );
    const tabStop = node.querySelector('[tabindex="0"]')?.ariaLabel;
    showTabStop(next, tabStop ? next.querySelector(`[aria-label="${CSS.escape(tabStop)}"]`) : null);
    // A button that is put in place of another while it is pressed is not clicked.
    if (next.isEqualNode(node)) return;
    const focused = node.contains(document.activeElement) ? document.activeElement!.ariaLabel : null;
    node.replaceChildren(...next.childNodes);
    if (focused) node.querySelector<HTMLElement>(`[aria-label="${CSS.escape(focused)}"]`)?.focus();
  };
  return node;
}

/** Column and row of a tile in words. */
export function tileText(scene: { across: number }, tile: number): string {
  const { column, row } = cellOfTile(scene, tile);
  return `${column}, ${row}`;
}

/** The blob to begin with: one that is in the list for nothing, or the list's first, or the nearest that is not in it. */
export function initialBlob({ list, idle, added, nearest }: TileMembers): number {
  return [...idle, ...list, ...added, ...nearest][0];
}

/** What a tile's list holds, in numbers. */
export function listFacts(scene: TileScene, { list, idle, added, spared }: TileMembers): Record<string, string> {
  const aligned = list.length + added.length - spared.length;
  return {
    "in the list": `${count(list.length)} of ${count(scene.blobs.length)}`,
    "false positives": `${count(idle.size)}${idle.size > 0 ? ` (${percent(idle.size / list.length)})` : ""}`,
    "axis-aligned boxes": `${count(aligned)} (+${count(added.length)} −${count(spared.length)})`,
  };
}

/** Whether the kernel gathers the same list. */
export async function compareWithKernel(gpu: Gpu, scene: TileScene, tile: number): Promise<string> {
  const list = blobsOfTile(scene.lists, tile);
  const capacity = 2048;
  const gathered = await gatherOnGpu(gpu, scene, tile, capacity);
  const kernelBlobs = new Set(gathered);
  const differing = list.filter((blob) => !kernelBlobs.has(blob)).length + Math.max(kernelBlobs.size - list.length, 0);
  const verdict =
    list.length > capacity ? "list too long" : differing === 0 ? "the same" : `${counted(differing, "other")}`;
  return `${count(gathered.length)}, ${verdict}`;
}

/** What lists cost, as a sentence. */
export function describeListCosts(
  { across, down, tile, blobs }: TileScene,
  { mean, longest, idle, aligned }: Record<string, number>,
): string {
  const n = blobs.length;
  return `Over all ${count(across * down)} tiles of ${tile.join(" × ")}: the mean list holds ${mean.toFixed(1)} of ${count(n)} blobs, so a pixel evaluates ${percent(mean / n)} of what it would without tiles; the longest holds ${count(longest)}. The mean list has ${idle.toFixed(1)} false positives; with axis-aligned boxes it would hold ${aligned.toFixed(1)} blobs.`;
}
