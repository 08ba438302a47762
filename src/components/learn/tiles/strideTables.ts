import * as Plot from "../../figures/plot.js";
import { standForAll, standsFor } from "../../figures/pointed.js";
import { inUv, pathOfBox } from "../../figures/shapes.js";
import { element } from "../../page/element.js";
import { count, counted } from "../../page/format.js";
import type { Appended, Batch } from "./gather.js";
import { nameOfBlob, type TileScene } from "./tileScene.js";
import { gridShapes, outlineOf, strong } from "./tileShapes.js";

/** Where a strided loop stands at a step: before its first turn, in one of them, or behind the last. */
export function turnOf(batches: Batch[], index: number) {
  const { start, end, appended } = batches[index - 1] ?? { start: 0, end: 0, appended: [] };
  const listed = batches.slice(0, index).flatMap(({ appended }) => appended);
  if (index <= batches.length) return { start, end, listed, fresh: appended.length };
  const all = batches.at(-1)!.end;
  return { start: all, end: all, listed, fresh: 0 };
}

type StrideTurn = ReturnType<typeof turnOf>;

/** Which thread tests which blob in which turn. */
export function scanChart(scene: TileScene, threads: number, { start, end, listed }: StrideTurn): Element {
  const cells = scene.blobs.map((_, blob) => {
    const isMet = listed.includes(blob);
    const words = isMet ? "meets the tile" : blob < end ? "does not meet the tile" : "is not tested yet";
    const isNow = blob >= start && blob < end;
    const turn = 1 + Math.floor(blob / threads);
    return { blob, thread: blob % threads, turn, isMet, isNow, title: `Blob ${blob} ${words}` };
  });
  const turns = cells.at(-1)!.turn;
  const place = { x: "thread", y: "turn" };
  const chart = Plot.plot({
    width: 40 + 36 * threads,
    height: 40 + 25 * turns,
    marginTop: 38,
    marginBottom: 2,
    style: { maxWidth: "none" },
    ariaLabel: "Thread that tests each blob",
    x: { domain: Array(threads).keys(), label: "thread", axis: "top", tickSize: 0 },
    y: { domain: Array.from({ length: turns }, (_, turn) => turn + 1), label: "iteration", tickSize: 0 },
    marks: [
      Plot.cell(cells, {
        ...place,
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
        ...place,
        text: "blob",
        pointerEvents: "none",
        fillOpacity: ({ blob, isMet }) => (isMet || blob < end ? 1 : 0.6),
      }),
    ],
  });
  standForAll(chart, ".scan rect", (blob) => [nameOfBlob(scene, blob), `thread:${blob % threads}`]);
  standForAll(chart, "[aria-label='x-axis tick label'] text", (thread) => [`thread:${thread}`]);
  return element("div", { class: "learn-scroll", tabindex: 0 }, chart);
}

/** The boxes of all blobs, as far as the loop has come. */
export function strideShapes(scene: TileScene, tile: number, { start, end, listed }: StrideTurn): SVGElement[] {
  const outlines = scene.boxes.map((box, blob) => {
    const kind = listed.includes(blob) ? "in" : blob < end ? "passed" : "out";
    const isNow = blob >= start && blob < end;
    return standsFor(outlineOf(kind, pathOfBox(box), isNow ? strong : {}), nameOfBlob(scene, blob));
  });
  return [...gridShapes(scene, tile), inUv(scene.size, ...outlines)];
}

/** A slot of a list: what stands in it, what is said of it in smaller letters, and the things that it stands for. */
export function slot(
  text: string,
  { small, ...rest }: { class: string; title?: string; small?: string },
  ...things: string[]
) {
  const parts = [element("b", {}, text), small !== undefined && element("small", {}, small)];
  return standsFor(element("li", rest, ...parts), ...things);
}

/** A list's slots, one after the other. */
export function slotList(label: string, slots: HTMLElement[]): HTMLElement {
  return element("ol", { class: "slots", tabindex: 0, "aria-label": label }, ...slots);
}

/** A tile's list as threads have filled it so far, those of its slots that are empty too. */
export function gatheredList(
  label: string,
  scene: TileScene,
  appended: Appended[],
  { length, fresh = 0 }: { length: number; fresh?: number },
): HTMLElement {
  const slots = Array.from({ length }, (_, index) => {
    if (index >= appended.length) return slot("·", { small: "\u00a0", class: "empty" });
    const { blob, thread } = appended[index];
    const early = index > 0 && appended[index - 1].blob > blob ? " early" : "";
    const attributes = {
      small: `t${thread}`,
      class: (index >= appended.length - fresh ? "now" : "") + early,
      title: `Slot ${index}: blob ${blob}, by thread ${thread}`,
    };
    return slot(String(blob), attributes, nameOfBlob(scene, blob), `thread:${thread}`, "code:gather.store");
  });
  return slotList(label, slots);
}

/** The lines of the kernel that are at work at a step of the loop. */
export function strideCode(batches: Batch[], index: number): string[] {
  if (index === 0) return ["code:gather.begin"];
  if (index > batches.length) return ["code:gather.end"];
  const found = batches[index - 1].appended.length > 0 ? ["code:gather.count", "code:gather.store"] : [];
  return ["code:gather.stride", "code:gather.test", ...found];
}

/** How far the order in which blobs were appended is from that of threads in step. */
export function appendedWords(appended: Appended[]): string {
  const late = appended.filter(({ blob }, slot) => slot > 0 && appended[slot - 1].blob > blob).length;
  const order =
    late === 0 ? "in ascending order" : `with ${counted(late, "place")} where a smaller index follows a greater one`;
  return `${count(appended.length)} appended, ${order}. In lockstep, all dots would lie on the dashed line.`;
}
