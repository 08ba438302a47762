import { brush, brushY } from "d3-brush";
import { select } from "d3-selection";
import { html } from "htl";
import { type BrushArea, brushedRows, type Rectangle } from "../figures/axes.js";
import { fadeOthers, markRuns } from "./runMarks.js";
import type { RunRow } from "./runRow.js";

/** A part of a chart that can be brushed. */
interface ChartArea extends BrushArea {
  extent: Rectangle;
  /** Whether the brush has a height only. */
  isVertical: boolean;
}

/** An input for `view` and `Inputs.bind`: its value is the brushed runs, none without a brush. */
export type RunBrush = HTMLElement & { value: readonly RunRow[] };

/**
 * Returns a chart of Plot in which the reader can brush runs by dragging. It fades the other runs; so it does after its
 * value is set from outside, which removes its own brushes.
 * @param chart has marks of the classes run-1, run-2 …, in the order of the rows
 */
export function brushChart(
  chart: (SVGSVGElement | HTMLElement) & { value?: unknown },
  rows: readonly RunRow[],
  areas: readonly ChartArea[],
): RunBrush {
  const node = html<RunBrush>`<div class="brush-chart" tabindex="0" role="group" aria-label="Chart, scrolls sideways">
    ${markRuns(chart, rows, [])}
  </div>`;
  // Plot's events of the pointer are no brush.
  chart.addEventListener("input", (event) => event.stopPropagation());
  let value: readonly RunRow[] = [];
  const show = (next: readonly RunRow[]) => {
    value = next;
    fadeOthers(chart, rows, next);
  };
  const brushes = areas.map((area) => {
    const shape = (area.isVertical ? brushY() : brush()).extent(area.extent);
    // A finger that moves over a wide chart scrolls the page.
    if (!area.isVertical) shape.touchable(false);
    shape.on("start brush end", ({ selection, sourceEvent }) => {
      area.selection = selection ? rectangle(selection) : undefined;
      if (!sourceEvent) return;
      show(brushedRows(rows, areas));
      node.dispatchEvent(new Event("input", { bubbles: true }));
    });
    const group = select(chart).append("g").attr("class", "brush").attr("aria-hidden", "true").call(shape);
    return { shape, group };
  });
  Object.defineProperty(node, "value", {
    get: () => value,
    set(next: readonly RunRow[]) {
      if (next === value) return;
      for (const { shape, group } of brushes) shape.clear(group);
      show(next);
    },
  });
  return node;
}

function rectangle([start, end]: Rectangle | readonly [number, number]): Rectangle {
  if (typeof start === "object") return [start, end as Rectangle[1]];
  return [
    [Number.NEGATIVE_INFINITY, start],
    [Number.POSITIVE_INFINITY, end as number],
  ];
}
