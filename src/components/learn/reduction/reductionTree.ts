import { svg } from "htl";
import { linkThings } from "../../figures/pointing.js";
import { tilePixels } from "../../figures/tilePixels.js";
import { shortText } from "../../page/numberText.js";
import type { Reduction } from "./reductionModel.js";

const [gutter, barHeight, lineHeight] = [132, 19, 14];
/** Threads with labelled bars, at most. */
const maxLabelled = 16;

/**
 * Returns a drawing of a reduction with a row of bars per round; row 0 is before the clamp, row 1 after it.
 * @param stage the current row; later ones are faint
 */
export function reductionTree({ gradients, clamped, rounds, sum }: Reduction, stage: number): SVGElement {
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
      const stroke = row === 1 && value !== gradients[i] && "var(--theme-foreground)";
      const y = value > 0 ? barHeight - height : barHeight;
      const bar = { x: 1, y, width: cell - 2, height, fill: colorOf(value), stroke };
      const box = svg`<rect x="0.5" width=${cell - 1} height=${2 * barHeight} fill="transparent"><title>Thread ${i}: ${value}</title></rect>`;
      const text = { x: cell / 2, y: 2 * barHeight + lineHeight - 2, "font-size": 11, "text-anchor": "middle" };
      return svg`<g transform="translate(${gutter + i * cell})">
        <rect ${bar}/>
        ${linkThings(box, `thread:${i}`)}
        ${hasLabels && i < live ? svg`<text ${text}>${shortText(value)}</text>` : null}
      </g>`;
    });
    const name = svg`<text y="17" font-weight="600">${title}</text>`;
    return svg`<g transform="translate(0 ${row * rowHeight})" opacity=${row > shown ? 0.5 : 1}>
      ${stride > 0 ? links(live, stride, row === shown) : null}
      ${linkThings(name, row < 2 ? "code:reduce.clamp" : "code:reduce.add")}
      <text y="34" font-size="11" opacity="0.7">bars to ±${Number(largest.toPrecision(2))}</text>
      <path d="M${gutter} ${barHeight}H${width}" stroke="var(--theme-foreground-fainter)"/>
      ${cells}
    </g>`;
  };
  /** Draws the additions of each thread from the row above: as lines, or as one area where there are many. */
  const links = (threads: number, stride: number, isCurrent: boolean) => {
    const color = isCurrent ? "var(--mark-line)" : "var(--theme-foreground-fainter)";
    const from = 2 * barHeight + (hasLabels ? lineHeight : 1) - rowHeight;
    const shift = stride * cell;
    const right = gutter + threads * cell;
    const area = (offset: number) => `M${gutter + offset},${from}H${right + offset}L${right},0H${gutter}Z`;
    if (!hasLabels) return svg`<path d=${area(0) + area(shift)} fill=${color} fill-opacity="0.3"/>`;
    const centers = Array.from({ length: threads }, (_, i) => gutter + (i + 0.5) * cell);
    const link = (x: number) => `M${x},${from}L${x},0M${x + shift},${from}L${x},0`;
    return centers.map((x) => svg`<path class="tree-link" d=${link(x)} stroke=${color} fill="none"/>`);
  };
  const description = `${n} gradients, and below them ${rounds.length} rounds of additions with the result ${sum}.`;
  return svg`<svg role="img" class="reduction-tree" viewBox="0 0 ${width} ${rowHeight * rows.length}"
    style="min-width: ${width}px; max-width: ${width * 1.05}px"
    aria-label="${description} Shown: ${shown + 1} of ${rows.length} rows.">
    ${rows.map(drawRow)}
  </svg>`;
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
