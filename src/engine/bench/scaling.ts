import { arrowFile, type Column, readArrowFile, readColumn } from "../files/arrowFile.js";
import { checkVersion, formatVersion } from "../files/formatVersion.js";
import { bufferBytes, scalingNotes } from "./benchNotes.js";
import type { BenchResult } from "./benchResult.js";

/** Time and memory of one job of a sweep. If the job was refused, measured numbers are NaN. */
export interface ScalingRow {
  /** What the sweep varies: blobs, or all. */
  axis: string;
  pipeline: string;
  blobs: number;
  /** Size of the image in pixels. */
  width: number;
  height: number;
  /** Size of a tile in pixels, as configured. */
  tileWidth: number;
  tileHeight: number;
  /** Size of the tiles that have lists: some pipelines join small tiles. */
  listTileWidth: number;
  listTileHeight: number;
  covarianceScale: number;
  /** Tile–blob intersections after the last step. */
  entries: number;
  /** Pixel–blob pairs on the pixel's tile list. */
  listedPairs: number;
  /** Pixel–blob pairs with the pixel within the blob's support. */
  supportedPairs: number;
  /** Milliseconds per step: median, minimum and maximum over the rounds. */
  median: number;
  min: number;
  max: number;
  /** Steps in these rounds. */
  stepsMeasured: number;
  /** Milliseconds until the kernels were compiled and the buffers filled. */
  openTime: number;
  /** PSNR after the last step, in dB. */
  psnr: number;
  /** Why the job was not measured; empty if it was. */
  refusal: string;
  /** Bytes of each buffer on the GPU, by name. */
  allocated: Record<string, number>;
}

/** Where and with which image a sweep was measured. */
type ScalingOrigin = Pick<BenchResult, "date" | "commit" | "versions" | "host" | "adapter" | "image">;

/** All sweeps of one run. */
export interface Scaling extends ScalingOrigin {
  rows: ScalingRow[];
}

type Numeric = Exclude<keyof ScalingRow, "axis" | "pipeline" | "refusal" | "allocated">;

/** The numeric columns by field. */
const numberColumns: Record<Numeric, string> = {
  blobs: "blobs",
  width: "width",
  height: "height",
  tileWidth: "tile_width",
  tileHeight: "tile_height",
  listTileWidth: "list_tile_width",
  listTileHeight: "list_tile_height",
  covarianceScale: "covariance_scale",
  entries: "entries",
  listedPairs: "listed_pairs",
  supportedPairs: "supported_pairs",
  median: "milliseconds",
  min: "milliseconds_min",
  max: "milliseconds_max",
  stepsMeasured: "steps_measured",
  openTime: "open_milliseconds",
  psnr: "psnr",
};
const textColumns = ["axis", "pipeline", "refusal"] as const;
const fileName = "scaling.arrow";

/** Returns the bytes of all buffers of a row. */
export function totalBytes({ allocated }: ScalingRow): number {
  return Object.values(allocated).reduce((sum, bytes) => sum + bytes, 0);
}

/**
 * Encodes scaling.arrow: one row per job, with `bytes` of all buffers and `bytes_NAME` of each. Numbers are float64,
 * NaN if missing; `axis`, `pipeline` and `refusal` are text.
 */
export function scalingFile({ rows, ...origin }: Scaling): Uint8Array {
  const labels = [...new Set(rows.flatMap(({ allocated }) => Object.keys(allocated)))];
  const columns: Record<string, Column> = {};
  for (const name of textColumns) columns[name] = rows.map((row) => row[name]);
  for (const [field, name] of Object.entries(numberColumns)) {
    columns[name] = Float64Array.from(rows, (row) => row[field as Numeric]);
  }
  columns.bytes = Float64Array.from(rows, totalBytes);
  for (const label of labels)
    columns[bufferBytes(label)] = Float64Array.from(rows, ({ allocated }) => allocated[label] ?? 0);
  const entries = { splatbook_format: String(formatVersion), scaling: JSON.stringify(origin) };
  return arrowFile(columns, entries, scalingNotes(labels));
}

/**
 * Reads scaling.arrow.
 * @throws Error if it is damaged, of another version, or lacks a column
 */
export function readScaling(bytes: Uint8Array): Scaling {
  const table = readArrowFile(bytes, fileName);
  const origin = table.schema.metadata.get("scaling");
  if (origin === undefined) throw new Error(`${fileName} was not written by splatbook.`);
  checkVersion(Number(table.schema.metadata.get("splatbook_format")), fileName);
  const textValues = textColumns.map((name) => [name, readColumn(table, name, [] as string[], fileName)] as const);
  const values = Object.entries(numberColumns).map(
    ([field, name]) => [field, readColumn(table, name, new Float64Array(), fileName)] as const,
  );
  const prefix = bufferBytes("");
  const labels = table.schema.fields.map(({ name }) => name).filter((name) => name.startsWith(prefix));
  const buffers = labels.map(
    (name) => [name.slice(prefix.length), readColumn(table, name, new Float64Array(), fileName)] as const,
  );
  const rows = Array.from({ length: table.numRows }, (_, i) => ({
    ...Object.fromEntries([...textValues, ...values].map(([field, column]) => [field, column[i]])),
    allocated: Object.fromEntries(buffers.map(([label, column]) => [label, column[i]])),
  }));
  return { ...(JSON.parse(origin) as ScalingOrigin), rows: rows as unknown as ScalingRow[] };
}
