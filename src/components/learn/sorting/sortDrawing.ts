import { type Comparator, sentinel } from "../../../engine/model/shortList.js";
import { standsFor } from "../../figures/pointed.js";
import { scrollBox } from "../../figures/scrollBox.js";
import { drawing, group, label, line, path, rect, text, upTo } from "../../figures/shapes.js";
import { element, svg } from "../../page/element.js";
import { blockArrows } from "./bitDrawings.js";
import { numberText } from "./numbers.js";
import { arrangementAt, atWork, type Moment, type SortRecord, threadOf } from "./sortModel.js";

/** Places that are drawn one by one; more are a strip. */
export const mostDrawn = 64;

/** A list that is being sorted; it shows one moment after the other, so that its bars can move. */
export type SortDrawing = HTMLElement & { show(moment: Moment): void };

/** The list as bars, with arcs over the places that are compared. */
export function sortDrawing(record: SortRecord, threads: number): SortDrawing {
  const { numbers } = record.arrangements[0];
  const greatest = Math.max(1, ...numbers.filter((number) => number !== sentinel));
  const share = (number: number) => (number === sentinel ? 1 : number / greatest);
  return record.n <= mostDrawn ? sortBars(record, threads, share) : sortStrip(record, share);
}

/** Which places are compared, and which of them are swapped. */
function statesOf(pairs: readonly Comparator[]): Map<number, "compared" | "swapped"> {
  const states = pairs.flatMap(({ i, l, swapped }) => [i, l].map((place) => [place, swapped] as const));
  return new Map(states.map(([place, swapped]) => [place, swapped ? "swapped" : "compared"]));
}

const left = 74;
const arcs = 84;
const bars = 132;
const top = arcs + 30;
const bottom = top + bars;

/** Below each bar stand its place, the thread that comes by there, and the direction of its block. */
function sortBars(record: SortRecord, threads: number, share: (number: number) => number): SortDrawing {
  const { n, arrangements } = record;
  const numbers = Array.from(arrangements[0].numbers);
  const cell = n <= 8 ? 84 : 1004 / n;
  const middle = (place: number) => left + (place + 0.5) * cell;
  const barWidth = Math.min(cell * 0.7, 40);
  const longest = Math.max(...numbers.map((number) => numberText(number).length));
  const isUpright = 7 * longest > cell;
  const turned = (name: string, x: number, y: number, words: string | number) => {
    const transform = `translate(${x} ${y}) rotate(-90)`;
    return svg("text", { class: `${name} small`, "text-anchor": "middle", transform }, String(words));
  };
  // Below narrow bars two digits have room only one above the other.
  const below = (name: string, place: number, y: number, words: number) =>
    n <= 32 ? label(name, middle(place), y, words) : turned(name, middle(place) + 4, y - 4, words);

  const barOf = numbers.map((number) => {
    const height = Math.max(2, bars * share(number));
    const shape = rect(number === sentinel ? "sentinel" : "", -barWidth / 2, bottom - height, barWidth, height, 3);
    // Over narrow bars a number is turned, and left out where it would be longer than there is room.
    const words = isUpright && longest > 4 ? "" : numberText(number);
    const over = bottom - height - 5;
    const name = n > 32 ? "small" : "";
    return group("sort-bar", shape, isUpright ? turned("", 4, over - 4 * longest, words) : label(name, 0, over, words));
  });
  const columns = upTo(n).map((place) =>
    standsFor(rect("sort-column", middle(place) - cell / 2, arcs, cell, bars + 30), `element:${place}`),
  );
  const threadTexts = upTo(n).map((place) => {
    const thread = threadOf({ i: place }, threads);
    return standsFor(below("sort-thread", place, bottom + 36, thread), `thread:${thread}`);
  });
  const atMoment = svg("g");
  const whole = drawing(
    left + n * cell + 2,
    bottom + 74,
    line("sort-floor", left, bottom + 0.5, left + n * cell, bottom + 0.5),
    ...columns,
    ...barOf,
    ...["place", "thread", "direction"].map((words, row) => text("quiet", 0, bottom + [18, 36, 60][row], words)),
    ...upTo(n).map((place) => below("quiet", place, bottom + 18, place)),
    ...threadTexts,
    atMoment,
  );
  const show = (moment: Moment) => {
    const pairs = atWork(record, moment);
    const states = statesOf(pairs);
    for (const [place, origin] of arrangementAt(record, moment).origins.entries()) {
      barOf[origin].style.transform = `translateX(${middle(place)}px)`;
      barOf[origin].setAttribute("class", `sort-bar ${states.get(place) ?? ""}`);
    }
    const firsts = new Set(pairs.map(({ i }) => i));
    for (const [place, text] of threadTexts.entries()) text.classList.toggle("at-work", firsts.has(place));
    const arrows = pairs.length > 0 ? blockArrows(n, pairs[0].k, left, cell, bottom + 52) : [];
    atMoment.replaceChildren(...pairs.map((pair) => arc(pair, middle)), ...arrows);
  };
  return Object.assign(scrollBox("The list", whole), { show });
}

function arc({ i, l, swapped, ascending }: Comparator, middle: (place: number) => number): SVGElement {
  const [from, to] = [middle(i), middle(l)];
  const lift = arcs - 1.33 * Math.min(arcs - 10, 12 + 0.34 * (to - from));
  // The head is where the greater number goes.
  const head = ascending ? to : from;
  const node = group(
    swapped ? "sort-arc swapped" : "sort-arc",
    path("", `M${from} ${arcs} C${from} ${lift} ${to} ${lift} ${to} ${arcs}`),
    path("", `M${head - 4} ${arcs - 7} L${head} ${arcs} L${head + 4} ${arcs - 7}`),
  );
  return standsFor(node, `element:${i}`, `element:${l}`);
}

/** The same for too many places to draw one by one: thin bars, as wide as there is room. */
function sortStrip(record: SortRecord, share: (number: number) => number): SortDrawing {
  const strip = svg("svg", {
    class: "sort-strip",
    viewBox: `0 0 ${record.n} 1`,
    preserveAspectRatio: "none",
    "aria-hidden": "true",
  });
  const show = (moment: Moment) => {
    const pairs = atWork(record, moment);
    const states = statesOf(pairs);
    // So that a single pair can be seen among a thousand bars.
    const room = pairs.length === 1 ? Math.max(1, record.n / 300) : 0.8;
    const { numbers } = arrangementAt(record, moment);
    const bar = (number: number, place: number) => {
      const state = states.get(place);
      const height = Math.max(0.01, share(number));
      const name = `${state ?? ""}${number === sentinel ? " sentinel" : ""}`;
      return rect(name, place, 1 - height, state ? room : 0.8, height);
    };
    strip.replaceChildren(...Array.from(numbers, bar));
  };
  return Object.assign(element("div", {}, strip), { show });
}
