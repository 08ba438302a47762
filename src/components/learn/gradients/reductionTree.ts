import { linkThings } from "../../figures/pointing.js";
import { tilePixels } from "../../figures/tilePixels.js";
import { svg } from "../../page/element.js";
import { shortText } from "../../page/numberText.js";
import type { Reduction } from "./reductionModel.js";

const [gutter, barHeight, lineHeight] = [132, 19, 14];
/** Threads with labelled bars, at most. */
const maxLabelled = 16;

/**
 * Returns a drawing of a reduction with a row of bars per round; row 0 is before the clamp, row 1 after it.
 * @param stage the current row; later ones are faint
 */
export function reductionTree({ gradients, clamped, rounds, sum }: Reduction, stage: number): SVGSVGElement {
  const n = gradients.length;
  const hasLabels = n <= maxLabelled;
  const cell = hasLabels ? 54 : n <= 32 ? 27 : 13;
  const rowHeight = hasLabels ? 82 : 64;
  const width = gutter + n * cell;
  const rows = [
    { title: "gradients", values: gradients, live: n, stride: 0 },
    { title: "clamped", values: clamped, live: n, stride: 0 },
    ...rounds.map(({ stride, threads, values }, round) => ({
      title: `round ${round + 1}, stride ${stride}`,
      values,
      live: threads,
      stride,
    })),
  ];
  const shown = Math.min(stage, rows.length - 1);
  const drawRow = ({ title, values, live, stride }: (typeof rows)[number], row: number) => {
    const largest = values.subarray(0, live).reduce((greatest, value) => Math.max(greatest, Math.abs(value)), 0);
    const cells = Array.from(values, (value, i) => {
      const height = i < live && largest > 0 ? (barHeight * Math.abs(value)) / largest : 0;
      const isClamped = row === 1 && value !== gradients[i];
      const stroke = isClamped && "var(--theme-foreground)";
      const y = value > 0 ? barHeight - height : barHeight;
      const box = { x: 0.5, y: 0, width: cell - 1, height: 2 * barHeight, fill: "transparent" };
      const text = { x: cell / 2, y: 2 * barHeight + lineHeight - 2, "font-size": 11, "text-anchor": "middle" };
      return svg(
        "g",
        { transform: `translate(${gutter + i * cell})` },
        svg("rect", { x: 1, y, width: cell - 2, height, fill: colorOf(value), stroke }),
        linkThings(svg("rect", box, svg("title", {}, `Thread ${i}: ${value}`)), `thread:${i}`),
        hasLabels && i < live && svg("text", text, shortText(value)),
      );
    });
    const name = linkThings(
      svg("text", { y: 17, "font-weight": 600 }, title),
      row < 2 ? "code:reduce.clamp" : "code:reduce.add",
    );
    return svg(
      "g",
      { transform: `translate(0 ${row * rowHeight})`, opacity: row > shown ? 0.5 : 1 },
      ...(stride > 0 ? links(live, stride, row === shown) : []),
      name,
      svg("text", { y: 34, "font-size": 11, opacity: 0.7 }, `bars to ±${Number(largest.toPrecision(2))}`),
      svg("line", { x1: gutter, x2: width, y1: barHeight, y2: barHeight, stroke: "var(--theme-foreground-fainter)" }),
      ...cells,
    );
  };
  /** Draws the additions of each thread from the row above: as lines, or as one area where there are many. */
  const links = (threads: number, stride: number, isCurrent: boolean) => {
    const color = isCurrent ? "var(--mark-line)" : "var(--theme-foreground-fainter)";
    const from = 2 * barHeight + (hasLabels ? lineHeight : 1) - rowHeight;
    const shift = stride * cell;
    const right = gutter + threads * cell;
    const area = (offset: number) => `M${gutter + offset},${from}H${right + offset}L${right},0H${gutter}Z`;
    if (!hasLabels) return [svg("path", { d: area(0) + area(shift), fill: color, "fill-opacity": 0.3 })];
    const centers = Array.from({ length: threads }, (_, i) => gutter + (i + 0.5) * cell);
    const link = (x: number) => `M${x},${from}L${x},0M${x + shift},${from}L${x},0`;
    return centers.map((x) => svg("path", { d: link(x), stroke: color, fill: "none", class: "tree-link" }));
  };
  const description = `${n} gradients, and below them ${rounds.length} rounds of additions with the result ${sum}.`;
  return svg(
    "svg",
    {
      role: "img",
      class: "reduction-tree",
      viewBox: `0 0 ${width} ${rowHeight * rows.length}`,
      style: `min-width: ${width}px; max-width: ${width * 1.05}px`,
      "aria-label": `${description} Shown: ${shown + 1} of ${rows.length} rows.`,
    },
    ...rows.map(drawRow),
  );
}

/** Returns the gradients of a tile as an image of its pixels. */
export function tileMap(values: Float32Array, [across]: [number, number]): SVGElement {
  const pixels = Array.from(values, (value, i) => {
    return { x: i % across, y: Math.floor(i / across), value, title: `Thread ${i}: ${value}`, thing: `thread:${i}` };
  });
  return tilePixels(`The gradient at each of the ${values.length} pixels of the tile.`, pixels);
}

function colorOf(value: number): string {
  return value < 0 ? "var(--run-2)" : "var(--run-1)";
}
