import { element } from "./element.js";
import { type Observed, paintLive } from "./painter.js";

/** Pixels that every chart is high, so that nothing on the page moves while it is drawn anew. */
export const chartHeight = 260;

/** What a chart is drawn into. */
export interface ChartFrame {
  width: number;
  height: number;
}

/** A figure whose chart follows what it shows; `refresh` draws it anew for another reason. */
export type LiveChart = HTMLElement & { refresh(): void };

/**
 * @param title a sentence or less, above the chart
 * @param draw the chart, or undefined while there is nothing to show
 */
export function liveChart(observed: Observed, title: string, draw: (frame: ChartFrame) => Node | undefined): LiveChart {
  const frame = element("div", { class: "chart-frame", style: `height: ${chartHeight}px` });
  const node = element("figure", { class: "chart" }, element("figcaption", {}, element("strong", {}, title)), frame);
  const waiting = element("p", { class: "chart-waiting" }, "The first steps are on their way.");
  const refresh = paintLive(node, observed, () => {
    const width = frame.clientWidth;
    if (width > 0) frame.replaceChildren(draw({ width, height: chartHeight }) ?? waiting);
  });
  return Object.assign(node, { refresh });
}
