import type { Scaling, ScalingRow } from "../../engine/scaling.js";
import { element } from "../element.js";
import { count, counted } from "../format.js";
import { sweepChart } from "./scalingChart.js";
import { baseBlobs, pixels, series } from "./scalingFacts.js";
import { tileChart } from "./tileChart.js";

/** How a step grows with blobs, with the picture, with both, and with the tile. */
export function scalingCharts({ rows }: Scaling): HTMLElement {
  const base = baseBlobs(rows);
  const side = (axis: string) => {
    const row = rows.find((one) => one.axis === axis);
    return row ? `${count(row.width)} × ${count(row.height)}` : "";
  };
  const blobs = { label: "blobs →", of: (row: ScalingRow) => row.blobs };
  const area = { label: "pixels of the picture →", of: pixels };
  return element(
    "div",
    { class: "chart-grid scaling" },
    sweepChart({
      title: `More blobs, on ${side("blobs")} pixels`,
      rows,
      axis: "blobs",
      x: blobs,
      y: "time",
      proportionalFrom: base,
      note: `From ${count(base)} on all have the same range of sizes. Dashed: in proportion to (tile, blob) pairs.`,
    }),
    sweepChart({
      title: `A larger picture, of ${counted(base, "blob")}`,
      rows,
      axis: "image",
      x: area,
      y: "time",
      proportionalFrom: 0,
      note: "The blobs grow with the picture. Dashed: in proportion to (tile, blob) pairs.",
    }),
    sweepChart({
      title: "Both at once",
      rows,
      axis: "all",
      x: blobs,
      y: "time",
      proportionalFrom: base,
      note: `The pictures have ${series(rows, "all", "binned")
        .map(({ width, height }) => `${count(width)} × ${count(height)}`)
        .join(
          ", ",
        )} pixels; n times as many blobs have a covariance n times as small. Dashed: in proportion to (tile, blob) pairs.`,
    }),
    tileChart(
      rows,
      `Other tiles, ${counted(base, "blob")} on ${side("tile")} pixels`,
      "As asked for; binned joins tiles of fewer than 128 pixels.",
    ),
  );
}

/** What a step holds on the GPU, with blobs and with pixels. */
export function memoryCharts({ rows }: Scaling): HTMLElement {
  return element(
    "div",
    { class: "chart-grid" },
    sweepChart({
      title: "Memory with blobs",
      rows,
      axis: "blobs",
      x: { label: "blobs →", of: (row) => row.blobs },
      y: "bytes",
    }),
    sweepChart({
      title: "Memory with the picture",
      rows,
      axis: "image",
      x: { label: "pixels →", of: pixels },
      y: "bytes",
    }),
  );
}
