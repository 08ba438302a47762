import { element } from "./element.js";
import type { ChartFrame } from "./liveChart.js";

/**
 * A figure whose chart is drawn once, and again where its width changes.
 * @param title a sentence or less, above the chart
 * @param note a sentence below it
 */
export function plainChart(
  title: string,
  height: number,
  draw: (frame: ChartFrame) => Node,
  note?: string,
): HTMLElement {
  const frame = element("div", { class: "chart-frame", style: `min-height: ${height}px` });
  let drawn = -1;
  new ResizeObserver(() => {
    const width = frame.clientWidth;
    if (width === 0 || width === drawn) return;
    drawn = width;
    frame.replaceChildren(draw({ width, height }));
  }).observe(frame);
  return element(
    "figure",
    { class: "chart" },
    element("figcaption", {}, element("strong", {}, title)),
    frame,
    note !== undefined && element("p", { class: "chart-note" }, note),
  );
}
