import * as Plot from "../../figures/plot.js";
import { linkAll, linkThings } from "../../figures/pointing.js";
import { boxPath, uvGroup } from "../../figures/shapes.js";
import { element } from "../../page/element.js";
import { count, counted } from "../../page/format.js";
import type { AppendedBlob, Batch } from "./gather.js";
import { nameOfBlob, type TileScene } from "./tileScene.js";
import { gridShapes, outlineOf, strongStroke } from "./tileShapes.js";

/** Where a strided loop stands at a step: before its first turn, in one of them, or behind the last. */
export function strideProgress(batches: Batch[], index: number) {
  const { start, end, appended } = batches[index - 1] ?? { start: 0, end: 0, appended: [] };
  const listed = batches.slice(0, index).flatMap(({ appended }) => appended);
  if (index <= batches.length) return { start, end, listed, fresh: appended.length };
  const blobCount = batches.at(-1)!.end;
  return { start: blobCount, end: blobCount, listed, fresh: 0 };
}

type StrideProgress = ReturnType<typeof strideProgress>;

/** Which thread tests which blob in which turn. */
export function scanChart(scene: TileScene, threads: number, { start, end, listed }: StrideProgress): Element {
  const cells = scene.blobs.map((_, blob) => {
    const isMet = listed.includes(blob);
    const state = isMet ? "meets the tile" : blob < end ? "does not meet the tile" : "is not tested yet";
    const isCurrent = blob >= start && blob < end;
    const turn = 1 + Math.floor(blob / threads);
    return { blob, thread: blob % threads, turn, isMet, isCurrent, title: `Blob ${blob} ${state}` };
  });
  const iterations = cells.at(-1)!.turn;
  const channels = { x: "thread", y: "turn" };
  const chart = Plot.plot({
    width: 40 + 36 * threads,
    height: 40 + 25 * iterations,
    marginTop: 38,
    marginBottom: 2,
    style: { maxWidth: "none" },
    ariaLabel: "Thread that tests each blob",
    x: { domain: Array(threads).keys(), label: "thread", axis: "top", tickSize: 0 },
    y: { domain: Array.from({ length: iterations }, (_, turn) => turn + 1), label: "iteration", tickSize: 0 },
    marks: [
      Plot.cell(cells, {
        ...channels,
        title: "title",
        className: "scan",
        rx: 4,
        inset: 1,
        fill: ({ isMet }) => (isMet ? "var(--current)" : "var(--theme-background)"),
        fillOpacity: 0.22,
        stroke: ({ isNow }) => (isNow ? "var(--current)" : "var(--line)"),
        strokeWidth: ({ isNow }) => (isNow ? 2 : 1),
      }),
      Plot.text(cells, {
        ...channels,
        text: "blob",
        pointerEvents: "none",
        fillOpacity: ({ blob, isMet }) => (isMet || blob < end ? 1 : 0.6),
      }),
    ],
  });
  linkAll(chart, ".scan rect", (blob) => [nameOfBlob(scene, blob), `thread:${blob % threads}`]);
  linkAll(chart, "[aria-label='x-axis tick label'] text", (thread) => [`thread:${thread}`]);
  return element("div", { class: "learn-scroll", tabindex: 0 }, chart);
}

/** The boxes of all blobs, as far as the loop has come. */
export function strideShapes(scene: TileScene, tile: number, { start, end, listed }: StrideProgress): SVGElement[] {
  const outlines = scene.boxes.map((box, blob) => {
    const kind = listed.includes(blob) ? "in" : blob < end ? "passed" : "out";
    const isCurrent = blob >= start && blob < end;
    return linkThings(outlineOf(kind, boxPath(box), isCurrent ? strongStroke : {}), nameOfBlob(scene, blob));
  });
  return [...gridShapes(scene, tile), uvGroup(scene.size, ...outlines)];
}

/** A slot of a list: what stands in it, what is said of it in smaller letters, and the things that it stands for. */
export function slotItem(
  text: string,
  { note, ...attributes }: { class: string; title?: string; note?: string },
  ...things: string[]
) {
  const parts = [element("b", {}, text), note !== undefined && element("small", {}, note)];
  return linkThings(element("li", attributes, ...parts), ...things);
}

/** A list's slots, one after the other. */
export function slotList(label: string, slots: HTMLElement[]): HTMLElement {
  return element("ol", { class: "slots", tabindex: 0, "aria-label": label }, ...slots);
}

/** A tile's list as threads have filled it so far, those of its slots that are empty too. */
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

/** The lines of the kernel that are at work at a step of the loop. */
export function strideCodeLines(batches: Batch[], index: number): string[] {
  if (index === 0) return ["code:gather.begin"];
  if (index > batches.length) return ["code:gather.end"];
  const found = batches[index - 1].appended.length > 0 ? ["code:gather.count", "code:gather.store"] : [];
  return ["code:gather.stride", "code:gather.test", ...found];
}

/** How far the order in which blobs were appended is from that of threads in step. */
export function describeAppendOrder(appended: AppendedBlob[]): string {
  const descents = appended.filter(({ blob }, slot) => slot > 0 && appended[slot - 1].blob > blob).length;
  const order =
    descents === 0
      ? "in ascending order"
      : `with ${counted(descents, "place")} where a smaller index follows a greater one`;
  return `${count(appended.length)} appended, ${order}. In lockstep, all dots would lie on the dashed line.`;
}
