import * as Plot from "@observablehq/plot";
import { percent } from "../../format.js";
import { type PlainChart, plainChart } from "../../plainChart.js";
import { histogram } from "../../runs/histogram.js";
import { tickText } from "../numberText.js";
import type { UndoError } from "./undoErrorModel.js";

/** Of one float32 rounding, relative to the number that is rounded. */
export const rounding = 2 ** -24;

/** A quantity of each pixel, and how it is drawn. */
interface Spread {
  value: (error: UndoError) => number;
  name: string;
  color: string;
  dash?: string;
}

/** How errors spread over the pixels, on a logarithmic axis; what is 0 is told in words. */
export function spreadChart(title: string, label: string, errors: () => UndoError[], spreads: Spread[]): PlainChart {
  return plainChart(title, 210, (frame) => {
    const all = errors();
    if (all.length === 0) return undefined;
    const domain: [number, number] = [1e-9, 1e-4];
    const ticks = [1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4];
    const drawn = spreads.map((spread) => {
      const values = all.map(spread.value);
      const { bins, above } = histogram(values, domain, 40, true);
      const zero = values.filter((value) => value === 0).length / values.length;
      return {
        ...spread,
        zero,
        above,
        outline: bins.flatMap(({ low, high, share }) => [low, high].map((x) => ({ x, share }))),
      };
    });
    return Plot.plot({
      ...frame,
      marginLeft: 44,
      marginTop: 22 + 16 * drawn.length,
      marginBottom: 40,
      style: { fontSize: "12px" },
      ariaLabel: `${title}: histogram over ${all.length} pixels`,
      x: {
        type: "log",
        domain,
        label: `${label} →`,
        ticks,
        tickFormat: (value: number) => tickText(value),
      },
      y: {
        label: "↑ share of the pixels",
        percent: true,
        grid: true,
        ticks: 4,
        tickFormat: (share: number) => `${share} %`,
      },
      marks: [
        Plot.ruleX([rounding], { stroke: "currentColor", strokeOpacity: 0.5, strokeDasharray: "2 3" }),
        Plot.ruleY([0]),
        drawn.map(({ outline, color, dash }) =>
          Plot.lineY(outline, { x: "x", y: "share", stroke: color, strokeWidth: 2, strokeDasharray: dash }),
        ),
        drawn.map(({ name, color, zero, dash }, at) =>
          Plot.text([0], {
            frameAnchor: "top-left",
            dy: -16 * (drawn.length - at) - 2,
            fill: color,
            fontWeight: 600,
            text: () => `${dash ? "- -" : "—"} ${name}; 0 at ${percent(zero)}`,
          }),
        ),
      ],
    });
  });
}

/** The error of T as a share of it, by how many blobs are undone: its mean and its largest. */
export function growthChart(errors: () => UndoError[]): PlainChart {
  return plainChart("How it grows with the number of blobs undone", 226, (frame) => {
    const byBlobs = new Map<number, number[]>();
    for (const { blobs, relative } of errors()) {
      if (blobs === 0) continue;
      byBlobs.set(blobs, [...(byBlobs.get(blobs) ?? []), relative]);
    }
    if (byBlobs.size === 0) return undefined;
    const points = [...byBlobs]
      .sort(([a], [b]) => a - b)
      .map(([blobs, values]) => ({
        blobs,
        mean: values.reduce((sum, value) => sum + value, 0) / values.length / rounding,
        most: Math.max(...values) / rounding,
      }));
    const end = points[points.length - 1].blobs;
    const bound = [0, end].map((blobs) => ({ blobs, bound: 2 * blobs }));
    const top = 1.15 * Math.max(...points.map(({ most }) => most));
    return Plot.plot({
      ...frame,
      marginLeft: 44,
      marginTop: 38,
      marginBottom: 40,
      style: { fontSize: "12px" },
      ariaLabel: "Mean and largest error of T, in roundings, against the number of undone blobs",
      x: { label: "blobs undone, with α > 0 →", domain: [0, end], ticks: 6 },
      y: { label: "↑ error of T, in roundings of T (2⁻²⁴)", domain: [0, top], ticks: 5, grid: true },
      marks: [
        Plot.line(bound, {
          x: "blobs",
          y: "bound",
          stroke: "currentColor",
          strokeOpacity: 0.5,
          strokeDasharray: "2 3",
          clip: true,
        }),
        Plot.line(points, { x: "blobs", y: "mean", stroke: "var(--run-1)", strokeWidth: 2 }),
        Plot.dot(points, { x: "blobs", y: "most", stroke: "var(--run-2)", strokeWidth: 1.5, r: 3 }),
        ...[
          { text: "— mean", fill: "var(--run-1)", dx: 0 },
          { text: "○ largest", fill: "var(--run-2)", dx: 60 },
          { text: "··· 2 a blob", fill: "currentColor", dx: 130 },
        ].map(({ text, ...options }) =>
          Plot.text([0], { frameAnchor: "top-left", dy: -16, fontWeight: 600, text: () => text, ...options }),
        ),
      ],
    });
  });
}
