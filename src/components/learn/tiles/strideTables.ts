import { html } from "htl";
import * as Plot from "../../figures/plot.js";
import { linkAll, linkThings } from "../../figures/pointing.js";
import { boxPath, uvGroup } from "../../figures/shapes.js";
import { count, counted } from "../../page/format.js";
import type { AppendedBlob, Batch } from "./gather.js";
import { nameOfBlob, type TileScene } from "./tileScene.js";
import { gridShapes, outlineOf, strongStroke } from "./tileShapes.js";

/** Returns the blobs tested in an iteration of the strided loop, counted from 1, and the blobs listed until then. */
export function strideProgress(batches: Batch[], index: number) {
  const { start, end, appended } = batches[index - 1] ?? { start: 0, end: 0, appended: [] };
  const listed = batches.slice(0, index).flatMap(({ appended }) => appended);
  if (index <= batches.length) return { start, end, listed, fresh: appended.length };
  const blobCount = batches.at(-1)!.end;
  return { start: blobCount, end: blobCount, listed, fresh: 0 };
}

type StrideProgress = ReturnType<typeof strideProgress>;

/** Returns a table of the threads and iterations that test each blob. */
export function scanChart(scene: TileScene, threads: number, { start, end, listed }: StrideProgress): Element {
  const cells = scene.blobs.map((_, blob) => {
    const isListed = listed.includes(blob);
    const state = isListed ? "meets the tile" : blob < end ? "does not meet the tile" : "is not tested yet";
    const isCurrent = blob >= start && blob < end;
    const iteration = 1 + Math.floor(blob / threads);
    return { blob, thread: blob % threads, iteration, isListed, isCurrent, title: `Blob ${blob} ${state}` };
  });
  const iterations = cells.at(-1)!.iteration;
  const channels = { x: "thread", y: "iteration" };
  const chart = Plot.plot({
    width: 40 + 36 * threads,
    height: 40 + 25 * iterations,
    marginTop: 38,
    marginBottom: 2,
    style: { maxWidth: "none" },
    ariaLabel: "Thread that tests each blob",
    x: { domain: Array(threads).keys(), label: "thread", axis: "top", tickSize: 0 },
    y: { domain: Array.from({ length: iterations }, (_, index) => index + 1), label: "iteration", tickSize: 0 },
    marks: [
      Plot.cell(cells, {
        ...channels,
        title: "title",
        className: "scan",
        rx: 4,
        inset: 1,
        fill: ({ isListed }) => (isListed ? "var(--current)" : "var(--theme-background)"),
        fillOpacity: 0.22,
        stroke: ({ isCurrent }) => (isCurrent ? "var(--current)" : "var(--line)"),
        strokeWidth: ({ isCurrent }) => (isCurrent ? 2 : 1),
      }),
      Plot.text(cells, {
        ...channels,
        text: "blob",
        pointerEvents: "none",
        fillOpacity: ({ blob, isListed }) => (isListed || blob < end ? 1 : 0.6),
      }),
    ],
  });
  linkAll(chart, ".scan rect", (blob) => [nameOfBlob(scene, blob), `thread:${blob % threads}`]);
  linkAll(chart, "[aria-label='x-axis tick label'] text", (thread) => [`thread:${thread}`]);
  return html`<div class="learn-scroll" tabindex="0">${chart}</div>`;
}

/** Returns the boxes of all blobs by their state in an iteration. */
export function strideShapes(scene: TileScene, tile: number, { start, end, listed }: StrideProgress): SVGElement[] {
  const outlines = scene.boxes.map((box, blob) => {
    const kind = listed.includes(blob) ? "in" : blob < end ? "passed" : "out";
    const isCurrent = blob >= start && blob < end;
    return linkThings(outlineOf(kind, boxPath(box), isCurrent ? strongStroke : {}), nameOfBlob(scene, blob));
  });
  return [...gridShapes(scene, tile), uvGroup(scene.size, ...outlines)];
}

/** Returns a slot of a list: its content, a note below it, and the things that it is linked with. */
export function slotItem(
  text: string,
  { note, ...attributes }: { class: string; title?: string; note?: string },
  ...things: string[]
) {
  const small = note === undefined ? null : html`<small>${note}</small>`;
  return linkThings(html`<li ${attributes}><b>${text}</b>${small}</li>`, ...things);
}

/** Returns the slots of a list in order. */
export function slotList(label: string, slots: HTMLElement[]): HTMLElement {
  return html`<ol class="slots" tabindex="0" aria-label=${label}>${slots}</ol>`;
}

/** Returns a tile list as threads have filled it so far, with its empty slots. */
export function gatheredList(
  label: string,
  scene: TileScene,
  appended: AppendedBlob[],
  { length, fresh = 0 }: { length: number; fresh?: number },
): HTMLElement {
  const slots = Array.from({ length }, (_, index) => {
    if (index >= appended.length) return slotItem("·", { note: "\u00a0", class: "empty" });
    const { blob, thread } = appended[index];
    const orderClass = index > 0 && appended[index - 1].blob > blob ? " early" : "";
    const attributes = {
      note: `t${thread}`,
      class: (index >= appended.length - fresh ? "now" : "") + orderClass,
      title: `Slot ${index}: blob ${blob}, by thread ${thread}`,
    };
    return slotItem(String(blob), attributes, nameOfBlob(scene, blob), `thread:${thread}`, "code:gather.store");
  });
  return slotList(label, slots);
}

/** Returns the active lines of the kernel in an iteration of the loop. */
export function strideCodeLines(batches: Batch[], index: number): string[] {
  if (index === 0) return ["code:gather.begin"];
  if (index > batches.length) return ["code:gather.end"];
  const found = batches[index - 1].appended.length > 0 ? ["code:gather.count", "code:gather.store"] : [];
  return ["code:gather.stride", "code:gather.test", ...found];
}

/** Returns a sentence on how far the order of the appends is from ascending. */
export function describeAppendOrder(appended: AppendedBlob[]): string {
  const descents = appended.filter(({ blob }, slot) => slot > 0 && appended[slot - 1].blob > blob).length;
  const order =
    descents === 0
      ? "in ascending order"
      : `with ${counted(descents, "place")} where a smaller index follows a greater one`;
  return `${count(appended.length)} appended, ${order}. In lockstep, all dots would lie on the dashed line.`;
}
