import { html } from "htl";
import { bitonicSort, type Comparator } from "../../../engine/model/shortList.js";
import { linkThings, pointAt, pointedThings } from "../../figures/pointing.js";
import { scrollIntoBox } from "../../figures/scrollIntoBox.js";
import { circle, drawing, group, indices, label, path, rect } from "../../figures/shapes.js";
import { arrowDirection } from "../../inputs/arrowKeys.js";
import { setInputValue } from "../../inputs/setInputValue.js";

/**
 * Returns an input for `view` with a place as its value: the one that is pointed at, by mouse, touch or arrow keys, in a
 * drawing of all partners.
 */
export function pairPicker(n: number, j: number, width: number): HTMLElement & { value: number } {
  const range = { "aria-valuemin": "0", "aria-valuemax": n - 1, "aria-valuenow": "1" };
  const slider = html`<div class="learn-scroll" tabindex="0" role="slider" aria-label="Place" ${range}>${pairDrawing(n, j, width)}</div>`;
  const node = Object.assign(slider, { value: 1 });
  node.addEventListener("marked", () => {
    const thing = pointedThings().find((thing) => thing.startsWith("element:"));
    const position = Number(thing?.slice("element:".length));
    if (!(position < n) || position === node.value) return;
    node.ariaValueNow = String(position);
    setInputValue(node, position);
  });
  node.onkeydown = (event) => {
    const [dx, dy] = arrowDirection(event) ?? [0, 0];
    if (dx === dy) return;
    pointAt(`element:${(node.value + dx - dy + n) % n}`);
    scrollIntoBox(node, node.querySelector(".pair-place.marked"));
  };
  return node;
}

const left = 24;
const digitHeight = 14;
const cellWidth = (n: number, width: number) => fitCell(n, width - left - 6, n === 32 ? 20 : 640 / Math.max(n, 16));
const centerOf = (cell: number, position: number) => left + (position + 0.5) * cell;

/** Returns the width of a place: the preferred one, or on narrow pages what 16 places fit with. */
export function fitCell(n: number, width: number, preferred: number): number {
  return Math.min(preferred, Math.max(width / n, Math.min(preferred, 16)));
}

/** Returns a drawing of the pairs i and i ^ j of n places, and the binary digit in which they differ. */
function pairDrawing(n: number, j: number, width: number): SVGElement {
  const cell = cellWidth(n, width);
  const pairs: Comparator[] = [];
  bitonicSort({ blobs: new Uint32Array(n), blobCount: n }, [{ k: n, j }], (comparator) => pairs.push(comparator));
  const top = 20 + 0.36 * Math.min(j * cell, 320);
  const arcTop = top - 1.3 * (top - 6);
  const arcs = pairs.map(({ i, l }) => {
    const [from, to] = [centerOf(cell, i), centerOf(cell, l)];
    const arc = path("pair-arc", `M${from} ${top} C${from} ${arcTop} ${to} ${arcTop} ${to} ${top}`);
    return linkThings(arc, `element:${i}`, `element:${l}`);
  });
  const positions = indices(n).map((position) => {
    const x = centerOf(cell, position);
    return [circle("", x, top + 14, cell < 26 ? 9 : 12), label("", x, top + 18, position)];
  });
  return binaryDrawing("pair-place", Math.log2(n), j, cell, top + 32, positions, ...arcs);
}

/** Returns a drawing of the sort direction of each block of k places by one binary digit, with a list as bars. */
export function directionDrawing(list: Uint32Array, k: number, width: number): SVGElement {
  const n = list.length;
  const barsHeight = 88;
  const cell = cellWidth(n, width);
  const greatest = Math.max(1, ...list);
  const positions = Array.from(list, (number, position) => {
    const height = Math.max(2, ((barsHeight - 4) * number) / greatest);
    const x = centerOf(cell, position);
    const name = (position & k) === 0 ? "direction-bar ascending" : "direction-bar";
    return [
      rect(name, x - cell * 0.32, barsHeight - height, cell * 0.64, height, 2),
      label("quiet", x, barsHeight + 15, position),
    ];
  });
  // One more digit than a place has, because the greatest k is a digit that no place has.
  const digits = Math.log2(n) + 1;
  const arrows = blockArrows(n, k, left, cell, barsHeight + 32 + digits * digitHeight);
  return binaryDrawing("direction-place", digits, k, cell, barsHeight + 20, positions, ...arrows);
}

/** Returns a row of places over their binary digits, the highest on top; the digit with a weight is highlighted. */
function binaryDrawing(
  name: string,
  digits: number,
  markedWeight: number,
  cell: number,
  top: number,
  positions: SVGElement[][],
  ...children: SVGElement[]
): SVGElement {
  const rows = indices(digits).map((row) => ({ weight: 2 ** (digits - 1 - row), y: top + row * digitHeight }));
  const columns = positions.map((parts, position) => {
    const x = centerOf(cell, position);
    const column = rows.map(({ weight, y }) => {
      const digit = (position & weight) === 0 ? 0 : 1;
      if (weight !== markedWeight) return [label("digit", x, y + 11, digit)];
      return [rect("digit-box", x - 7, y, 14, digitHeight, 3), label("digit marked-digit", x, y + 11, digit)];
    });
    const hitArea = rect("hit", x - cell / 2, 0, cell, top + digits * digitHeight);
    return linkThings(group(name, hitArea, ...parts, ...column.flat()), `element:${position}`);
  });
  const weights = rows.map(({ weight, y }) => label("quiet small", left - 14, y + 11, weight));
  return drawing(left + positions.length * cell, top + digits * digitHeight + 42, ...children, ...weights, ...columns);
}

/** Returns an arrow below each block of k places, towards its greater numbers. */
export function blockArrows(n: number, k: number, left: number, cell: number, y: number): SVGElement[] {
  return indices(n / k).map((block) => {
    const ends = [left + block * k * cell + 5, left + (block + 1) * k * cell - 5];
    const available = ends[1] - ends[0];
    const isAscending = block % 2 === 0;
    const [from, to] = isAscending ? ends : ends.toReversed();
    const headOffset = isAscending ? -6 : 6;
    const [long, short] = isAscending ? ["ascending", "asc."] : ["descending", "desc."];
    return group(
      isAscending ? "sort-direction" : "sort-direction descending",
      path("", `M${from} ${y} H${to} m${headOffset} -4 l${-headOffset} 4 l${headOffset} 4`),
      label("", (from + to) / 2, y + 17, available > 66 ? long : available > 34 ? short : ""),
    );
  });
}
