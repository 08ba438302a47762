import { svg } from "../../element.js";
import { standsFor } from "../marks.js";
import { shortText } from "../numberText.js";
import type { Reduction } from "./reductionModel.js";

/** The tree of a reduction, a row of bars a round. */
export interface ReductionTree {
  readonly node: SVGSVGElement;
  reset(reduction: Reduction): void;
  /** Shows the rows up to one, and the additions that led to it. Row 0 is before the clamp, row 1 behind it. */
  show(row: number): void;
}

const [gutter, barHeight, lineHeight] = [132, 19, 14];
/** Up to so many threads there is room for the numbers. */
const mostWritten = 16;

export function reductionTree(): ReductionTree {
  const node = svg("svg", { role: "img", class: "reduction-tree" });
  let rows: SVGElement[] = [];
  let words = "";
  return {
    node,
    reset(reduction) {
      const { given, clamped, rounds } = reduction;
      const n = given.length;
      const cell = n <= mostWritten ? 54 : n <= 32 ? 27 : 13;
      const width = gutter + n * cell;
      const rowHeight = n <= mostWritten ? 82 : 64;
      node.setAttribute("viewBox", `0 0 ${width} ${rowHeight * (rounds.length + 2)}`);
      node.style.minWidth = `${width}px`;
      node.style.maxWidth = `${width * 1.05}px`;
      const drawRow = (row: number, title: string, values: Float32Array, live: number) => {
        const top = row * rowHeight;
        const largest = values.subarray(0, live).reduce((most, value) => Math.max(most, Math.abs(value)), 0);
        const code = row < 2 ? "code:reduce.clamp" : "code:reduce.add";
        const parts: SVGElement[] = [
          standsFor(svg("text", { x: 0, y: top + 17, class: "row-title" }, title), code),
          svg("text", { x: 0, y: top + 34, class: "row-scale" }, `bars to ±${Number(largest.toPrecision(2))}`),
          svg("line", { x1: gutter, x2: width, y1: top + barHeight, y2: top + barHeight, class: "zero-line" }),
        ];
        for (let i = 0; i < n; i++) {
          const x = gutter + i * cell;
          const value = values[i];
          const height = i < live && largest > 0 ? (barHeight * Math.abs(value)) / largest : 0;
          const isCut = row === 1 && clamped[i] !== given[i];
          const bar = svg("rect", {
            x: x + 1,
            y: top + (value > 0 ? barHeight - height : barHeight),
            width: cell - 2,
            height,
            class: `bar ${value < 0 ? "below" : "above"}${isCut ? " cut" : ""}`,
          });
          const box = svg("rect", { x: x + 0.5, y: top, width: cell - 1, height: 2 * barHeight, class: "cell" });
          box.append(svg("title", {}, `Thread ${i}: ${value}`));
          standsFor(box, `thread:${i}`);
          parts.push(bar, box);
          if (n > mostWritten || i >= live) continue;
          const text = { x: x + cell / 2, y: top + 2 * barHeight + lineHeight - 2, class: "bar-value" };
          parts.push(svg("text", text, shortText(value)));
        }
        return parts;
      };
      const links = (row: number, threads: number, stride: number) => {
        const top = row * rowHeight;
        const from = top - rowHeight + 2 * barHeight + (n <= mostWritten ? lineHeight : 1);
        if (n > mostWritten) {
          // So many lines would be a grey field, so it is drawn as one.
          const [left, right] = [gutter, gutter + threads * cell];
          const shift = stride * cell;
          return [0, shift].map((by) =>
            svg("path", { d: `M${left + by},${from} H${right + by} L${right},${top} H${left} Z`, class: "tree-field" }),
          );
        }
        return Array.from({ length: threads }, (_, i) => {
          const x = gutter + (i + 0.5) * cell;
          return svg("path", {
            d: `M${x},${from} L${x},${top} M${x + stride * cell},${from} L${x},${top}`,
            class: "tree-link",
          });
        });
      };
      rows = [
        svg("g", {}, ...drawRow(0, "gradients", given, n)),
        svg("g", {}, ...drawRow(1, "clamped", clamped, n)),
        ...rounds.map(({ stride, threads, values }, round) =>
          svg(
            "g",
            {},
            ...links(round + 2, threads, stride),
            ...drawRow(round + 2, `round ${round + 1}, stride ${stride}`, values, threads),
          ),
        ),
      ];
      words = `${n} gradients, and below them ${rounds.length} rounds of additions that end in ${reduction.sum}.`;
      node.replaceChildren(...rows);
    },
    show(row) {
      for (const [r, group] of rows.entries()) {
        group.classList.toggle("later", r > row);
        group.classList.toggle("current", r === row);
      }
      node.ariaLabel = `${words} Shown: ${Math.min(row + 1, rows.length)} of ${rows.length} rows.`;
    },
  };
}
