import { bitonicSort, type Comparator } from "../../../engine/cpu/shortList.js";
import { element, svg } from "../../element.js";
import { bringInSight } from "../inSight.js";
import { onPointed, pointAt, standsFor } from "../marks.js";
import { blockArrows, label, placesInBinary } from "./drawing.js";

/**
 * An input for `view`, whose value is the place that the reader points at, by mouse, by touch or by the arrow keys, in
 * the drawing of who is whose partner.
 */
export function pairPicker(n: number, j: number): HTMLElement & { value: number } {
  const range = { "aria-valuemin": 0, "aria-valuemax": n - 1, "aria-valuenow": 1 };
  const attributes = { class: "learn-scroll", tabindex: 0, role: "slider", "aria-label": "Place", ...range };
  const node = Object.assign(element("div", attributes, pairDrawing(n, j)), { value: 1 });
  onPointed(node, (things) => {
    const thing = things.find((thing) => thing.startsWith("element:"));
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

/** The pairs i and i ^ j of n places, and the binary digit in which they differ. */
function pairDrawing(n: number, j: number): SVGElement {
  const pairs: Comparator[] = [];
  bitonicSort(new Uint32Array(n), [{ k: n, j }], (comparator) => pairs.push(comparator));
  const arcs = 20 + 0.36 * Math.min(j * (n === 32 ? 20 : 40), 320);
  return placesInBinary(
    "pair-place",
    n,
    Math.log2(n),
    j,
    [arcs + 32, 2],
    (place, x) => [svg("circle", { cx: x, cy: arcs + 14, r: n === 32 ? 9 : 12 }), label(x, arcs + 18, place)],
    ({ middle }) =>
      pairs.map(({ i, l }) => {
        const [from, to, lift] = [middle(i), middle(l), arcs - 1.3 * (arcs - 6)];
        const path = { class: "pair-arc", d: `M${from} ${arcs} C${from} ${lift} ${to} ${lift} ${to} ${arcs}` };
        return standsFor(svg("path", path), `element:${i}`, `element:${l}`);
      }),
  );
}

/** Which blocks of k places are sorted upwards and which downwards, by one binary digit, and a list as bars. */
export function directionDrawing(list: Uint32Array, k: number): SVGElement {
  const n = list.length;
  const bars = 88;
  const greatest = Math.max(1, ...list);
  return placesInBinary(
    "direction-place",
    n,
    // One digit more than a place has: the greatest k is the digit that none of them has.
    Math.log2(n) + 1,
    k,
    [bars + 20, 42],
    (place, x, cell) => {
      const height = Math.max(2, ((bars - 4) * list[place]) / greatest);
      const shape = { x: x - cell * 0.32, y: bars - height, width: cell * 0.64, height, rx: 2 };
      const name = (place & k) === 0 ? "direction-bar ascending" : "direction-bar";
      return [svg("rect", { class: name, ...shape }), label(x, bars + 15, place, "quiet")];
    },
    ({ left, cell, end }) => blockArrows(n, k, left, cell, end + 12),
  );
}
