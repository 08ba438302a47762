import * as Plot from "@observablehq/plot";
import { html } from "htl";
import { type ChartFrame, chartHeight, plainChart } from "../components/figures/plainChart.js";
import { labelMarks } from "../components/figures/plot.js";
import { count, counted, decibels, trainingPsnrText } from "../components/page/format.js";
import { countText } from "../components/page/numberText.js";
import { curveOf, thinRows } from "../components/runs/curve.js";
import { joinRegions, rowsByRegion } from "../components/runs/regionRows.js";
import type { MetricsRow } from "../engine/files/arrow.js";
import type { RegionsDescription } from "../engine/files/runDescription.js";
import type { Size } from "../engine/image/image.js";
import type { RegionsReport } from "./report.js";
import { hasFinitePsnr, labels, plot, qualityScale } from "./runCharts.js";

/** Maximum number of points of all lines. More take long to draw and cannot be distinguished. */
const maxPoints = 6000;

/**
 * Returns charts of PSNR and loss, with a line per region, and a map of the final PSNR.
 * @param markedStep a step to mark in the charts
 */
export function regionCharts({ description, rows }: RegionsReport, markedStep?: number): HTMLElement {
  const { config, regions, image } = description;
  const regionRows = rowsByRegion(rows);
  const shownRows = regionRows.flatMap((points) =>
    thinRows(points, Math.max(2, Math.floor(maxPoints / regionRows.length))),
  );
  const joined = curveOf({ config, measured: joinRegions(rows, regions.list) }).points;
  const regionResults = regionRows.flatMap((points, region) =>
    points.slice(-1).map(({ psnr }) => ({ ...regions.list[region], region, psnr })),
  );
  const note =
    "Each thin line is one region with its halo, recorded before the seams were trained. The thick line combines all regions.";
  const lines = (quantity: "psnr" | "loss") => (frame: ChartFrame) =>
    regionLines(shownRows, joined, quantity, frame, markedStep);
  const height = Math.round(Math.min(420, Math.max(180, (340 * image.height) / image.width + 80)));
  const map = (frame: ChartFrame) => regionMap(regionResults, image, frame);
  return html`<div class="chart-grid">
    ${plainChart("PSNR by region", chartHeight, lines("psnr"), note)}
    ${plainChart("Loss by region", chartHeight, lines("loss"))}
    ${plainChart("Training PSNR by region, decibels", height, map, rangeNote(regionResults))}
  </div>`;
}

function regionLines(
  rows: readonly MetricsRow[],
  joined: readonly MetricsRow[],
  quantity: "psnr" | "loss",
  frame: ChartFrame,
  markedStep: number | undefined,
) {
  const shown = rows.filter(hasFinitePsnr);
  const label = labels[quantity];
  const position = { x: "step", y: quantity } as const;
  const marks = [
    Plot.lineY(shown, { ...position, z: "region", stroke: "var(--run-1)", strokeOpacity: 0.55, strokeWidth: 1 }),
    Plot.lineY(joined.filter(hasFinitePsnr), { ...position, stroke: "var(--theme-foreground)", strokeWidth: 2 }),
    markedStep === undefined ? null : Plot.ruleX([markedStep], { strokeDasharray: "2 2" }),
    Plot.tip(shown, Plot.pointer({ ...position, title: tipOf })),
  ];
  return plot(frame, "step", qualityScale(quantity, shown), marks, {
    ariaLabel: `${label} of each region against training steps`,
  });
}

function tipOf({ region = 0, step, loss, psnr }: MetricsRow): string {
  return [`region ${region + 1}, step ${count(step)}`, trainingPsnrText(psnr), `loss ${loss.toPrecision(3)}`].join(
    "\n",
  );
}

/** A region with its final training PSNR. */
type RegionResult = RegionsDescription["list"][number] & { region: number; psnr: number };

function rangeNote(regionResults: readonly RegionResult[]): string {
  const psnrs = regionResults.map(({ psnr }) => psnr);
  return `At the last step, with halos, before the seams were trained: from ${decibels(Math.min(...psnrs))} (darkest) to ${decibels(Math.max(...psnrs))} (brightest).`;
}

/** Returns the range of finite PSNR, for the colour scale. */
export function rangeOf(regionResults: readonly { psnr: number }[]): [number, number] {
  const finite = regionResults.map(({ psnr }) => psnr).filter(Number.isFinite);
  return finite.length > 0 ? [Math.min(...finite), Math.max(...finite)] : [0, 1];
}

/** Returns a map of the regions, coloured by PSNR. */
function regionMap(regionResults: readonly RegionResult[], image: Size, frame: ChartFrame) {
  const [marginLeft, marginRight, marginTop, marginBottom] = [52, 20, 22, 42];
  // Keeps the image's aspect ratio if there is room.
  const plotHeight = frame.height - marginTop - marginBottom;
  const width = Math.min(
    frame.width,
    Math.max(160, (plotHeight * image.width) / image.height + marginLeft + marginRight),
  );
  const plotWidth = width - marginLeft - marginRight;
  const area = {
    x1: "x",
    y1: "y",
    x2: ({ x, width }: RegionResult) => x + width,
    y2: ({ y, height }: RegionResult) => y + height,
  };
  const middle = {
    x: ({ x, width }: RegionResult) => x + width / 2,
    y: ({ y, height }: RegionResult) => y + height / 2,
  };
  return labelMarks(
    Plot.plot({
      width,
      height: frame.height,
      ...{ marginLeft, marginRight, marginTop, marginBottom },
      style: { fontSize: "12px" },
      ariaLabel: "PSNR of each region at its last step, by its position in the image",
      x: { domain: [0, image.width], label: "x, pixels", ticks: Math.min(5, plotWidth / 50), tickFormat: countText },
      y: { domain: [image.height, 0], label: "y, pixels", ticks: 5, tickFormat: countText },
      color: { label: labels.psnr, scheme: "viridis", domain: rangeOf(regionResults), clamp: true },
      marks: [
        Plot.rect(regionResults, { ...area, fill: "psnr", inset: 0.5 }),
        Plot.text(regionResults, {
          ...middle,
          filter: ({ width, height }) =>
            (width * plotWidth) / image.width > 34 && (height * plotHeight) / image.height > 16,
          text: ({ psnr }) => (Number.isFinite(psnr) ? psnr.toFixed(1) : "∞"),
          fill: "white",
          stroke: "black",
          strokeWidth: 3,
          fontWeight: 600,
        }),
        Plot.tip(
          regionResults,
          Plot.pointer({
            ...middle,
            title: ({ region, width, height, blobs, psnr }) =>
              [
                `region ${region + 1}: ${width} × ${height} pixels`,
                counted(blobs, "blob"),
                trainingPsnrText(psnr),
              ].join("\n"),
          }),
        ),
      ],
    }),
  );
}
