import { html } from "htl";
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

/** A drawing of a sort that shows one step after the other, with bars that move. */
export type SortDrawing = HTMLElement & { show(progress: SortProgress): void };

/**
 * Returns the list as bars, with arcs over the places that are compared.
 * @param width the space for it; more than 16 bars scroll on a narrow page
 */
export function sortDrawing(record: SortRecord, threads: number, width: number): SortDrawing {
  const { numbers } = record.arrangements[0];
  const greatest = Math.max(1, ...numbers.filter((number) => number !== sentinel));
  const fractionOf = (number: number) => (number === sentinel ? 1 : number / greatest);
  return record.n <= maxDrawn ? sortBars(record, threads, fractionOf, width) : sortStrip(record, fractionOf);
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
  threads: number,
  fractionOf: (number: number) => number,
  width: number,
): SortDrawing {
  const { n, arrangements } = record;
  const numbers = Array.from(arrangements[0].numbers);
  const cell = fitCell(n, width - left - 6, n <= 8 ? 84 : 1004 / n);
  const middle = (position: number) => left + (position + 0.5) * cell;
  const barWidth = Math.min(cell * 0.7, 40);
  const longest = Math.max(...numbers.map((number) => numberText(number).length));
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

  const barNodes = numbers.map((number) => {
    const height = Math.max(2, barsHeight * fractionOf(number));
    const shape = rect(number === sentinel ? "sentinel" : "", -barWidth / 2, bottom - height, barWidth, height, 3);
    // Numbers over narrow bars are rotated, and left out if they are too long.
    const words = isRotated && longest > 4 ? "" : numberText(number);
    const labelY = bottom - height - 5;
    return group(
      "sort-bar",
      shape,
      isRotated ? rotatedText("", 4, labelY - 4 * longest, words) : label(labelSize, 0, labelY, words),
    );
  });
  const columns = indices(n).map((place) =>
    linkThings(rect("sort-column", middle(place) - cell / 2, arcsHeight, cell, barsHeight + 30), `element:${place}`),
  );
  const threadTexts = indices(n).map((place) => {
    const thread = threadOf({ i: place }, threads);
    return linkThings(labelBelow("sort-thread", place, bottom + 36, thread), `thread:${thread}`);
  });
  const stepMarks = svg("g");
  const listDrawing = drawing(
    left + n * cell + 2,
    bottom + 74,
    line("sort-floor", left, bottom + 0.5, left + n * cell, bottom + 0.5),
    ...columns,
    ...barNodes,
    ...["place", "thread", "direction"].map((words, row) => text("quiet", 0, bottom + [18, 36, 60][row], words)),
    ...indices(n).map((place) => labelBelow("quiet", place, bottom + 18, place)),
    ...threadTexts,
    stepMarks,
  );
  const show = (progress: SortProgress) => {
    const pairs = activeComparators(record, progress);
    const states = statesOf(pairs);
    for (const [place, origin] of arrangementAt(record, progress).origins.entries()) {
      barNodes[origin].style.transform = `translateX(${middle(place)}px)`;
      barNodes[origin].setAttribute("class", `sort-bar ${states.get(place) ?? ""}`);
    }
    const firsts = new Set(pairs.map(({ i }) => i));
    for (const [place, text] of threadTexts.entries()) text.classList.toggle("at-work", firsts.has(place));
    const arrows = pairs.length > 0 ? blockArrows(n, pairs[0].k, left, cell, bottom + 52) : [];
    stepMarks.replaceChildren(...pairs.map((pair) => arc(pair, middle)), ...arrows);
  };
  return Object.assign(scrollBox("The list", listDrawing), { show });
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

/** A drawing of many places: thin bars across the width of the page. */
function sortStrip(record: SortRecord, fractionOf: (number: number) => number): SortDrawing {
  const strip = svg("svg", {
    class: "sort-strip",
    viewBox: `0 0 ${record.n} 1`,
    preserveAspectRatio: "none",
    "aria-hidden": "true",
  });
  const show = (progress: SortProgress) => {
    const pairs = activeComparators(record, progress);
    const states = statesOf(pairs);
    // Wide enough to see a single pair among a thousand bars.
    const activeWidth = pairs.length === 1 ? Math.max(1, record.n / 300) : 0.8;
    const { numbers } = arrangementAt(record, progress);
    const bar = (number: number, position: number) => {
      const state = states.get(position);
      const height = Math.max(0.01, fractionOf(number));
      const name = `${state ?? ""}${number === sentinel ? " sentinel" : ""}`;
      return rect(name, position, 1 - height, state ? activeWidth : 0.8, height);
    };
    strip.replaceChildren(...Array.from(numbers, bar));
  };
  return Object.assign(html`<div>${strip}</div>`, { show });
}
