import { type ScalingRow, totalBytes } from "../../engine/scaling.js";

/** The rows of one sweep and pipeline that were measured, in ascending order of what the sweep changes. */
export function series(rows: ScalingRow[], axis: string, pipeline: string): ScalingRow[] {
  return rows
    .filter((row) => row.axis === axis && row.pipeline === pipeline && row.refusal === "")
    .sort((a, b) => a.blobs - b.blobs || pixels(a) - pixels(b));
}

/** A measured job of a sweep, as charts show it. */
export interface SweptRow extends ScalingRow {
  pixels: number;
  bytes: number;
  /** Of the tile as asked for: "8×4". */
  tile: string;
  /** Milliseconds a step, were they in proportion to (tile, blob) pairs from the base's number of blobs on. */
  expected: number;
}

/** The jobs that were measured, in ascending order of what their sweep changes. */
export function swept(rows: ScalingRow[]): SweptRow[] {
  const base = baseBlobs(rows);
  const measured = rows
    .filter(({ refusal }) => refusal === "")
    .map((row) => {
      const first = series(rows, row.axis, row.pipeline).find(({ blobs }) => blobs >= base);
      const from = first && row.axis !== "tile" && row.blobs >= base ? withTilesOf(row, first, rows) : undefined;
      const expected = from ? (from.median * row.entries) / from.entries : Number.NaN;
      const tile = `${row.tileWidth}×${row.tileHeight}`;
      return { ...row, pixels: pixels(row), bytes: totalBytes(row), tile, expected };
    });
  const tilePixels = ({ tileWidth, tileHeight }: ScalingRow) => tileWidth * tileHeight;
  return measured.sort((a, b) => a.blobs - b.blobs || a.pixels - b.pixels || tilePixels(a) - tilePixels(b));
}

/** The pipelines of the rows, in their order. */
export function pipelinesOf(rows: ScalingRow[]): string[] {
  return [...new Set(rows.map(({ pipeline }) => pipeline))];
}

export function pixels({ width, height }: ScalingRow): number {
  return width * height;
}

/** The number of blobs about which the sweeps go: that of the sweep of image sizes, or the least where there is none. */
export function baseBlobs(rows: ScalingRow[]): number {
  const held = rows.find(({ axis }) => axis === "image") ?? rows.toSorted((a, b) => a.blobs - b.blobs)[0];
  return held.blobs;
}

/** By how much time and (tile, blob) pairs grow from one row to another, as factors. */
export interface Growth {
  from: ScalingRow;
  to: ScalingRow;
  time: number;
  entries: number;
}

/** The growth of a step from the base's number of blobs to each larger one of a sweep. */
export function growthOf(rows: ScalingRow[], axis: string, pipeline: string): Growth[] {
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
  const like = rows.find((one) => one.refusal === "" && jobOf(one) === jobOf(first) && tileOf(one) === tileOf(row));
  return like ?? first;
}

/** A line through bytes: what there is in any case, what each further unit takes, and how far rows lie off at most. */
export interface Line {
  start: number;
  each: number;
  /** The largest deviation, as a share of a row's bytes. */
  off: number;
}

/** The bytes that each further blob, or pixel, takes: a straight line, whose relative deviations are least in squares. */
export function bytesEach(rows: ScalingRow[], of: (row: ScalingRow) => number): Line | undefined {
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
