import type { Scaling, ScalingRow } from "../engine/scaling.js";
import { element } from "./element.js";
import { count, counted, inWords, time } from "./format.js";
import { sweepChart } from "./scalingChart.js";
import { baseBlobs, bytesEach, type Growth, growthOf, pipelinesOf, pixels, series } from "./scalingFacts.js";
import { tileChart } from "./tileChart.js";

const fast = "binned";

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
      note: `From ${count(base)} on, n times as many blobs have a covariance n times as small. Dashed: in proportion to (tile, blob) pairs.`,
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
      note: `The pictures have ${series(rows, "all", fast)
        .map(({ width, height }) => `${count(width)} × ${count(height)}`)
        .join(", ")} pixels. Dashed: in proportion to (tile, blob) pairs.`,
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

/** Whether a step grows at most as the (tile, blob) pairs do, by the rows. */
export function growthSentence({ rows }: Scaling): string {
  const growths = ["blobs", "all"].flatMap((axis) => growthOf(rows, axis, fast));
  if (growths.length === 0) return "These sweeps have no larger job than their base, so they do not tell how it grows.";
  const least = growths.reduce((a, b) => (b.time / b.entries > a.time / a.entries ? b : a));
  const holds = least.time <= least.entries;
  const base = count(baseBlobs(rows));
  return holds
    ? `From ${base} blobs upwards a step of ${fast} grows by less than its (tile, blob) pairs, in each of the ${counted(growths.length, "larger job")}: where it comes nearest, ${describe(least)}.`
    : `From ${base} blobs upwards a step of ${fast} does not always keep to its (tile, blob) pairs: at the worst, ${describe(least)}.`;
}

function describe({ to, time: times, entries }: Growth): string {
  return `at ${count(to.blobs)} blobs on ${count(to.width)} × ${count(to.height)} pixels, it takes ${factor(times)} times as long for ${factor(entries)} times the pairs`;
}

function factor(value: number): string {
  return value >= 100 ? count(value) : String(Number(value.toPrecision(3)));
}

/** The largest job that was measured, as a sentence. */
export function largestSentence({ rows }: Scaling): string {
  const measured = rows.filter(({ pipeline, refusal }) => pipeline === fast && refusal === "");
  const largest = measured.reduce((a, b) => (b.blobs * pixels(b) > a.blobs * pixels(a) ? b : a));
  const { blobs, width, height, median, entries } = largest;
  return `The largest job that was measured, ${counted(blobs, "blob")} on ${count(width)} × ${count(height)} pixels, has ${inWords(entries)} (tile, blob) pairs and takes ${time(median)} a step.`;
}

/** Bytes a blob and a pixel of each pipeline, from the sweeps. */
export function memoryTable({ rows }: Scaling): HTMLElement {
  const lines = pipelinesOf(rows).map((pipeline) => {
    const byBlob = bytesEach(series(rows, "blobs", pipeline), ({ blobs }) => blobs);
    const byPixel = bytesEach(series(rows, "image", pipeline), pixels);
    return {
      pipeline,
      cells: [byBlob, byPixel].flatMap((line) => (line ? [count(line.each), within(line.off)] : ["–", "–"])),
    };
  });
  const heads = ["pipeline", "bytes a blob", "the line is off by", "bytes a pixel", "the line is off by"];
  return element(
    "table",
    {},
    element("thead", {}, element("tr", {}, ...heads.map((head) => element("th", { scope: "col" }, head)))),
    element(
      "tbody",
      {},
      ...lines.map(({ pipeline, cells }) =>
        element("tr", {}, element("th", { scope: "row" }, pipeline), ...cells.map((cell) => element("td", {}, cell))),
      ),
    ),
  );
}

function within(off: number): string {
  return `${Math.ceil(100 * off)} % at most`;
}

/** The jobs that were not measured, each with its sentence; nothing where there are none. */
export function refusals({ rows }: Scaling): HTMLElement | string {
  const refused = rows.filter(({ refusal }) => refusal !== "");
  if (refused.length === 0) return "";
  const items = refused.map(({ pipeline, blobs, width, height, tileWidth, tileHeight, refusal }) =>
    element(
      "li",
      {},
      `${pipeline}, ${counted(blobs, "blob")} on ${count(width)} × ${count(height)} pixels, tiles of ${tileWidth} × ${tileHeight}: ${refusal}`,
    ),
  );
  return element(
    "details",
    { class: "refusals" },
    element("summary", {}, `${counted(refused.length, "job")} not measured`),
    element("ul", {}, ...items),
  );
}

/** Where and when the sweeps were measured. */
export function originSentence({ adapter, host, date }: Scaling): string {
  return `Recorded on ${date.slice(0, 10)}: ${adapter ?? host}.`;
}
