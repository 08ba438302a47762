import { standsFor } from "../../figures/pointed.js";
import { drawing, group, label, line, rect, text } from "../../figures/shapes.js";
import { mergeBlocks } from "./mergeModel.js";
import { networkCost, type SortRecord } from "./sortModel.js";

const left = 58;
const high = 30;
const y = (done: number) => 24 + done * 96;

/** A bitonic list after each pass of its merge, so far as they are done. */
export function mergeDrawing(record: SortRecord, passesDone: number): SVGElement {
  const { n, passes, comparators, arrangements } = record;
  const longest = Math.max(...arrangements[0].numbers.map((number) => String(number).length));
  const cell = Math.max(n === 16 ? 40 : 640 / Math.max(n, 9), 18 + 8 * longest);
  const wide = Math.min(cell - 10, 46 + 4 * longest);
  const middle = (place: number) => left + (place + 0.5) * cell;
  const firstPass = networkCost(n).passes - passes.length;

  const wires = comparators.flatMap((all, pass) => {
    const [from, to] = [y(pass) + high / 2 + 1, y(pass + 1) - high / 2 - 1];
    return all.flatMap(({ i, l, swapped }) => {
      const taken = pass < passesDone ? `merge-line taken${swapped ? " swapped" : ""}` : "merge-line";
      const stay = [i, l].map((at) => line(swapped ? "merge-line" : taken, middle(at), from, middle(at), to));
      const cross = [i, l].map((at) => line(swapped ? taken : "merge-line", middle(at), from, middle(i + l - at), to));
      return swapped ? [...stay, ...cross] : [...cross, ...stay];
    });
  });
  const layers = arrangements.map(({ numbers }, done) => {
    const isLater = done > passesDone;
    const blocks = mergeBlocks(record, done).flatMap(({ first, end, isBitonic }) => {
      const x = middle(first) - cell / 2 + 2;
      const words = !isBitonic ? "not bitonic" : (end - first) * cell > 62 ? "bitonic" : "✓";
      return [
        rect("merge-block", x, y(done) - high / 2 - 5, (end - first) * cell - 4, high + 10, 7),
        text("merge-label", x + 4, y(done) + high / 2 + 19, isLater || end - first === 1 ? "" : words),
      ];
    });
    const boxes = Array.from(numbers, (number, place) => {
      const box = rect("", middle(place) - wide / 2, y(done) - high / 2, wide, high, 4);
      const words = label("", middle(place), y(done) + 5, isLater ? "" : number);
      return standsFor(group("merge-box", box, words), `element:${place}`);
    });
    const name = text("merge-name", 0, y(done) + 4, done === 0 ? "given" : `j = ${passes[done - 1].j}`);
    if (done > 0) standsFor(name, `pass:${firstPass + done - 1}`);
    const state = isLater ? " later" : done === passesDone ? " at-work" : "";
    return group(`merge-layer${state}`, ...blocks, ...boxes, name);
  });
  return drawing(left + n * cell, y(passes.length) + 46, ...wires, ...layers);
}
