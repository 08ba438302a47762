import * as Plot from "../../figures/plot.js";
import { linkThings } from "../../figures/pointing.js";

/** A box of a flow chart. */
export interface FlowBox {
  id: string;
  title: string;
  note: string;
  at: [column: number, row: number];
  /** Its frame; plain if absent. */
  kind?: "dashed" | "colored" | undefined;
  href?: string;
  things: string[];
}

/** An arrow from one box to another: a value, a gradient, or integers, which have no gradient. */
export interface FlowArrow {
  from: string;
  to: string;
  label?: string;
  kind?: "gradient" | "integers";
}

export interface Flow {
  label: string;
  boxes: FlowBox[];
  arrows: FlowArrow[];
  /** Id of the highlighted box, and what a click on another one does. */
  chosen?: string;
  choose?: (id: string) => void;
}

/** Returns the name that links a function of a WGSL file with other figures. */
export function stageThing(file: string, name: string): string {
  return `stage:${file.split("/")[0]}/${name}`;
}

/** Pixels. */
const [minColumnWidth, maxColumnWidth, rowHeight, transposedRowHeight] = [125, 216, 108, 92];
/** Half of a box, as a fraction of a column and a row. */
const halfSize = { x: 0.4, y: 0.29 };
const muted = "var(--theme-foreground-muted)";

/** Returns the arrows with their ends in columns and rows; two opposite ones are side by side. */
function placeArrows(arrows: FlowArrow[], positions: ReadonlyMap<string, number[]>) {
  return arrows.map(({ from, to, kind = "", label }) => {
    const [[x1, y1], [x2, y2]] = [positions.get(from)!, positions.get(to)!];
    const hasOpposite = arrows.some((other) => other.from === to && other.to === from);
    const [dx, dy] = [Math.sign(x2 - x1), Math.sign(y2 - y1)];
    const shift = hasOpposite ? 0.12 : 0;
    if (dy === 0) {
      const y = y1 - dx * shift;
      return { kind, label, x1: x1 + dx * halfSize.x, y1: y, x2: x2 - dx * halfSize.x, y2: y };
    }
    const ends = { y1: y1 + dy * halfSize.y, y2: y2 - dy * halfSize.y };
    return { kind, label, ...ends, x1: x1 + dy * shift, x2: x2 + dy * shift - 0.15 * dx };
  });
}

/** Returns boxes and arrows that fit the width; on a narrow page, columns and rows are swapped. */
export function flowChart({ label, boxes, arrows, chosen, choose }: Flow, availableWidth: number): Element {
  const extents = [0, 1].map((axis) => 1 + Math.max(...boxes.map(({ at }) => at[axis])));
  const isTransposed = extents[0] * minColumnWidth > availableWidth && extents[1] < extents[0];
  const [columns, rows] = isTransposed ? extents.toReversed() : extents;
  const width = columns * Math.min(Math.max(availableWidth, minColumnWidth) / columns, maxColumnWidth);
  const positions = new Map(boxes.map(({ id, at }) => [id, isTransposed ? [at[1], at[0]] : at]));
  const placedArrows = placeArrows(arrows, positions);
  const text = {
    x: ({ id }: FlowBox) => positions.get(id)![0],
    y: ({ id }: FlowBox) => positions.get(id)![1],
    pointerEvents: "none",
  };
  const arrow = (isDashed: boolean) =>
    Plot.arrow(
      placedArrows.filter(({ kind }) => (kind === "integers") === isDashed),
      {
        ...{ x1: "x1", y1: "y1", x2: "x2", y2: "y2", headLength: 7, strokeWidth: 1.5 },
        stroke: ({ kind }) => (kind === "gradient" ? "var(--overflow)" : muted),
        strokeDasharray: isDashed ? "5 4" : undefined,
      },
    );
  // Boxes with a dashed frame are a separate mark, which is drawn last.
  const drawOrder = boxes.toSorted((a, b) => Number(a.kind === "dashed") - Number(b.kind === "dashed"));
  const box = (isDashed: boolean) =>
    Plot.rect(
      drawOrder.filter(({ kind }) => (kind === "dashed") === isDashed),
      {
        className: "flow-boxes",
        x1: (box) => text.x(box) - halfSize.x,
        x2: (box) => text.x(box) + halfSize.x,
        y1: (box) => text.y(box) - halfSize.y,
        y2: (box) => text.y(box) + halfSize.y,
        rx: 8,
        fill: "var(--theme-background)",
        stroke: ({ id, kind }) =>
          id === chosen ? "var(--current)" : kind === "colored" ? "var(--overflow)" : "var(--theme-foreground-fainter)",
        strokeWidth: ({ id }) => (id === chosen ? 3 : 1.5),
        strokeDasharray: isDashed ? "5 4" : undefined,
        href: "href",
        ariaLabel: ({ title, note }) => `${title}: ${note}`,
      },
    );
  const chart = Plot.plot({
    width,
    height: rows * (isTransposed ? transposedRowHeight : rowHeight),
    margin: 3,
    axis: null,
    ariaLabel: label,
    x: { domain: [-0.5, columns - 0.5] },
    y: { domain: [rows - 0.5, -0.5] },
    marks: [
      arrow(false),
      arrow(true),
      box(false),
      box(true),
      Plot.text(boxes, { ...text, text: "title", dy: -10, fontSize: isTransposed ? 12 : 13, fontWeight: 600 }),
      Plot.text(boxes, { ...text, text: "note", dy: 10, fontSize: isTransposed ? 9.5 : 11, fill: muted }),
      Plot.text(
        // Between columns there is no space for a label.
        placedArrows.filter(({ label, x1, x2 }) => label && x1 === x2),
        {
          x: "x1",
          y: ({ y1, y2 }) => (y1 + y2) / 2,
          text: "label",
          fontSize: 11,
          stroke: "var(--theme-background)",
          strokeWidth: 5,
          fill: muted,
        },
      ),
    ],
  });
  for (const [at, rect] of [...chart.querySelectorAll(".flow-boxes rect")].entries()) {
    const { id, things } = drawOrder[at];
    linkThings(rect, ...things);
    if (choose) (rect as SVGElement).onclick = () => choose(id);
  }
  return chart;
}
