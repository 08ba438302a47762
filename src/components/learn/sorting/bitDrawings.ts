import { bitonicSort, type Comparator } from "../../../engine/model/shortList.js";
import { bringInSight } from "../../figures/inSight.js";
import { pointAt, pointedThings, standsFor } from "../../figures/pointed.js";
import { circle, drawing, group, label, path, rect, upTo } from "../../figures/shapes.js";
import { element } from "../../page/element.js";

/**
 * An input for `view`, whose value is the place that the reader points at, by mouse, by touch or by the arrow keys, in
 * the drawing of who is whose partner.
 */
export function pairPicker(n: number, j: number): HTMLElement & { value: number } {
  const range = { "aria-valuemin": 0, "aria-valuemax": n - 1, "aria-valuenow": 1 };
  const attributes = { class: "learn-scroll", tabindex: 0, role: "slider", "aria-label": "Place", ...range };
  const node = Object.assign(element("div", attributes, pairDrawing(n, j)), { value: 1 });
  node.addEventListener("marked", () => {
    const thing = pointedThings().find((thing) => thing.startsWith("element:"));
    const place = Number(thing?.slice("element:".length));
    if (!(place < n) || place === node.value) return;
    node.value = place;
    node.ariaValueNow = String(place);
    node.dispatchEvent(new Event("input", { bubbles: true }));
  });
  node.addEventListener("keydown", (event) => {
    const way = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (way === undefined) return;
    event.preventDefault();
    pointAt(`element:${(node.value + way + n) % n}`);
    bringInSight(node, node.querySelector(".pair-place.marked"));
  });
  return node;
}

const left = 24;
const digitHeight = 14;
const cellOf = (n: number) => (n === 32 ? 20 : 640 / Math.max(n, 16));
const middleOf = (n: number, place: number) => left + (place + 0.5) * cellOf(n);

/** The pairs i and i ^ j of n places, and the binary digit in which they differ. */
function pairDrawing(n: number, j: number): SVGElement {
  const pairs: Comparator[] = [];
  bitonicSort({ blobs: new Uint32Array(n), blobCount: n }, [{ k: n, j }], (comparator) => pairs.push(comparator));
  const top = 20 + 0.36 * Math.min(j * cellOf(n), 320);
  const lift = top - 1.3 * (top - 6);
  const arcs = pairs.map(({ i, l }) => {
    const [from, to] = [middleOf(n, i), middleOf(n, l)];
    const arc = path("pair-arc", `M${from} ${top} C${from} ${lift} ${to} ${lift} ${to} ${top}`);
    return standsFor(arc, `element:${i}`, `element:${l}`);
  });
  const places = upTo(n).map((place) => {
    const x = middleOf(n, place);
    return [circle("", x, top + 14, n === 32 ? 9 : 12), label("", x, top + 18, place)];
  });
  return inBinary("pair-place", Math.log2(n), j, top + 32, places, ...arcs);
}

/** Which blocks of k places are sorted upwards and which downwards, by one binary digit, and a list as bars. */
export function directionDrawing(list: Uint32Array, k: number): SVGElement {
  const n = list.length;
  const bars = 88;
  const cell = cellOf(n);
  const greatest = Math.max(1, ...list);
  const places = Array.from(list, (number, place) => {
    const height = Math.max(2, ((bars - 4) * number) / greatest);
    const x = middleOf(n, place);
    const name = (place & k) === 0 ? "direction-bar ascending" : "direction-bar";
    return [rect(name, x - cell * 0.32, bars - height, cell * 0.64, height, 2), label("quiet", x, bars + 15, place)];
  });
  // One digit more than a place has: the greatest k is the digit that none of them has.
  const digits = Math.log2(n) + 1;
  const arrows = blockArrows(n, k, left, cell, bars + 32 + digits * digitHeight);
  return inBinary("direction-place", digits, k, bars + 20, places, ...arrows);
}

/** Places in a row over their binary digits, the highest on top; the digit worth `marked` stands out. */
function inBinary(
  name: string,
  digits: number,
  marked: number,
  top: number,
  places: SVGElement[][],
  ...more: SVGElement[]
): SVGElement {
  const n = places.length;
  const cell = cellOf(n);
  const rows = upTo(digits).map((row) => ({ worth: 2 ** (digits - 1 - row), y: top + row * digitHeight }));
  const columns = places.map((parts, place) => {
    const x = middleOf(n, place);
    const column = rows.map(({ worth, y }) => {
      const digit = (place & worth) === 0 ? 0 : 1;
      if (worth !== marked) return [label("digit", x, y + 11, digit)];
      return [rect("digit-box", x - 7, y, 14, digitHeight, 3), label("digit marked-digit", x, y + 11, digit)];
    });
    const hit = rect("hit", x - cell / 2, 0, cell, top + digits * digitHeight);
    return standsFor(group(name, hit, ...parts, ...column.flat()), `element:${place}`);
  });
  const worths = rows.map(({ worth, y }) => label("quiet small", left - 14, y + 11, worth));
  return drawing(left + n * cell, top + digits * digitHeight + 42, ...more, ...worths, ...columns);
}

/** An arrow below each block of k places, towards its greater numbers. */
export function blockArrows(n: number, k: number, left: number, cell: number, y: number): SVGElement[] {
  return upTo(n / k).map((block) => {
    const ends = [left + block * k * cell + 5, left + (block + 1) * k * cell - 5];
    const room = ends[1] - ends[0];
    const isAscending = block % 2 === 0;
    const [from, to] = isAscending ? ends : ends.toReversed();
    const back = isAscending ? -6 : 6;
    const [long, short] = isAscending ? ["ascending", "up"] : ["descending", "down"];
    return group(
      isAscending ? "sort-direction" : "sort-direction descending",
      path("", `M${from} ${y} H${to} m${back} -4 l${-back} 4 l${back} 4`),
      label("", (from + to) / 2, y + 17, room > 66 ? long : room > 24 ? short : ""),
    );
  });
}
