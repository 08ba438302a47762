import { svg } from "../../element.js";
import { standsFor } from "../marks.js";
import { drawing, label, upTo } from "./drawing.js";
import { laneOf } from "./networkModel.js";
import { numberText } from "./numbers.js";
import type { SortRecord } from "./sortModel.js";

/** The comparison network, and a list that has flowed through so many of its passes. */
export function networkDrawing({ n, passes, arrangements, comparators }: SortRecord, passesDone: number): SVGElement {
  const isLarge = n > 16;
  const small = isLarge ? "small" : "";
  const row = n <= 8 ? 34 : n <= 16 ? 26 : n <= 32 ? 20 : 15;
  const lane = n <= 8 ? 44 : n <= 16 ? 16 : 10;
  const digits = Math.max(2, ...arrangements[0].numbers.map((number) => numberText(number).length));
  const room = 14 + digits * (isLarge ? 6.5 : 8);
  const head = 52;
  const y = (place: number) => head + (place + 0.5) * row;
  const bottom = head + n * row;
  // Where each pass begins: with room for the numbers before it, then a lane for each comparator that crosses others.
  const starts = [30];
  for (const { j } of passes) starts.push(starts.at(-1)! + room + j * lane + (j === 1 ? 10 : 0));
  const right = starts.at(-1)! + room;

  const wires = upTo(n).flatMap((place) => [
    standsFor(
      svg("line", { class: "network-wire", x1: 26, x2: right - 4, y1: y(place), y2: y(place) }),
      `element:${place}`,
    ),
    standsFor(label(14, y(place) + 4, place, `quiet ${small}`), `element:${place}`),
  ]);
  const heads = passes.flatMap(({ k, j }, pass) => {
    const x = starts[pass] + room;
    const name = pass === passesDone - 1 ? "network-band at-work" : "network-band";
    const band = { class: name, x, y: head - 22, width: j * lane, height: bottom - head + 26, rx: 4 };
    const words = label(x + (j * lane) / 2, head - 8, isLarge ? `j ${j}` : `j = ${j}`, small);
    const parts = [standsFor(svg("rect", band), `pass:${pass}`), standsFor(words, `pass:${pass}`)];
    if (j !== k / 2) return parts;
    const end = starts[pass + Math.log2(k) - 1] + room + lane;
    const bracket = svg("path", { class: "network-bracket", d: `M${x} 24 v-5 H${end} v5` });
    return [...parts, bracket, label((x + end) / 2, 12, k === 2 && n > 32 ? `k ${k}` : `k = ${k}`, small)];
  });
  const connectors = comparators.flatMap((all, pass) =>
    all.map((comparator) => {
      const { i, l, ascending, swapped } = comparator;
      const x = starts[pass] + room + (laneOf(comparator) + 0.5) * lane;
      const [from, to] = ascending ? [y(i), y(l)] : [y(l), y(i)];
      const back = ascending ? -6 : 6;
      return standsFor(
        svg(
          "g",
          { class: swapped && pass < passesDone ? "network-comparator swapped" : "network-comparator" },
          svg("line", { class: "network-hit", x1: x, x2: x, y1: from, y2: to }),
          svg("line", { x1: x, x2: x, y1: from, y2: to }),
          svg("circle", { cx: x, cy: from, r: isLarge ? 2.2 : 3 }),
          svg("path", { class: "head", d: `M${x - 4} ${to + back} L${x} ${to} L${x + 4} ${to + back} Z` }),
        ),
        `element:${i}`,
        `element:${l}`,
      );
    }),
  );
  const numbers = arrangements.slice(0, passesDone + 1).map(({ numbers: list }, pass) => {
    const before = arrangements[Math.max(pass - 1, 0)].numbers;
    const x = starts[pass] + room / 2;
    const parts = Array.from(list, (number, place) => {
      const text = numberText(number);
      const width = 6 + text.length * (isLarge ? 6.2 : 7.2);
      const ground = { class: "number-ground", x: x - width / 2, y: y(place) - 7, width, height: 14 };
      return [svg("rect", ground), label(x, y(place) + 4, text, number === before[place] ? small : `${small} moved`)];
    });
    return svg("g", { class: "network-numbers" }, ...parts.flat());
  });
  return drawing(right, bottom + 8, ...heads, ...wires, ...connectors, ...numbers);
}
