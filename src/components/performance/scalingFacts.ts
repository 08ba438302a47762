import { type ScalingRow, totalBytes } from "../../engine/bench/scaling.js";

/** Returns the measured rows of a sweep and pipeline, in ascending order of the swept value. */
export function series(rows: ScalingRow[], axis: string, pipeline: string): ScalingRow[] {
  return rows
    .filter((row) => row.axis === axis && row.pipeline === pipeline && row.refusal === "")
    .sort((a, b) => a.blobs - b.blobs || pixels(a) - pixels(b));
}

/** Returns the measured jobs with the values that charts need, in ascending order of the swept value. */
export function measuredJobs(rows: ScalingRow[]) {
  const base = baseBlobs(rows);
  const measured = rows
    .filter(({ refusal }) => refusal === "")
    .map((row) => {
      const first = series(rows, row.axis, row.pipeline).find(({ blobs }) => blobs >= base);
      const from = first && row.axis !== "tile" && row.blobs >= base ? withTilesOf(row, first, rows) : undefined;
      // Milliseconds per step, if they were in proportion to the intersections from the base number of blobs on.
      const expected = from ? (from.median * row.entries) / from.entries : Number.NaN;
      const tile = `${row.tileWidth}×${row.tileHeight}`;
      return { ...row, pixels: pixels(row), bytes: totalBytes(row), tile, expected };
    });
  const tilePixels = ({ tileWidth, tileHeight }: ScalingRow) => tileWidth * tileHeight;
  return measured.sort((a, b) => a.blobs - b.blobs || a.pixels - b.pixels || tilePixels(a) - tilePixels(b));
}

/** Returns the pipelines of the rows, in order. */
function pipelinesOf(rows: ScalingRow[]): string[] {
  return [...new Set(rows.map(({ pipeline }) => pipeline))];
}

export function pixels({ width, height }: ScalingRow): number {
  return width * height;
}

/** Returns the number of blobs of the sweep of image sizes, or the least of all rows if there is no such sweep. */
export function baseBlobs(rows: ScalingRow[]): number {
  const reference = rows.find(({ axis }) => axis === "image") ?? rows.toSorted((a, b) => a.blobs - b.blobs)[0];
  return reference.blobs;
}

/** Returns the factors of time and intersections from the base number of blobs to each larger one of a sweep. */
export function growthOf(rows: ScalingRow[], axis: string, pipeline: string) {
  const [first, ...larger] = series(rows, axis, pipeline).filter(({ blobs }) => blobs >= baseBlobs(rows));
  return larger.map((to) => {
    const from = withTilesOf(to, first, rows);
    return { from, to, time: to.median / from.median, entries: to.entries / from.entries };
  });
}

/** Returns the job of `first` with the tile size of another row, if measured: intersections depend on the tile size. */
export function withTilesOf(row: ScalingRow, first: ScalingRow, rows: ScalingRow[]): ScalingRow {
  const jobOf = ({ pipeline, blobs, width, height }: ScalingRow) => [pipeline, blobs, width, height].join();
  const tileOf = ({ listTileWidth, listTileHeight }: ScalingRow) => [listTileWidth, listTileHeight].join();
  if (tileOf(first) === tileOf(row)) return first;
  const match = rows.find((one) => one.refusal === "" && jobOf(one) === jobOf(first) && tileOf(one) === tileOf(row));
  return match ?? first;
}

/**
 * Returns a linear fit of the bytes by blobs or pixels, with the least squares of the relative deviations.
 * @returns the intercept `start`, the slope `each`, and the largest relative deviation `off`
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

/** Returns the bytes per blob and per pixel of each pipeline, from the sweeps. */
export function memoryRows(rows: ScalingRow[]) {
  return pipelinesOf(rows).map((pipeline) => {
    const byBlob = bytesEach(series(rows, "blobs", pipeline), ({ blobs }) => blobs);
    const byPixel = bytesEach(series(rows, "image", pipeline), pixels);
    return { pipeline, blob: byBlob?.each, blobOff: byBlob?.off, pixel: byPixel?.each, pixelOff: byPixel?.off };
  });
}
