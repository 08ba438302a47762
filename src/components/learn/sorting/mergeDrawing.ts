import { linkThings } from "../../figures/pointing.js";
import { drawing, group, label, line, rect, text } from "../../figures/shapes.js";
import { mergeBlocks } from "./mergeModel.js";
import { networkCost, type SortRecord } from "./sortModel.js";

const left = 44;
const boxHeight = 30;
const y = (passIndex: number) => 24 + passIndex * 96;

/**
 * Returns a drawing of a bitonic list after each pass of its merge, up to a pass.
 * @param width the space for it; longer lists scroll on a narrow page
 */
export function mergeDrawing(record: SortRecord, passesDone: number, width: number): SVGElement {
  const { n, passes, comparators, arrangements } = record;
  const longest = Math.max(...arrangements[0].numbers.map((number) => String(number).length));
  const preferred = n === 16 ? 40 : 640 / Math.max(n, 9);
  const cell = Math.max(Math.min(preferred, (width - left - 6) / n), 18 + 8 * longest);
  const boxWidth = Math.min(cell - 10, 46 + 4 * longest);
  const centerOf = (place: number) => left + (place + 0.5) * cell;
  const firstPass = networkCost(n).passes - passes.length;

  const wires = comparators.flatMap((passComparators, pass) => {
    const [from, to] = [y(pass) + boxHeight / 2 + 1, y(pass + 1) - boxHeight / 2 - 1];
    return passComparators.flatMap(({ i, l, swapped }) => {
      const takenClass = pass < passesDone ? `merge-line taken${swapped ? " swapped" : ""}` : "merge-line";
      const stay = [i, l].map((position) =>
        line(swapped ? "merge-line" : takenClass, centerOf(position), from, centerOf(position), to),
      );
      const cross = [i, l].map((at) =>
        line(swapped ? takenClass : "merge-line", centerOf(at), from, centerOf(i + l - at), to),
      );
      return swapped ? [...stay, ...cross] : [...cross, ...stay];
    });
  });
  const layers = arrangements.map(({ numbers }, passIndex) => {
    const isLater = passIndex > passesDone;
    const blocks = mergeBlocks(record, passIndex).flatMap(({ first, end, isBitonic }) => {
      const x = centerOf(first) - cell / 2 + 2;
      const caption = !isBitonic ? "not bitonic" : (end - first) * cell > 62 ? "bitonic" : "✓";
      return [
        rect("merge-block", x, y(passIndex) - boxHeight / 2 - 5, (end - first) * cell - 4, boxHeight + 10, 7),
        text("merge-label", x + 4, y(passIndex) + boxHeight / 2 + 19, isLater || end - first === 1 ? "" : caption),
      ];
    });
    const boxes = Array.from(numbers, (number, place) => {
      const box = rect("", centerOf(place) - boxWidth / 2, y(passIndex) - boxHeight / 2, boxWidth, boxHeight, 4);
      const words = label("", centerOf(place), y(passIndex) + 5, isLater ? "" : number);
      return linkThings(group("merge-box", box, words), `element:${place}`);
    });
    const name = text("merge-name", 0, y(passIndex) + 4, passIndex === 0 ? "given" : `j = ${passes[passIndex - 1].j}`);
    if (passIndex > 0) linkThings(name, `pass:${firstPass + passIndex - 1}`);
    const state = isLater ? " later" : passIndex === passesDone ? " at-work" : "";
    return group(`merge-layer${state}`, ...blocks, ...boxes, name);
  });
  return drawing(left + n * cell, y(passes.length) + 46, ...wires, ...layers);
}
