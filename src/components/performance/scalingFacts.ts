import { type ScalingRow, totalBytes } from "../../engine/bench/scaling.js";

/** The rows of one sweep and pipeline that were measured, in ascending order of what the sweep changes. */
export function series(rows: ScalingRow[], axis: string, pipeline: string): ScalingRow[] {
  return rows
    .filter((row) => row.axis === axis && row.pipeline === pipeline && row.refusal === "")
    .sort((a, b) => a.blobs - b.blobs || pixels(a) - pixels(b));
}

/** The jobs that were measured, as charts show them, in ascending order of what their sweep changes. */
export function measuredJobs(rows: ScalingRow[]) {
  const base = baseBlobs(rows);
  const measured = rows
    .filter(({ refusal }) => refusal === "")
    .map((row) => {
      const first = series(rows, row.axis, row.pipeline).find(({ blobs }) => blobs >= base);
      const from = first && row.axis !== "tile" && row.blobs >= base ? withTilesOf(row, first, rows) : undefined;
      // Milliseconds a step, were they in proportion to (tile, blob) pairs from the base's number of blobs on.
      const expected = from ? (from.median * row.entries) / from.entries : Number.NaN;
      const tile = `${row.tileWidth}×${row.tileHeight}`;
      return { ...row, pixels: pixels(row), bytes: totalBytes(row), tile, expected };
    });
  const tilePixels = ({ tileWidth, tileHeight }: ScalingRow) => tileWidth * tileHeight;
  return measured.sort((a, b) => a.blobs - b.blobs || a.pixels - b.pixels || tilePixels(a) - tilePixels(b));
}

/** The pipelines of the rows, in their order. */
function pipelinesOf(rows: ScalingRow[]): string[] {
  return [...new Set(rows.map(({ pipeline }) => pipeline))];
}

export function pixels({ width, height }: ScalingRow): number {
  return width * height;
}

/** The number of blobs about which the sweeps go: that of the sweep of image sizes, or the least where there is none. */
export function baseBlobs(rows: ScalingRow[]): number {
  const reference = rows.find(({ axis }) => axis === "image") ?? rows.toSorted((a, b) => a.blobs - b.blobs)[0];
  return reference.blobs;
}

/** By how much time and pairs grow from the base's number of blobs to each larger one of a sweep, as factors. */
export function growthOf(rows: ScalingRow[], axis: string, pipeline: string) {
  const [first, ...larger] = series(rows, axis, pipeline).filter(({ blobs }) => blobs >= baseBlobs(rows));
  return larger.map((to) => {
    const from = withTilesOf(to, first, rows);
    return { from, to, time: to.median / from.median, entries: to.entries / from.entries };
  });
}

/** The job of `first` with the tiles of another row, if that was measured: pairs with tiles of other sizes do not compare. */
export function withTilesOf(row: ScalingRow, first: ScalingRow, rows: ScalingRow[]): ScalingRow {
  const jobOf = ({ pipeline, blobs, width, height }: ScalingRow) => [pipeline, blobs, width, height].join();
  const tileOf = ({ listTileWidth, listTileHeight }: ScalingRow) => [listTileWidth, listTileHeight].join();
  if (tileOf(first) === tileOf(row)) return first;
  const match = rows.find((one) => one.refusal === "" && jobOf(one) === jobOf(first) && tileOf(one) === tileOf(row));
  return match ?? first;
}

/**
 * The bytes that there are in any case, and that each further blob, or pixel, takes: a straight line, whose relative
 * deviations are least in squares; `off` is the largest of them.
 */
export function bytesEach(rows: ScalingRow[], of: (row: ScalingRow) => number) {
  if (rows.length < 2) return undefined;
  let [w, x, y, xx, xy] = [0, 0, 0, 0, 0];
  for (const row of rows) {
    const weight = 1 / totalBytes(row) ** 2;
    w += weight;
    x += weight * of(row);
    y += weight * totalBytes(row);
    xx += weight * of(row) ** 2;
    xy += weight * of(row) * totalBytes(row);
  }
  const each = (w * xy - x * y) / (w * xx - x * x);
  const start = (y - each * x) / w;
  const off = Math.max(...rows.map((row) => Math.abs((start + each * of(row)) / totalBytes(row) - 1)));
  return { start, each, off };
}

/** The bytes that a blob and a pixel take in each pipeline, from the sweeps; what was not measured is left out. */
export function memoryRows(rows: ScalingRow[]) {
  return pipelinesOf(rows).map((pipeline) => {
    const byBlob = bytesEach(series(rows, "blobs", pipeline), ({ blobs }) => blobs);
    const byPixel = bytesEach(series(rows, "image", pipeline), pixels);
    return { pipeline, blob: byBlob?.each, blobOff: byBlob?.off, pixel: byPixel?.each, pixelOff: byPixel?.off };
  });
}
