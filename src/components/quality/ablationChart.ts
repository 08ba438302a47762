import * as Plot from "@observablehq/plot";
import { element } from "../element.js";
import { signed } from "../format.js";
import type { ChartFrame } from "../liveChart.js";
import { plainChart } from "../plainChart.js";
import { type Ablation, picturesOf, type Step } from "./qualityFacts.js";

const rowHeight = 34;

/** What each ingredient adds, and what goes without it. */
export function ablationCharts({ ladder, without }: Ablation): HTMLElement | string {
  if (ladder.length === 0) return "";
  return element("div", { class: "chart-grid" }, ladderChart(ladder), without.length > 0 && withoutChart(without));
}

/** A row of the chart for each step, its name to the left and room for its number to the right. */
function rowsFrame(frame: ChartFrame, steps: Step[]): Plot.PlotOptions {
  return {
    ...frame,
    marginLeft: frame.width < 480 ? 128 : 168,
    marginRight: 58,
    marginTop: 6,
    marginBottom: 42,
    style: { fontSize: "12px" },
    y: rowsScale(steps, frame.width),
  };
}

/** The gain of each step at the right; of the first of a ladder, what it begins with. */
function numbers(steps: Step[]): Plot.Markish {
  return Plot.text(steps, {
    y: "row",
    frameAnchor: "right",
    textAnchor: "start",
    dx: 6,
    text: ({ gain, psnr }: Step) => (Number.isNaN(gain) ? psnr.toFixed(2) : signed(gain)),
    fontWeight: 600,
  });
}

/** Row by row from the seed preset upwards: a bar from where the row before stood, and a faint dot a picture. */
function ladderChart(ladder: Step[]): HTMLElement {
  const bars = ladder.slice(1).map((step) => ({ ...step, from: step.psnr - step.gain }));
  const pictures = ladder.flatMap(({ row, runs }) => runs.map(({ psnr }) => ({ row, psnr })));
  const values = pictures.map(({ psnr }) => psnr).filter(Number.isFinite);
  return plainChart(
    "One ingredient after the other",
    rowHeight * ladder.length + 64,
    (frame) =>
      Plot.plot({
        ...rowsFrame(frame, ladder),
        ariaLabel: "Mean PSNR of each row, from the seed preset to the quality preset",
        x: {
          label: "PSNR, dB →",
          domain: [Math.min(...values) - 0.5, Math.max(...values) + 0.5],
          grid: true,
          ticks: 5,
        },
        marks: [
          Plot.dot(pictures, { x: "psnr", y: "row", r: 2.5, fill: "var(--earlier)", fillOpacity: 0.45 }),
          Plot.ruleY(bars, { x1: "from", x2: "psnr", y: "row", stroke: colorOf, strokeWidth: 6 }),
          Plot.dot(ladder, { x: "psnr", y: "row", r: 5, fill: "var(--theme-foreground)" }),
          numbers(ladder),
        ],
      }),
    `At the right, dB more than the row before. Large dots: the mean over ${pictureCount(ladder)}; faint ones: each of them.`,
  );
}

function withoutChart(without: Step[]): HTMLElement {
  const gains = without.map(({ gain }) => gain);
  return plainChart(
    "The whole without one of them",
    rowHeight * without.length + 64,
    (frame) =>
      Plot.plot({
        ...rowsFrame(frame, without),
        ariaLabel: "Change of the mean PSNR of the quality preset without one ingredient",
        x: {
          label: "dB more than with it →",
          domain: [Math.min(0, ...gains), Math.max(0, ...gains)],
          nice: true,
          grid: true,
          ticks: 5,
        },
        marks: [
          Plot.barX(without, { x: "gain", y: "row", fill: colorOf, insetTop: 9, insetBottom: 9 }),
          Plot.ruleX([0], { stroke: "currentColor" }),
          numbers(without),
        ],
      }),
    `The change of the mean over ${pictureCount(without)}, in dB.`,
  );
}

function colorOf({ gain }: Step): string {
  return gain < 0 ? "var(--overflow)" : "var(--current)";
}

function pictureCount(steps: Step[]): string {
  const { length } = picturesOf(steps);
  return `${length} picture${length === 1 ? "" : "s"}`;
}

function rowsScale(steps: Step[], width: number): Plot.ScaleOptions {
  const line = width < 480 ? 15 : 24;
  return {
    type: "band",
    label: null,
    tickSize: 0,
    domain: steps.map(({ row }) => row),
    tickFormat: (row: string) => wrap(row, line),
  };
}

/** A name in lines of at most so many characters, where its words allow. */
function wrap(text: string, most: number): string {
  const lines = [""];
  for (const word of text.split(" ")) {
    const line = `${lines.at(-1)} ${word}`.trim();
    if (line.length <= most || lines.at(-1) === "") lines[lines.length - 1] = line;
    else lines.push(word);
  }
  return lines.join("\n");
}
