import * as Plot from "@observablehq/plot";
import { element, svg } from "../../element.js";
import { count, counted } from "../../format.js";
import { standsFor } from "../marks.js";
import type { Appended, Batch } from "./gather.js";
import { nameOfBlob, type TileScene } from "./tileScene.js";
import { gridShapes, inUv, pathOfBox } from "./tileShapes.js";

/** How far a strided loop has come, turn by turn. */
export interface StrideTurn {
  /** Blobs that were tested in turns before this one end here, and those of this turn. */
  start: number;
  end: number;
  /** The list so far, and how many of its blobs came in this turn. */
  listed: number[];
  fresh: number;
}

/** Where the loop stands at a step: before its first turn, in one of them, or behind the last. */
export function turnOf(batches: Batch[], index: number): StrideTurn {
  const listed = batches.slice(0, index).flatMap(({ appended }) => appended);
  const { start, end, appended } = batches[index - 1] ?? { start: 0, end: 0, appended: [] };
  if (index <= batches.length) return { start, end, listed, fresh: appended.length };
  const all = batches.at(-1)!.end;
  return { start: all, end: all, listed, fresh: 0 };
}

/** Which thread tests which blob in which turn. */
export function scanTable(scene: TileScene, threads: number, { start, end, listed }: StrideTurn): HTMLElement {
  const blobs = scene.blobs.length;
  const cell = (blob: number, thread: number) => {
    if (blob >= blobs) return element("td", { class: "none", title: "No blob is left for this thread" });
    const isMet = listed.includes(blob);
    const words = isMet ? "meets the tile" : blob < end ? "does not meet the tile" : "is still to come";
    const isNow = blob >= start && blob < end;
    const attributes = {
      class: `${isMet ? "met " : ""}${isNow ? "now" : blob < end ? "done" : ""}`,
      title: `Blob ${blob} ${words}`,
    };
    return standsFor(element("td", attributes, String(blob)), nameOfBlob(scene, blob), `thread:${thread}`);
  };
  const columns = Array.from({ length: threads }, (_, thread) => thread);
  const head = columns.map((thread) => standsFor(element("th", { scope: "col" }, String(thread)), `thread:${thread}`));
  const rows = Array.from({ length: Math.ceil(blobs / threads) }, (_, turn) => {
    const isNow = start < end && turn === Math.floor(start / threads);
    const name = element("th", { scope: "row", class: isNow && "now" }, `turn ${turn + 1}`);
    const cells = columns.map((thread) => cell(turn * threads + thread, thread));
    return element("tr", {}, standsFor(name, "code:gather.stride"), ...cells);
  });
  return element(
    "div",
    { class: "scan", tabindex: 0, role: "region", "aria-label": "Which thread scans which blob" },
    element(
      "table",
      {},
      element("thead", {}, element("tr", {}, element("th", { scope: "col" }, "thread"), ...head)),
      element("tbody", {}, ...rows),
    ),
  );
}

/** The boxes of all blobs, as far as the loop has come. */
export function strideShapes(scene: TileScene, tile: number, { start, end, listed }: StrideTurn): SVGElement[] {
  const outlines = scene.boxes.map((box, blob) => {
    const kind = listed.includes(blob) ? "in" : blob < end ? "passed" : "out";
    const isNow = blob >= start && blob < end;
    const path = svg("path", { class: `outline ${kind}${isNow ? " chosen" : ""}`, d: pathOfBox(box) });
    return standsFor(path, nameOfBlob(scene, blob));
  });
  return [...gridShapes(scene, tile), inUv(scene, ...outlines)];
}

/** A slot of a list: what stands in it, and what is said of it. */
export interface Slot {
  text: string;
  title?: string;
  /** In smaller letters below it. */
  small?: string;
  kind?: string;
  things?: string[];
}

/** A list's slots, one after the other. */
export function slotList(label: string, slots: Slot[]): HTMLElement {
  const nodes = slots.map(({ text, title, small, kind = "", things = [] }) =>
    standsFor(
      element("li", { class: kind, title }, element("b", {}, text), small !== undefined && element("small", {}, small)),
      ...things,
    ),
  );
  return element("ol", { class: "slots", tabindex: 0, "aria-label": label }, ...nodes);
}

/** A tile's list as threads have filled it so far, those of its slots that are empty too. */
export function gatheredList(
  label: string,
  scene: TileScene,
  appended: Appended[],
  { length, fresh = 0 }: { length: number; fresh?: number },
): HTMLElement {
  const slots = Array.from({ length }, (_, slot): Slot => {
    if (slot >= appended.length) return { text: "·", small: "\u00a0", kind: "empty" };
    const { blob, thread } = appended[slot];
    const isEarly = slot > 0 && appended[slot - 1].blob > blob;
    const isFresh = slot >= appended.length - fresh;
    return {
      text: String(blob),
      small: `t${thread}`,
      kind: `${isFresh ? "now" : ""}${isEarly ? " early" : ""}`,
      title: `Slot ${slot}: blob ${blob}, by thread ${thread}`,
      things: [nameOfBlob(scene, blob), `thread:${thread}`, "code:gather.store"],
    };
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

/** The slot that each of so many blobs got. */
export function arrivalChart(appended: Appended[], width: number): HTMLElement {
  const blobs = appended.length;
  const late = appended.filter(({ blob }, slot) => slot > 0 && appended[slot - 1].blob > blob).length;
  const order =
    late === 0 ? "in ascending order" : `with ${counted(late, "place")} where a smaller index follows a greater one`;
  const chart = Plot.plot({
    width,
    height: 260,
    marginLeft: 48,
    marginBottom: 38,
    ariaLabel: "The slot of each blob in the list before it is sorted",
    x: { label: "blob index", domain: [0, blobs] },
    y: { label: "slot that it got", domain: [0, blobs], grid: true, ticks: 5 },
    marks: [
      Plot.line(
        [
          [0, 0],
          [blobs, blobs],
        ],
        { stroke: "var(--earlier)", strokeDasharray: "4 3" },
      ),
      Plot.dot(appended, { x: "blob", y: "slot", r: 1.6, fill: "var(--current)" }),
    ],
  });
  const words = `${count(blobs)} appended, ${order}. In step, all dots would lie on the dashed line.`;
  return element("div", {}, chart, element("p", { class: "learn-note" }, words));
}
