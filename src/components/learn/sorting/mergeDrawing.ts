import { svg } from "../../element.js";
import { standsFor } from "../marks.js";
import { drawing, label } from "./drawing.js";
import { mergeBlocks } from "./mergeModel.js";
import { networkCost, type SortRecord } from "./sortModel.js";

const left = 58;
const layer = 96;
const high = 30;
const y = (done: number) => 24 + done * layer;

/** A bitonic list after each pass of its merge, so far as they are done. */
export function mergeDrawing(record: SortRecord, passesDone: number): SVGElement {
  const { n, passes, comparators, arrangements } = record;
  const longest = Math.max(...arrangements[0].numbers.map((number) => String(number).length));
  const cell = Math.max(n === 16 ? 40 : 640 / Math.max(n, 9), 18 + 8 * longest);
  const wide = Math.min(cell - 10, 46 + 4 * longest);
  const middle = (place: number) => left + (place + 0.5) * cell;
  const firstPass = networkCost(n).passes - passes.length;

  const wires = comparators.flatMap((all, pass) =>
    all.flatMap(({ i, l, swapped }) => {
      const line = (from: number, to: number, isTaken: boolean) => {
        const taken = isTaken && pass < passesDone ? ` taken${swapped ? " swapped" : ""}` : "";
        const [y1, y2] = [y(pass) + high / 2 + 1, y(pass + 1) - high / 2 - 1];
        return svg("line", { class: `merge-line${taken}`, x1: middle(from), x2: middle(to), y1, y2 });
      };
      const [stay, cross] = [
        [line(i, i, !swapped), line(l, l, !swapped)],
        [line(i, l, swapped), line(l, i, swapped)],
      ];
      return swapped ? [...stay, ...cross] : [...cross, ...stay];
    }),
  );
  const layers = arrangements.map(({ numbers }, done) => {
    const isLater = done > passesDone;
    const blocks = mergeBlocks(record, done).flatMap(({ first, end, isBitonic }) => {
      const x = middle(first) - cell / 2 + 2;
      const frame = { class: "merge-block", x, y: y(done) - high / 2 - 5, height: high + 10, rx: 7 };
      const words = !isBitonic ? "not bitonic" : (end - first) * cell > 62 ? "bitonic" : "✓";
      const at = { class: "merge-label", x: x + 4, y: y(done) + high / 2 + 19 };
      return [
        svg("rect", { ...frame, width: (end - first) * cell - 4 }),
        svg("text", at, end - first > 1 && !isLater && words),
      ];
    });
    const boxes = Array.from(numbers, (number, place) => {
      const box = { x: middle(place) - wide / 2, y: y(done) - high / 2, width: wide, height: high, rx: 4 };
      const parts = [svg("rect", box), label(middle(place), y(done) + 5, isLater ? "" : number)];
      return standsFor(svg("g", { class: "merge-box" }, ...parts), `element:${place}`);
    });
    const name = svg("text", { class: "merge-name", x: 0, y: y(done) + 4 });
    name.textContent = done === 0 ? "given" : `j = ${passes[done - 1].j}`;
    if (done > 0) standsFor(name, `pass:${firstPass + done - 1}`);
    const state = isLater ? " later" : done === passesDone ? " at-work" : "";
    return svg("g", { class: `merge-layer${state}` }, ...blocks, ...boxes, name);
  });
  return drawing(left + n * cell, y(passes.length) + 46, ...wires, ...layers);
}
