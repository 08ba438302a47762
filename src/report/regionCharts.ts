import * as Plot from "@observablehq/plot";
import { type ChartFrame, chartHeight, plainChart } from "../components/figures/plainChart.js";
import { element } from "../components/page/element.js";
import { count, counted, decibels } from "../components/page/format.js";
import { countText } from "../components/page/numberText.js";
import { curveOf } from "../components/runs/curve.js";
import { logAxis } from "../components/runs/logAxis.js";
import { clippedScale } from "../components/runs/logScale.js";
import { joinRegions, rowsByRegion } from "../components/runs/regionRows.js";
import type { MetricsRow } from "../engine/files/arrow.js";
import type { Size } from "../engine/picture/image.js";
import type { RegionsReport } from "./report.js";

/** Points of all lines together at most: more take long to draw, and cannot be told apart. */
const mostPoints = 6000;

const labels = { psnr: "PSNR, decibels", loss: "loss, squared error per pixel" };

/** How the regions of a run went, a line a region, and what each came to, where it lies. */
export function regionCharts({ description, rows }: RegionsReport): HTMLElement {
  const { config, regions, image } = description;
  const own = rowsByRegion(rows);
  const thin = Math.max(2, Math.floor(mostPoints / own.length));
  const some = own.flatMap((points) =>
    points.length > thin ? points.filter((_, i) => i % Math.ceil(points.length / thin) === 0) : points,
  );
  const joined = curveOf({ config, measured: joinRegions(rows, regions.list) }).points;
  const parts = regions.list.map((part, i) => ({ ...part, region: i, psnr: own[i]?.at(-1)?.psnr ?? Number.NaN }));
  const note =
    "Each thin line is a region with its halo, as its steps measured it, before the seams were gone over; the thick one is all of them together.";
  const lines = (quantity: "psnr" | "loss") => (frame: ChartFrame) => regionLines(some, joined, quantity, frame);
  const height = Math.round(Math.min(420, Math.max(180, (340 * image.height) / image.width + 80)));
  return element(
    "div",
    { class: "chart-grid" },
    plainChart("How near: PSNR by region", chartHeight, lines("psnr"), note),
    plainChart("What is minimised: the loss by region", chartHeight, lines("loss")),
    plainChart(
      "What each region came to: PSNR, decibels",
      height,
      (frame) => regionMap(parts, image, frame),
      rangeNote(parts),
    ),
  );
}

function regionLines(
  rows: readonly MetricsRow[],
  joined: readonly MetricsRow[],
  quantity: "psnr" | "loss",
  frame: ChartFrame,
) {
  // An error of nothing has no place on a logarithmic axis, nor its infinite decibels on any.
  const shown = rows.filter(({ loss }) => loss > 0);
  const label = labels[quantity];
  const scale =
    quantity === "loss"
      ? clippedScale(
          shown.map(({ loss }) => loss),
          label,
        )
      : { label, nice: true, ticks: 5 };
  const ticks = "ticks" in scale && Array.isArray(scale.ticks) ? scale.ticks : undefined;
  const position = { x: "step", y: quantity } as const;
  return Plot.plot({
    ...frame,
    marginLeft: 52,
    marginTop: 26,
    marginBottom: 42,
    style: { fontSize: "12px" },
    ariaLabel: `${label} of each region against training steps`,
    x: { label: "training steps", nice: true, zero: true, ticks: 5, tickFormat: countText },
    y: { grid: true, ...scale },
    marks: [
      ticks ? logAxis("y", ticks) : null,
      Plot.lineY(shown, { ...position, z: "region", stroke: "var(--run-1)", strokeOpacity: 0.55, strokeWidth: 1 }),
      Plot.lineY(
        joined.filter(({ loss }) => loss > 0),
        { ...position, stroke: "var(--theme-foreground)", strokeWidth: 2 },
      ),
      Plot.tip(shown, Plot.pointer({ ...position, title: tipOf })),
    ],
  });
}

function tipOf({ region = 0, step, loss, psnr }: MetricsRow): string {
  return [`region ${region + 1}, step ${count(step)}`, decibels(psnr), `loss ${loss.toPrecision(3)}`].join("\n");
}

function rangeNote(parts: readonly { psnr: number }[]): string {
  const all = parts.map(({ psnr }) => psnr);
  return `From ${decibels(Math.min(...all))}, the darkest, to ${decibels(Math.max(...all))}, the brightest.`;
}

/** The regions where they lie, each in the colour of its decibels. */
function regionMap(
  parts: readonly {
    x: number;
    y: number;
    width: number;
    height: number;
    blobs: number;
    region: number;
    psnr: number;
  }[],
  image: Size,
  frame: ChartFrame,
) {
  const [marginLeft, marginRight, marginTop, marginBottom] = [52, 20, 22, 42];
  // As wide as the picture's shape has it, where there is room.
  const across = ((frame.height - marginTop - marginBottom) * image.width) / image.height;
  const area = {
    x1: "x",
    y1: "y",
    x2: ({ x, width }: (typeof parts)[number]) => x + width,
    y2: ({ y, height }: (typeof parts)[number]) => y + height,
  };
  const middle = {
    x: ({ x, width }: (typeof parts)[number]) => x + width / 2,
    y: ({ y, height }: (typeof parts)[number]) => y + height / 2,
  };
  return Plot.plot({
    width: Math.min(frame.width, Math.max(160, across + marginLeft + marginRight)),
    height: frame.height,
    ...{ marginLeft, marginRight, marginTop, marginBottom },
    style: { fontSize: "12px" },
    ariaLabel: "PSNR of each region at its last step, by its place in the picture",
    x: { domain: [0, image.width], label: "x, pixels", ticks: 5, tickFormat: countText },
    y: { domain: [image.height, 0], label: "y, pixels", ticks: 5, tickFormat: countText },
    color: { label: labels.psnr, scheme: "viridis" },
    marks: [
      Plot.rect(parts, { ...area, fill: "psnr", inset: 0.5 }),
      parts.length <= 36
        ? Plot.text(parts, {
            ...middle,
            text: ({ psnr }) => psnr.toFixed(1),
            fill: "white",
            stroke: "black",
            strokeWidth: 3,
            fontWeight: 600,
          })
        : null,
      Plot.tip(
        parts,
        Plot.pointer({
          ...middle,
          title: ({ region, width, height, blobs, psnr }) =>
            [`region ${region + 1}: ${width} × ${height} pixels`, counted(blobs, "blob"), decibels(psnr)].join("\n"),
        }),
      ),
    ],
  });
}
