import { linkThings } from "../../figures/pointing.js";
import { circle, drawing, group, indices, label, line, path, rect } from "../../figures/shapes.js";
import { laneOf } from "./networkModel.js";
import { numberText } from "./numbers.js";
import type { SortRecord } from "./sortModel.js";

/**
 * Returns a drawing of the comparison network, with a list after each of its passes up to one.
 * @param width the space for it; networks of more than 8 places scroll on a narrow page
 */
export function networkDrawing(
  { n, passes, arrangements, comparators }: SortRecord,
  passesDone: number,
  width: number,
): SVGElement {
  const isLarge = n > 16;
  const sizeClass = isLarge ? "small" : "";
  const rowHeight = n <= 8 ? 34 : n <= 16 ? 26 : n <= 32 ? 20 : 15;
  const preferredLane = n <= 8 ? 44 : n <= 16 ? 16 : 10;
  const digits = Math.max(2, ...arrangements[0].numbers.map((number) => numberText(number).length));
  const numberWidth = (width < 560 ? 7 : 14) + digits * (isLarge ? 6.5 : 8);
  const lanes = passes.reduce((sum, { j }) => sum + j, 0);
  const widthOfNumbers = 30 + (passes.length + 1) * numberWidth + 10 * Math.log2(n);
  const laneWidth = Math.min(preferredLane, Math.max((width - widthOfNumbers) / lanes, 9));
  const headHeight = 52;
  const y = (position: number) => headHeight + (position + 0.5) * rowHeight;
  const bottom = headHeight + n * rowHeight;
  // The left edge of each pass: space for the numbers before it, then a lane for each comparator that crosses others.
  const starts = [30];
  for (const { j } of passes) starts.push(starts.at(-1)! + numberWidth + j * laneWidth + (j === 1 ? 10 : 0));
  const right = starts.at(-1)! + numberWidth;

  const wires = indices(n).flatMap((place) => [
    linkThings(line("network-wire", 26, y(place), right - 4, y(place)), `element:${place}`),
    linkThings(label(`quiet ${sizeClass}`, 14, y(place) + 4, place), `element:${place}`),
  ]);
  const heads = passes.flatMap(({ k, j }, pass) => {
    const x = starts[pass] + numberWidth;
    const name = pass === passesDone - 1 ? "network-band at-work" : "network-band";
    const band = rect(name, x, headHeight - 22, j * laneWidth, bottom - headHeight + 26, 4);
    const caption = label(sizeClass, x + (j * laneWidth) / 2, headHeight - 8, isLarge ? `j ${j}` : `j = ${j}`);
    const parts = [linkThings(band, `pass:${pass}`), linkThings(caption, `pass:${pass}`)];
    if (j !== k / 2) return parts;
    const end = starts[pass + Math.log2(k) - 1] + numberWidth + laneWidth;
    const size = label(sizeClass, (x + end) / 2, 12, k === 2 && n > 32 ? `k ${k}` : `k = ${k}`);
    return [...parts, path("network-bracket", `M${x} 24 v-5 H${end} v5`), size];
  });
  const connectors = comparators.flatMap((passComparators, pass) =>
    passComparators.map((comparator) => {
      const { i, l, ascending, swapped } = comparator;
      const x = starts[pass] + numberWidth + (laneOf(comparator) + 0.5) * laneWidth;
      const [from, to] = ascending ? [y(i), y(l)] : [y(l), y(i)];
      const headOffset = ascending ? -6 : 6;
      const node = group(
        swapped && pass < passesDone ? "network-comparator swapped" : "network-comparator",
        line("network-hit", x, from, x, to),
        line("", x, from, x, to),
        circle("", x, from, isLarge ? 2.2 : 3),
        path("head", `M${x - 4} ${to + headOffset} L${x} ${to} L${x + 4} ${to + headOffset} Z`),
      );
      return linkThings(node, `element:${i}`, `element:${l}`);
    }),
  );
  const numbers = arrangements.slice(0, passesDone + 1).map(({ numbers: list }, pass) => {
    const before = arrangements[Math.max(pass - 1, 0)].numbers;
    const x = starts[pass] + numberWidth / 2;
    const parts = Array.from(list, (number, place) => {
      const text = numberText(number);
      const width = 6 + text.length * (isLarge ? 6.2 : 7.2);
      const name = number === before[place] ? sizeClass : `${sizeClass} moved`;
      return [rect("number-ground", x - width / 2, y(place) - 7, width, 14), label(name, x, y(place) + 4, text)];
    });
    return group("network-numbers", ...parts.flat());
  });
  return drawing(right, bottom + 8, ...heads, ...wires, ...connectors, ...numbers);
}
