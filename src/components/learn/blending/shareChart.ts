import * as Plot from "@observablehq/plot";
import { type PlainChart, plainChart } from "../../plainChart.js";
import { standsFor } from "../marks.js";
import { shares } from "./blendModel.js";
import type { BlendStep } from "./pixelStack.js";
import { cssColor } from "./swatch.js";

/** What the chart shows. */
export interface SharesShown {
  steps: readonly BlendStep[];
  /** How many of them have been blended. */
  done: number;
  /** Whether blobs take light from those behind them, so that what is above the stair is T. */
  dims: boolean;
}

/**
 * The shares αT of a pixel's blobs, one upon the other as they come. What is above the stair is T.
 * @param current the chart's contents at the time of drawing
 * @param chosen hears of the blob whose share is clicked, by its place among the steps
 */
export function shareChart(current: () => SharesShown, chosen: (at: number) => void): PlainChart {
  return plainChart("Shares of the pixel", 240, (frame) => {
    const { steps, done, dims } = current();
    const bands = shares(steps).map(({ step, low, high }, at) => ({ step, low, high, at, first: at + 0.5 }));
    const end = Math.max(steps.length, 1) + 0.5;
    const top = Math.max(1, bands.at(-1)?.high ?? 0);
    const last = bands.at(-1)?.high ?? 0;
    const stair = [{ x: 0.5, y: 0 }, ...bands.map(({ first, high }) => ({ x: first, y: high })), { x: end, y: last }];
    const now = bands[done - 1];
    const plot = Plot.plot({
      ...frame,
      marginLeft: 48,
      marginBottom: 40,
      marginTop: 22,
      style: { fontSize: "12px" },
      ariaLabel: `The share of each of ${steps.length} blobs in the pixel, stacked in the order of blending`,
      x: {
        label: "blobs with α > 0, in the order of blending →",
        domain: [0.5, end],
        ticks: Math.min(steps.length, 12),
        tickFormat: (n: number) => (Number.isInteger(n) ? String(n) : ""),
      },
      y: { label: "↑ share of the pixel", domain: [0, top], ticks: 5, grid: true },
      marks: [
        // Where a blob's share is too thin to be pointed at, its column is not; it reaches over its number on the axis.
        Plot.rect(bands, {
          x1: "first",
          x2: ({ first }) => first + 1,
          y1: 0,
          y2: top,
          insetBottom: -20,
          fill: "transparent",
        }),
        Plot.rect(bands, {
          x1: "first",
          x2: end,
          y1: "low",
          y2: "high",
          fill: ({ step: { blob } }) => cssColor([blob.red, blob.green, blob.blue]),
          fillOpacity: ({ at }) => (at < done ? 1 : 0.18),
          stroke: "var(--theme-foreground-faint)",
          strokeWidth: 0.5,
        }),
        Plot.line(stair, { x: "x", y: "y", curve: "step-after", stroke: "currentColor", strokeWidth: 1 }),
        Plot.ruleY([0]),
        now ? Plot.ruleX([done], { stroke: "var(--current)", strokeWidth: 1.5 }) : null,
        now && dims
          ? [
              Plot.ruleX([done], {
                y1: now.high,
                y2: top,
                stroke: "var(--current)",
                strokeWidth: 5,
                strokeOpacity: 0.35,
              }),
              Plot.text([{ x: done, y: (now.high + top) / 2 }], {
                x: "x",
                y: "y",
                text: () => "T",
                dx: done > steps.length / 2 ? -10 : 10,
                fontStyle: "italic",
                fontSize: 14,
              }),
            ]
          : [],
      ],
    });
    const [columns, shown] = plot.querySelectorAll('[aria-label="rect"]');
    columns?.classList.add("share-columns");
    for (const group of [columns, shown]) {
      for (const [at, rect] of [...(group?.children ?? [])].entries()) {
        standsFor(rect, `blob:${steps[at].index}`);
        rect.addEventListener("click", () => chosen(at));
      }
    }
    return plot;
  });
}
