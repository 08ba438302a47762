import { html } from "htl";

/** Height of the charts of a training run in pixels. */
export const chartHeight = 260;

/** The size of a chart in pixels. */
export interface ChartFrame {
  width: number;
  height: number;
}

/** A figure with a chart. `refresh` draws it again, by default as wide as the figure. */
export type PlainChart = HTMLElement & { refresh(width?: number): void };

/**
 * Returns a figure with a chart, which is drawn again when the width of the figure changes.
 * @param note a sentence below the chart
 */
export function plainChart(
  title: string,
  height: number,
  draw: (frame: ChartFrame) => Node | undefined,
  note?: string,
): PlainChart {
  const frame = html`<div class="chart-frame" style=${`--height: ${height}px`}></div>`;
  let drawnWidth = -1;
  const refresh = (width = frame.clientWidth) => {
    drawnWidth = width;
    if (drawnWidth > 0) frame.replaceChildren(draw({ width: drawnWidth, height }) ?? "");
  };
  // Reading the width here instead would force a layout after each chart.
  new ResizeObserver(([{ contentRect }]) => {
    const width = Math.round(contentRect.width);
    if (width !== drawnWidth) refresh(width);
  }).observe(frame);
  const node = html`<figure class="chart">
    <figcaption><strong>${title}</strong></figcaption>
    ${frame}
    ${note === undefined ? null : html`<p class="chart-note">${note}</p>`}
  </figure>`;
  return Object.assign(node, { refresh });
}
