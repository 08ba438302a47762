import { element } from "../page/element.js";

/** Pixels that every chart of training is high, so that nothing on the page moves while it is drawn anew. */
export const chartHeight = 260;

/** What a chart is drawn into. */
export interface ChartFrame {
  width: number;
  height: number;
}

/** A figure whose chart can be drawn anew: as wide as its place, or as many pixels wide as are given. */
export type PlainChart = HTMLElement & { refresh(width?: number): void };

/**
 * A figure whose chart is drawn once, and again where its width changes or `refresh` asks for it.
 * @param title a sentence or less, above the chart
 * @param note a sentence below it
 */
export function plainChart(
  title: string,
  height: number,
  draw: (frame: ChartFrame) => Node | undefined,
  note?: string,
): PlainChart {
  const frame = element("div", { class: "chart-frame", style: `--height: ${height}px` });
  let drawnWidth = -1;
  const refresh = (width = frame.clientWidth) => {
    drawnWidth = width;
    if (drawnWidth > 0) frame.replaceChildren(draw({ width: drawnWidth, height }) ?? "");
  };
  // Told, not asked: to ask has the page laid out anew behind each chart that was just drawn.
  new ResizeObserver(([{ contentRect }]) => {
    const width = Math.round(contentRect.width);
    if (width !== drawnWidth) refresh(width);
  }).observe(frame);
  const node = element(
    "figure",
    { class: "chart" },
    element("figcaption", {}, element("strong", {}, title)),
    frame,
    note !== undefined && element("p", { class: "chart-note" }, note),
  );
  return Object.assign(node, { refresh });
}
