import { type Comparator, sentinel } from "../../../engine/model/shortList.js";
import { linkThings } from "../../figures/pointing.js";
import { scrollBox } from "../../figures/scrollBox.js";
import { drawing, group, indices, label, line, path, rect, text } from "../../figures/shapes.js";
import { svg } from "../../page/element.js";
import { blockArrows, fitCell } from "./bitDrawings.js";
import { numberText } from "./numbers.js";
import { activeComparators, arrangementAt, type SortProgress, type SortRecord, threadOf } from "./sortModel.js";

/** The most places that are drawn one by one. */
export const maxDrawn = 64;

/** The original place of each number in the drawing of a sort that was made last: bars move from there. */
const lastOrigins = new WeakMap<SortRecord, Uint32Array>();

/**
 * Returns a step of a sort: the list as bars, with arcs over the places that are compared.
 * @param width the space for it; more than 16 bars scroll on a narrow page
 */
export function sortDrawing(record: SortRecord, progress: SortProgress, threads: number, width: number): Element {
  const greatest = Math.max(1, ...record.arrangements[0].numbers.filter((number) => number !== sentinel));
  const fractionOf = (number: number) => (number === sentinel ? 1 : number / greatest);
  if (record.n > maxDrawn) return sortStrip(record, progress, fractionOf);
  return scrollBox("The list", sortBars(record, progress, threads, fractionOf, width));
}

/** Returns the places that are compared, by whether they are swapped. */
function statesOf(pairs: readonly Comparator[]): Map<number, "compared" | "swapped"> {
  const states = pairs.flatMap(({ i, l, swapped }) => [i, l].map((position) => [position, swapped] as const));
  return new Map(states.map(([place, swapped]) => [place, swapped ? "swapped" : "compared"]));
}

const left = 56;
const arcsHeight = 84;
const barsHeight = 132;
const top = arcsHeight + 30;
const bottom = top + barsHeight;

/** Bars over their places, the threads that visit these, and the direction of each block. */
function sortBars(
  record: SortRecord,
  progress: SortProgress,
  threads: number,
  fractionOf: (number: number) => number,
  width: number,
): SVGElement {
  const { n } = record;
  const { numbers, origins } = arrangementAt(record, progress);
  const pairs = activeComparators(record, progress);
  const states = statesOf(pairs);
  const cell = fitCell(n, width - left - 6, n <= 8 ? 84 : 1004 / n);
  const middle = (position: number) => left + (position + 0.5) * cell;
  const barWidth = Math.min(cell * 0.7, 40);
  const longest = Math.max(...Array.from(numbers, (number) => numberText(number).length));
  const isRotated = 7 * longest > cell;
  const labelSize = cell < 20 ? "small" : "";
  const rotatedText = (name: string, x: number, y: number, caption: string | number) => {
    const transform = `translate(${x} ${y}) rotate(-90)`;
    return svg("text", { class: `${name} small`, "text-anchor": "middle", transform }, String(caption));
  };
  // Labels below narrow bars are rotated.
  const labelBelow = (name: string, place: number, y: number, words: number) =>
    n <= 32
      ? label(`${name} ${labelSize}`, middle(place), y, words)
      : rotatedText(name, middle(place) + 4, y - 4, words);

  const originsBefore = lastOrigins.get(record) ?? origins;
  lastOrigins.set(record, origins);
  const bars = Array.from(numbers, (number, place) => {
    const height = Math.max(2, barsHeight * fractionOf(number));
    const shape = rect(number === sentinel ? "sentinel" : "", -barWidth / 2, bottom - height, barWidth, height, 3);
    // Numbers over narrow bars are rotated, and left out if they are too long.
    const words = isRotated && longest > 4 ? "" : numberText(number);
    const labelY = bottom - height - 5;
    const caption = isRotated ? rotatedText("", 4, labelY - 4 * longest, words) : label(labelSize, 0, labelY, words);
    const bar = group(`sort-bar ${states.get(place) ?? ""}`, shape, caption);
    bar.style.setProperty("--from", `${middle(originsBefore.indexOf(origins[place]))}px`);
    bar.style.transform = `translateX(${middle(place)}px)`;
    return bar;
  });
  const columns = indices(n).map((place) =>
    linkThings(rect("sort-column", middle(place) - cell / 2, arcsHeight, cell, barsHeight + 30), `element:${place}`),
  );
  const firsts = new Set(pairs.map(({ i }) => i));
  const threadTexts = indices(n).map((place) => {
    const thread = threadOf({ i: place }, threads);
    const name = firsts.has(place) ? "sort-thread at-work" : "sort-thread";
    return linkThings(labelBelow(name, place, bottom + 36, thread), `thread:${thread}`);
  });
  return drawing(
    left + n * cell + 2,
    bottom + 74,
    line("sort-floor", left, bottom + 0.5, left + n * cell, bottom + 0.5),
    ...columns,
    ...bars,
    ...["place", "thread", "direction"].map((words, row) => text("quiet", 0, bottom + [18, 36, 60][row], words)),
    ...indices(n).map((place) => labelBelow("quiet", place, bottom + 18, place)),
    ...threadTexts,
    ...pairs.map((pair) => arc(pair, middle)),
    ...(pairs.length > 0 ? blockArrows(n, pairs[0].k, left, cell, bottom + 52) : []),
  );
}

function arc({ i, l, swapped, ascending }: Comparator, middle: (position: number) => number): SVGElement {
  const [from, to] = [middle(i), middle(l)];
  const lift = arcsHeight - 1.33 * Math.min(arcsHeight - 10, 12 + 0.34 * (to - from));
  // The head points to the greater number.
  const head = ascending ? to : from;
  const node = group(
    swapped ? "sort-arc swapped" : "sort-arc",
    path("", `M${from} ${arcsHeight} C${from} ${lift} ${to} ${lift} ${to} ${arcsHeight}`),
    path("", `M${head - 4} ${arcsHeight - 7} L${head} ${arcsHeight} L${head + 4} ${arcsHeight - 7}`),
  );
  return linkThings(node, `element:${i}`, `element:${l}`);
}

/** Returns a drawing of many places: thin bars across the width of the page. */
function sortStrip(record: SortRecord, progress: SortProgress, fractionOf: (number: number) => number): SVGElement {
  const pairs = activeComparators(record, progress);
  const states = statesOf(pairs);
  // Wide enough to see a single pair among a thousand bars.
  const activeWidth = pairs.length === 1 ? Math.max(1, record.n / 300) : 0.8;
  const bars = Array.from(arrangementAt(record, progress).numbers, (number, place) => {
    const state = states.get(place);
    const height = Math.max(0.01, fractionOf(number));
    const name = `${state ?? ""}${number === sentinel ? " sentinel" : ""}`;
    return rect(name, place, 1 - height, state ? activeWidth : 0.8, height);
  });
  const viewBox = `0 0 ${record.n} 1`;
  return svg("svg", { class: "sort-strip", viewBox, preserveAspectRatio: "none", "aria-hidden": "true" }, ...bars);
}
