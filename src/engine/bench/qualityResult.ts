import type { Table } from "apache-arrow";
import type { TrainConfig } from "../config.js";
import { arrowFile, type Column, readArrowFile, readColumn } from "../files/arrowFile.js";
import { checkVersion, formatVersion } from "../files/formatVersion.js";
import { parseConfig } from "../files/parseConfig.js";
import { qualityNotes } from "./benchNotes.js";
import type { BenchResult } from "./benchResult.js";

/**
 * `ladder`: cumulative ablation from baseline to quality; `without`: leave-one-out; `sizes`: by number of blobs;
 * `seconds`: by time.
 */
export type QualityExperiment = "ladder" | "without" | "sizes" | "seconds";

/** The result of one run. Numbers that could not be measured are NaN. */
export interface QualityRun {
  part: QualityExperiment;
  /** Name of its configuration, such as "start by gradient". */
  row: string;
  /** File name of the image, without its extension. */
  image: string;
  /** Size of the image in pixels. */
  width: number;
  height: number;
  blobs: number;
  steps: number;
  /** Training time, without opening and without measurements during the run. */
  seconds: number;
  /** In dB, of float values clamped to 0..1. */
  psnr: number;
  ssim: number;
  /** NaN for images that are too small for it. */
  msSsim: number;
  /** Size of the run's .splat2d file. */
  bytes: number;
  /** The same in bits per pixel of the image. */
  bitsPerPixel: number;
  /** PSNR of the render from that file, in dB. */
  filePsnr: number;
  config: TrainConfig;
  /** When it ended. */
  date: string;
}

/** Where and when the runs were trained: those of the last command that wrote the file. */
export type QualityOrigin = Pick<BenchResult, "date" | "commit" | "versions" | "host"> & {
  /** Adapter and driver, or CPU engine. */
  adapter: string;
};

export interface Quality extends QualityOrigin {
  runs: QualityRun[];
}

type Numeric = Exclude<keyof QualityRun, (typeof textColumns)[number] | "config">;

const textColumns = ["part", "row", "image", "date"] as const;
/** The numeric columns by field. */
const numberColumns: Record<Numeric, string> = {
  width: "width",
  height: "height",
  blobs: "blobs",
  steps: "steps",
  seconds: "seconds",
  psnr: "psnr",
  ssim: "ssim",
  msSsim: "ms_ssim",
  bytes: "bytes",
  bitsPerPixel: "bits_per_pixel",
  filePsnr: "file_psnr",
};
/** New names of rows that were renamed after version 0.1.0. */
const oldRows = new Map([
  ["seed", "baseline"],
  ["white composite", "white background"],
]);
const fileName = "quality.arrow";

function metadataOf(origin: QualityOrigin): Record<string, string> {
  return { splatbook_format: String(formatVersion), quality: JSON.stringify(origin) };
}

/** Encodes quality.arrow: one row per run. Numbers are float64, NaN if missing; the rest is text, `config` as JSON. */
export function qualityFile({ runs, ...origin }: Quality): Uint8Array {
  const columns: Record<string, Column> = {};
  for (const name of textColumns) columns[name] = runs.map((run) => run[name]);
  for (const [field, name] of Object.entries(numberColumns)) {
    columns[name] = Float64Array.from(runs, (run) => run[field as Numeric]);
  }
  columns.config = runs.map(({ config }) => JSON.stringify(config));
  return arrowFile(columns, metadataOf(origin), qualityNotes());
}

/**
 * Reads quality.arrow.
 * @throws Error if it is damaged, of another version, or lacks a column
 */
export function readQuality(bytes: Uint8Array): Quality {
  const table = readArrowFile(bytes, fileName);
  const [origin, version] = readOrigin(table, fileName);
  const textValues = textColumns.map((name) => [name, readText(table, name, fileName)] as const);
  const values = Object.entries(numberColumns).map(
    ([field, name]) => [field, readColumn(table, name, new Float64Array(), fileName)] as const,
  );
  const configs = readColumn(table, "config", [] as string[], fileName);
  const runs = Array.from({ length: table.numRows }, (_, i) => ({
    ...Object.fromEntries([...textValues, ...values].map(([field, column]) => [field, column[i]])),
    config: parseConfig(() => JSON.parse(configs[i]), fileName, version),
  }));
  return { ...origin, runs: runs as unknown as QualityRun[] };
}

function readText(table: Table, name: string, from: string): string[] {
  const column = [...readColumn(table, name, [] as string[], from)];
  return name === "row" ? column.map((row) => oldRows.get(row) ?? row) : column;
}

function readOrigin(table: Table, name: string): [QualityOrigin, version: number] {
  const origin = table.schema.metadata.get("quality");
  if (origin === undefined) throw new Error(`${name} was not written by splatbook.`);
  const version = checkVersion(Number(table.schema.metadata.get("splatbook_format")), name);
  try {
    return [JSON.parse(origin), version];
  } catch {
    throw new Error(`${name} has damaged metadata.`);
  }
}

/** Returns a key that identifies a run in a file, and the points of its curve. */
export function runKey({ row, image, blobs }: Pick<QualityRun, "row" | "image" | "blobs">): string {
  return JSON.stringify([row, image, blobs]);
}
