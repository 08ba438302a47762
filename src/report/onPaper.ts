import type { PlainChart } from "../components/figures/plainChart.js";

/**
 * Redraws the charts below an element for print, at the width in their --paper-width. Text of charts that are scaled down
 * from a wide screen would be too small.
 */
export function fitPaper(root: HTMLElement): void {
  const charts = () => root.querySelectorAll<PlainChart>("figure.chart");
  const controller = new AbortController();
  const { signal } = controller;
  const onPrint = (draw: (chart: PlainChart) => void) => () => {
    if (!root.isConnected) return controller.abort();
    for (const chart of charts()) draw(chart);
  };
  const toPaper = (chart: PlainChart) =>
    chart.refresh(Number(getComputedStyle(chart).getPropertyValue("--paper-width")) || undefined);
  addEventListener("beforeprint", onPrint(toPaper), { signal });
  addEventListener(
    "afterprint",
    onPrint((chart) => chart.refresh()),
    { signal },
  );
}
