import type { Table } from "apache-arrow";
import { concat } from "../concat.js";
import type { TrainConfig } from "../config.js";
import type { Size } from "../image/image.js";
import { decodedValues, modelOf } from "../model/blob.js";
import {
  decodedNames,
  type ParameterGroup,
  parameterCount,
  parameterGroups,
  rawNames,
  type TrainingState,
} from "../model/blobs.js";
import type { StepStatistics } from "../pipeline.js";
import { mustBe } from "../quoted.js";
import { ArrowFileWriter, arrowFile, type Column, readArrowFile, readColumn } from "./arrowFile.js";
import {
  type ColumnNotes,
  firstMomentColumn,
  gradientNormColumn,
  gradientNotes,
  metricsNotes,
  optimizerNotes,
  parameterNotes,
  secondMomentColumn,
  tileListColumn,
} from "./columnNotes.js";
import { checkVersion, formatVersion } from "./formatVersion.js";
import { parseConfig } from "./parseConfig.js";

/** A row of metrics.arrow: the measurements of a recorded step. */
export interface MetricsRow extends Pick<StepStatistics, "loss" | "gradientNorms" | "tileLists"> {
  step: number;
  seconds: number;
  psnr: number;
  /** The region of the step, from 0, if the image was fitted in regions. */
  region?: number;
}

/** The gradients of one training step, at the parameters with which it begins. */
export interface GradientRecord {
  /** Step t takes the parameters after t − 1 steps to those after t. */
  step: number;
  /** dL/draw, 9·N, field-major. */
  gradients: Float32Array;
}

const groupNames = Object.keys(parameterGroups) as ParameterGroup[];
const tileListColumns = { mean: Float64Array, longest: Uint32Array, overflowing: Uint32Array, passes: Uint32Array };

/**
 * Returns parameters.arrow: a row per blob. The raw parameters come first, then their decoded values with the suffix
 * `_decoded`, then the standard deviations in pixels.
 */
export function parametersFile(...run: Parameters<typeof parametersPieces>): Uint8Array {
  return concat([...parametersPieces(...run)]);
}

/** Yields parameters.arrow in pieces, so that a file of millions of blobs need not be in memory. */
export function* parametersPieces(
  config: TrainConfig,
  image: Size,
  { step, parameters }: Pick<TrainingState, "parameters"> & Partial<Pick<TrainingState, "step">>,
): Generator<Uint8Array> {
  const blobs = parameters.length / parameterCount;
  const model = modelOf(config, image);
  yield* batches(blobs, metadata(config, step), parameterNotes(config), (start, end) => {
    const decoded = decodedNames.map(() => new Float32Array(end - start));
    for (let i = start; i < end; i++) {
      for (const [field, value] of decodedValues(parameters, i, model).entries()) decoded[field][i - start] = value;
    }
    const decodedColumns = Object.fromEntries(decodedNames.map((name, field) => [name, decoded[field]]));
    return { ...namedColumns(config, parameters, undefined, start, end), ...decodedColumns };
  });
}

/** Returns optimizer.arrow: a row per blob with Adam's m and v of each raw parameter. */
export function optimizerFile(...run: Parameters<typeof optimizerPieces>): Uint8Array {
  return concat([...optimizerPieces(...run)]);
}

/** Yields optimizer.arrow in pieces. */
export function* optimizerPieces(
  config: TrainConfig,
  { step, firstMoments, secondMoments }: TrainingState,
): Generator<Uint8Array> {
  const blobs = firstMoments.length / parameterCount;
  yield* batches(blobs, metadata(config, step), optimizerNotes(config), (start, end) => ({
    ...namedColumns(config, firstMoments, firstMomentColumn, start, end),
    ...namedColumns(config, secondMoments, secondMomentColumn, start, end),
  }));
}

/** Most rows of a record batch. */
const batchRows = 2 ** 16;

/** Yields a file with a row per blob, a record batch at a time. */
function* batches(
  blobs: number,
  metadata: Record<string, string>,
  notes: ColumnNotes,
  columnsOf: (start: number, end: number) => Record<string, Float32Array>,
): Generator<Uint8Array> {
  let writer: ArrowFileWriter | undefined;
  for (let start = 0; start < blobs; start += batchRows) {
    const end = Math.min(start + batchRows, blobs);
    const columns = { blob: indices(end - start, start), ...columnsOf(start, end) };
    writer ??= new ArrowFileWriter(columns, metadata, notes);
    yield writer.add(columns);
  }
  if (writer) yield writer.end();
}

/**
 * Returns metrics.arrow: a row per recorded step.
 * @param notes units and descriptions of the columns, 4 kB; a report omits them from the rows that its script reads
 */
export function metricsFile(config: TrainConfig, rows: MetricsRow[], notes = metricsNotes()): Uint8Array {
  return arrowFile(metricsColumns(rows), metadata(config), notes);
}

/** Returns metrics.arrow with a record batch per region and the region's number in the last column. */
export function regionsMetricsFile(config: TrainConfig, regions: readonly MetricsRow[][]): Uint8Array {
  const columnsOf = (rows: MetricsRow[], region: number) => ({
    ...metricsColumns(rows),
    region: new Uint32Array(rows.length).fill(region),
  });
  const writer = new ArrowFileWriter(columnsOf([], 0), metadata(config), metricsNotes());
  return concat([...regions.map((rows, region) => writer.add(columnsOf(rows, region))), writer.end()]);
}

function metricsColumns(rows: readonly MetricsRow[]): Record<string, Column> {
  const numbers = (value: (row: MetricsRow) => number) => Float64Array.from(rows, value);
  const norms = groupNames.map((group) => [gradientNormColumn(group), numbers((row) => row.gradientNorms[group])]);
  const lists = Object.entries(tileListColumns).map(([name, Type]) => [
    tileListColumn(name),
    new Type(rows.map((row) => row.tileLists[name as keyof typeof tileListColumns])),
  ]);
  return {
    step: Uint32Array.from(rows, ({ step }) => step),
    seconds: numbers(({ seconds }) => seconds),
    loss: numbers(({ loss }) => loss),
    psnr: numbers(({ psnr }) => psnr),
    ...Object.fromEntries([...norms, ...lists]),
  };
}

/** Returns gradients.arrow: a row per blob for each recorded step. */
export function gradientsFile(config: TrainConfig, records: GradientRecord[]): Uint8Array {
  const writer = gradientsWriter(config, records.length === 1 ? records[0].step : undefined);
  return concat([...records.map((record) => writer.add(record)), writer.end()]);
}

/**
 * Returns a writer of gradients.arrow record by record, since many do not fit into memory.
 * @param only the step of the record, if there is only one
 */
export function gradientsWriter(config: TrainConfig, only?: number) {
  const empty = { step: new Uint32Array(), blob: new Uint32Array(), ...namedColumns(config, new Float32Array()) };
  const parametersStep = only === undefined ? "step - 1" : String(only - 1);
  const schemaMetadata = { ...metadata(config), parameters_step: parametersStep };
  const writer = new ArrowFileWriter(empty, schemaMetadata, gradientNotes(config));
  const blob = indices(config.blobs);
  return {
    /** Returns the file's next bytes, with this record. */
    add: ({ step, gradients }: GradientRecord) =>
      writer.add({ step: new Uint32Array(blob.length).fill(step), blob, ...namedColumns(config, gradients) }),
    /** Returns the file's last bytes. */
    end: () => writer.end(),
  };
}

/**
 * Reads parameters.arrow, only the raw parameters since they determine the decoded ones.
 * @throws Error of one sentence if it is damaged, of another version or lacks a number for a blob
 */
export function readParameters(bytes: Uint8Array): { config: TrainConfig; step: number; parameters: Float32Array } {
  const file = "parameters.arrow";
  const { table, config, step } = readRun(bytes, file);
  return { config, step, parameters: readNamedColumns(table, config, file) };
}

/**
 * Reads optimizer.arrow.
 * @throws Error of one sentence, as `readParameters`
 */
export function readOptimizer(
  bytes: Uint8Array,
): Pick<TrainingState, "step" | "firstMoments" | "secondMoments"> & { config: TrainConfig } {
  const file = "optimizer.arrow";
  const { table, config, step } = readRun(bytes, file);
  const firstMoments = readNamedColumns(table, config, file, firstMomentColumn);
  return { config, step, firstMoments, secondMoments: readNamedColumns(table, config, file, secondMomentColumn) };
}

/**
 * Reads metrics.arrow.
 * @throws Error of one sentence if it is damaged, of another version or lacks a column
 */
export function readMetrics(bytes: Uint8Array): { config: TrainConfig; rows: MetricsRow[] } {
  const file = "metrics.arrow";
  const table = readArrowFile(bytes, file);
  const config = readConfig(table.schema.metadata, file);
  const numbers = (name: string) => readColumn(table, name, new Float64Array(), file);
  const steps = readColumn(table, "step", new Uint32Array(), file);
  const [seconds, loss, psnr] = ["seconds", "loss", "psnr"].map(numbers);
  const norms = groupNames.map((group) => [group, numbers(gradientNormColumn(group))] as const);
  const lists = Object.entries(tileListColumns).map(
    ([name, Type]) => [name, readColumn<Column>(table, tileListColumn(name), new Type(), file)] as const,
  );
  const regions = table.getChild("region") && readColumn(table, "region", new Uint32Array(), file);
  const rowValues = (columns: (readonly [string, Column])[], i: number) =>
    Object.fromEntries(columns.map(([name, values]) => [name, values[i]]));
  const rows = Array.from(steps, (step, i) => ({
    step,
    seconds: seconds[i],
    loss: loss[i],
    psnr: psnr[i],
    gradientNorms: rowValues(norms, i) as MetricsRow["gradientNorms"],
    tileLists: rowValues(lists, i) as unknown as MetricsRow["tileLists"],
    ...(regions && { region: regions[i] }),
  }));
  return { config, rows };
}

/**
 * Reads gradients.arrow; the records are in the order of the file.
 * @throws Error of one sentence, as `readParameters`
 */
export function readGradients(bytes: Uint8Array): { config: TrainConfig; records: GradientRecord[] } {
  const file = "gradients.arrow";
  const table = readArrowFile(bytes, file);
  const config = readConfig(table.schema.metadata, file);
  if (table.numRows % config.blobs !== 0) {
    throw new Error(`${file} has ${table.numRows} rows, which is not a multiple of ${config.blobs} blobs.`);
  }
  const steps = readColumn(table, "step", new Uint32Array(), file);
  const records = Array.from({ length: table.numRows / config.blobs }, (_, record) => {
    const rows = table.slice(record * config.blobs, (record + 1) * config.blobs);
    return { step: steps[record * config.blobs], gradients: readNamedColumns(rows, config, file) };
  });
  return { config, records };
}

function metadata(config: TrainConfig, step?: number): Record<string, string> {
  const entries = { splatbook: JSON.stringify(config), splatbook_format: String(formatVersion) };
  return step === undefined ? entries : { ...entries, step: String(step) };
}

function indices(length: number, start = 0): Uint32Array {
  return Uint32Array.from({ length }, (_, i) => start + i);
}

/** Returns the nine columns of a field-major buffer, for the blobs start ≤ i < end. */
function namedColumns(
  { parameterization }: TrainConfig,
  slots: Float32Array,
  rename = (name: string) => name,
  start = 0,
  end = slots.length / parameterCount,
): Record<string, Float32Array> {
  const blobs = slots.length / parameterCount;
  const columns = rawNames(parameterization).map((name, field) => [
    rename(name),
    slots.subarray(field * blobs + start, field * blobs + end),
  ]);
  return Object.fromEntries(columns);
}

/** Returns nine columns as one field-major buffer, checked to contain a finite number for each blob in blob order. */
function readNamedColumns(
  table: Table,
  { blobs, parameterization }: TrainConfig,
  file: string,
  rename = (name: string) => name,
): Float32Array {
  if (table.numRows !== blobs) throw new Error(`${file} has ${table.numRows} rows, but its run has ${blobs} blobs.`);
  const order = readColumn(table, "blob", new Uint32Array(), file);
  if (order.some((blob, row) => blob !== row)) throw new Error(`The rows of ${file} are not in blob order.`);
  const slots = new Float32Array(parameterCount * blobs);
  for (const [field, name] of rawNames(parameterization).entries()) {
    const values = readColumn(table, rename(name), new Float32Array(), file);
    const invalid = values.findIndex((value) => !Number.isFinite(value));
    if (invalid >= 0)
      throw new Error(mustBe(`${rename(name)} of blob ${invalid} in ${file}`, "finite", values[invalid]));
    slots.set(values, field * blobs);
  }
  return slots;
}

function readRun(bytes: Uint8Array, file: string): { table: Table; config: TrainConfig; step: number } {
  const table = readArrowFile(bytes, file);
  const config = readConfig(table.schema.metadata, file);
  const step = Number(table.schema.metadata.get("step") ?? Number.NaN);
  if (!Number.isInteger(step) || step < 0) throw new Error(`${file} does not contain the number of its step.`);
  return { table, config, step };
}

function readConfig(metadata: ReadonlyMap<string, string>, file: string): TrainConfig {
  const text = metadata.get("splatbook");
  const version = metadata.get("splatbook_format");
  if (text === undefined || version === undefined) throw new Error(`${file} was not written by splatbook.`);
  return parseConfig(() => JSON.parse(text), file, checkVersion(Number(version), file));
}
