import { type Comparator, sentinel } from "../../../engine/cpu/shortList.js";
import { element, svg } from "../../element.js";
import { scrollBox } from "../controls.js";
import { standsFor } from "../marks.js";
import { numberText } from "./numbers.js";
import { arrangementAt, type Moment, type SortRecord, threadOf } from "./sortModel.js";

/** Places that are drawn one by one; more are a strip. */
export const mostDrawn = 64;

/** A drawing of a list that is being sorted. */
export interface SortDrawing {
  readonly node: HTMLElement;
  /** Shows a moment, and which comparators are at work in it. */
  show(moment: Moment, atWork: readonly Comparator[]): void;
}

const left = 74;
const arcs = 84;
const bars = 132;
const top = arcs + 30;
const bottom = top + bars;

/** Bars with arcs over the places that are compared, and below them the places, their threads and directions. */
export function sortBars(record: SortRecord, threads: number): SortDrawing {
  const { n, arrangements } = record;
  const cell = n <= 8 ? 84 : 936 / n;
  const middle = (place: number) => left + (place + 0.5) * cell;
  const { numbers } = arrangements[0];
  const greatest = Math.max(1, ...numbers.filter((number) => number !== sentinel));
  const barWidth = Math.min(cell * 0.7, 40);
  const small = n > 32 ? "sort-small" : undefined;
  const longest = Math.max(...numbers.map((number) => (number === sentinel ? 1 : String(number).length)));
  const isUpright = 7 * longest > cell;
  const text = (x: number, y: number, words: string, name = "") =>
    svg("text", { x, y, class: [name, small].filter(Boolean).join(" "), "text-anchor": "middle" }, words);
  const rowName = (y: number, words: string) => svg("text", { x: 0, y, class: "sort-quiet" }, words);

  // Below narrow bars two digits have room only one above the other.
  const numberBelow = (place: number, y: number, words: string, name: string) => {
    if (n <= 32) return text(middle(place), y, words, name);
    const transform = `translate(${middle(place) + 4} ${y - 4}) rotate(-90)`;
    return svg("text", { class: `${name} ${small}`, "text-anchor": "middle", transform }, words);
  };

  // Over narrow bars a number is turned, and left out where it would be longer than there is room.
  const numberOver = (y: number, words: string) => {
    if (!isUpright) return text(0, y, words);
    const turned = svg("text", { x: 0, y: 4, class: small, transform: `translate(0 ${y}) rotate(-90)` }, words);
    return longest <= 4 && turned;
  };
  const barOf = Array.from(numbers, (number) => {
    const isSentinel = number === sentinel;
    const height = isSentinel ? bars : Math.max(2, (bars * number) / greatest);
    return svg(
      "g",
      { class: isSentinel ? "sort-bar sort-sentinel" : "sort-bar" },
      svg("rect", { x: -barWidth / 2, y: bottom - height, width: barWidth, height, rx: Math.min(3, barWidth / 4) }),
      numberOver(bottom - height - 5, numberText(number)),
    );
  });
  const columns = Array.from(numbers, (_, place) =>
    standsFor(
      svg("rect", { class: "sort-column", x: middle(place) - cell / 2, y: arcs, width: cell, height: bars + 30 }),
      `element:${place}`,
    ),
  );
  const threadTexts = Array.from(numbers, (_, place) =>
    standsFor(
      numberBelow(place, bottom + 36, String(threadOf({ i: place }, threads)), "sort-thread"),
      `thread:${threadOf({ i: place }, threads)}`,
    ),
  );
  const arcLayer = svg("g", {});
  const directionLayer = svg("g", {});
  const drawing = svg(
    "svg",
    { viewBox: `0 0 ${left + n * cell + 2} ${bottom + 74}`, "aria-hidden": "true" },
    svg("line", { class: "sort-floor", x1: left, x2: left + n * cell, y1: bottom + 0.5, y2: bottom + 0.5 }),
    ...columns,
    ...barOf,
    rowName(bottom + 18, "place"),
    rowName(bottom + 36, "thread"),
    rowName(bottom + 60, "direction"),
    ...Array.from(numbers, (_, place) => numberBelow(place, bottom + 18, String(place), "sort-quiet")),
    ...threadTexts,
    arcLayer,
    directionLayer,
  );
  drawing.style.minWidth = `${left + n * cell + 2}px`;
  const node = scrollBox("The list", drawing);

  return {
    node,
    show(moment, atWork) {
      const { origins } = arrangementAt(record, moment);
      const state = new Map(
        atWork.flatMap(({ i, l, swapped }) => [i, l].map((place) => [place, swapped ? "swapped" : "compared"])),
      );
      for (const [place, origin] of origins.entries()) {
        barOf[origin].style.transform = `translateX(${middle(place)}px)`;
        barOf[origin].classList.toggle("compared", state.get(place) === "compared");
        barOf[origin].classList.toggle("swapped", state.get(place) === "swapped");
      }
      const firsts = new Set(atWork.map(({ i }) => i));
      for (const [place, node] of threadTexts.entries()) node.classList.toggle("at-work", firsts.has(place));
      arcLayer.replaceChildren(...atWork.map((comparator) => arc(comparator, middle)));
      const [{ k }] = atWork.length > 0 ? atWork : [{ k: 0 }];
      directionLayer.replaceChildren(...(k > 0 ? blockMarks(n, k, cell) : []));
    },
  };
}

function arc({ i, l, swapped, ascending }: Comparator, middle: (place: number) => number): SVGElement {
  const [from, to] = [middle(i), middle(l)];
  const height = Math.min(arcs - 10, 12 + 0.34 * (to - from));
  const curve = `M${from} ${arcs} C${from} ${arcs - 1.33 * height} ${to} ${arcs - 1.33 * height} ${to} ${arcs}`;
  // The head is where the greater number goes.
  const head = ascending ? to : from;
  return standsFor(
    svg(
      "g",
      { class: swapped ? "sort-arc swapped" : "sort-arc" },
      svg("path", { d: curve }),
      svg("path", { class: "head", d: `M${head - 4} ${arcs - 7} L${head} ${arcs} L${head + 4} ${arcs - 7}` }),
    ),
    `element:${i}`,
    `element:${l}`,
  );
}

/** An arrow below each block of k places, towards its greater numbers. */
function blockMarks(n: number, k: number, cell: number): SVGElement[] {
  return Array.from({ length: n / k }, (_, block) => {
    const [x1, x2] = [left + block * k * cell + 5, left + (block + 1) * k * cell - 5];
    const isAscending = block % 2 === 0;
    const [from, to] = isAscending ? [x1, x2] : [x2, x1];
    const back = isAscending ? -6 : 6;
    const y = bottom + 52;
    const words = isAscending ? "ascending" : "descending";
    return svg(
      "g",
      { class: isAscending ? "sort-direction" : "sort-direction descending" },
      svg("path", { d: `M${from} ${y} H${to} m${back} -4 l${-back} 4 l${back} 4` }),
      x2 - x1 > 66 && svg("text", { x: (x1 + x2) / 2, y: y + 17, "text-anchor": "middle" }, words),
    );
  });
}

const stripHeight = 150;

/** The same for a list of too many places to draw one by one: a strip of thin bars. */
export function sortStrip(record: SortRecord): SortDrawing {
  const canvas = element("canvas", { "aria-hidden": "true", class: "sort-strip" });
  const node = element("div", {}, canvas);
  let shown: [Moment, readonly Comparator[]] | undefined;
  const { numbers } = record.arrangements[0];
  const greatest = Math.max(1, ...numbers.filter((number) => number !== sentinel));
  const draw = () => {
    const width = canvas.clientWidth;
    if (!shown || width === 0) return;
    const scale = devicePixelRatio;
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(stripHeight * scale);
    const context = canvas.getContext("2d")!;
    const style = getComputedStyle(canvas);
    const color = (name: string) => style.getPropertyValue(name).trim();
    const [plain, swapped] = ["--bar", "--current"].map(color);
    const [moment, atWork] = shown;
    const state = new Map(atWork.flatMap((one) => [one.i, one.l].map((place) => [place, one.swapped])));
    const { numbers: now } = arrangementAt(record, moment);
    const step = canvas.width / record.n;
    for (const [place, number] of now.entries()) {
      const isSentinel = number === sentinel;
      const height = isSentinel ? canvas.height : Math.max(scale, (canvas.height * number) / greatest);
      const swap = state.get(place);
      context.fillStyle = swap === undefined ? plain : swapped;
      context.globalAlpha = (isSentinel ? 0.35 : 1) * (swap === false ? 0.45 : 1);
      // At least a pixel wide, so that a single pair can be seen among a thousand bars.
      const wide = swap === undefined || atWork.length > 1 ? Math.max(step * 0.8, 0.5) : Math.max(step, 2 * scale);
      context.fillRect(place * step, canvas.height - height, wide, height);
    }
  };
  new ResizeObserver(draw).observe(canvas);
  return {
    node,
    show(moment, atWork) {
      shown = [moment, atWork];
      draw();
    },
  };
}
