import type { PlainChart } from "../components/figures/plainChart.js";

/**
 * Redraws the charts below an element for print, at the width in their --paper-width. Text of charts that are scaled down
 * from a wide screen would be too small.
 */
export function fitPaper(root: HTMLElement): void {
  const redraw = (widthOf: (chart: PlainChart) => number | undefined) => () => {
    for (const chart of root.querySelectorAll<PlainChart>("figure.chart")) chart.refresh(widthOf(chart));
  };
  const paperWidth = (chart: PlainChart) =>
    Number(getComputedStyle(chart).getPropertyValue("--paper-width")) || undefined;
  addEventListener("beforeprint", redraw(paperWidth));
  addEventListener(
    "afterprint",
    redraw(() => undefined),
  );
}
