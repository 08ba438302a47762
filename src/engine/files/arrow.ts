import type { Table } from "apache-arrow";
import type { TrainConfig } from "../config.js";
import { decode, modelOf, valueNames } from "../model/blob.js";
import {
  type ParameterGroup,
  parameterCount,
  parameterGroups,
  parameterNames,
  rawNames,
  type TrainingState,
} from "../model/blobs.js";
import type { Size } from "../picture/image.js";
import type { StepStatistics } from "../pipeline.js";
import { ArrowFileWriter, arrowFile, type Column, concat, readArrowFile, readColumn } from "./arrowFile.js";
import { checkVersion, formatVersion } from "./formatVersion.js";
import { parseConfig } from "./parseConfig.js";

/** A row of metrics.arrow: what a recorded step measured. */
export interface MetricsRow extends Pick<StepStatistics, "loss" | "gradientNorms" | "shortLists"> {
  step: number;
  seconds: number;
  psnr: number;
}

/** The gradients of one training step, at the parameters with which it begins. */
export interface GradientRecord {
  /** The training step: step t leads from parameters after t − 1 steps to those after t. */
  step: number;
  /** dL/draw, 9·N, field-major. */
  gradients: Float32Array;
}

const groups = Object.keys(parameterGroups) as ParameterGroup[];
const shortListColumns = { mean: Float64Array, longest: Uint32Array, overflowing: Uint32Array, passes: Uint32Array };

/** parameters.arrow: a row a blob; the raw parameters by name, then their decoded values with the suffix `_decoded`. */
export function parametersFile(...run: Parameters<typeof parametersPieces>): Uint8Array {
  return concat([...parametersPieces(...run)]);
}

/** The same, piece by piece, since all of a file of millions of blobs need not be in memory. */
export function* parametersPieces(
  config: TrainConfig,
  image: Size,
  { step, parameters }: Pick<TrainingState, "step" | "parameters">,
): Generator<Uint8Array> {
  const model = modelOf(config, image);
  const blobs = parameters.length / parameterCount;
  const decodedNames = parameterNames.map((name) => `${name}_decoded`);
  yield* batches(blobs, metadata(config, step), (start, end) => {
    const decoded = new Float32Array(parameterCount * (end - start));
    for (let i = start; i < end; i++) {
      const blob = decode(parameters, i, model);
      for (const [field, name] of valueNames.entries()) decoded[field * (end - start) + i - start] = blob[name];
    }
    return { ...byName(config, parameters, undefined, start, end), ...columnsOf(decodedNames, decoded) };
  });
}

/** optimizer.arrow: a row a blob; Adam's m and v of each raw parameter. */
export function optimizerFile(...run: Parameters<typeof optimizerPieces>): Uint8Array {
  return concat([...optimizerPieces(...run)]);
}

/** The same, piece by piece. */
export function* optimizerPieces(
  config: TrainConfig,
  { step, firstMoments, secondMoments }: TrainingState,
): Generator<Uint8Array> {
  yield* batches(firstMoments.length / parameterCount, metadata(config, step), (start, end) => ({
    ...byName(config, firstMoments, firstMoment, start, end),
    ...byName(config, secondMoments, secondMoment, start, end),
  }));
}

/** Rows of a record batch at most. */
export const batchRows = 2 ** 16;

/** A file with a row a blob, a record batch at a time. */
function* batches(
  blobs: number,
  metadata: Record<string, string>,
  columnsOf: (start: number, end: number) => Record<string, Float32Array>,
): Generator<Uint8Array> {
  let writer: ArrowFileWriter | undefined;
  for (let start = 0; start < blobs; start += batchRows) {
    const end = Math.min(start + batchRows, blobs);
    const columns = { blob: countUp(end - start, start), ...columnsOf(start, end) };
    writer ??= new ArrowFileWriter(columns, metadata);
    yield writer.add(columns);
  }
  if (writer) yield writer.end();
}

/** metrics.arrow: a row a recorded step. */
export function metricsFile(config: TrainConfig, rows: MetricsRow[]): Uint8Array {
  const numbers = (value: (row: MetricsRow) => number) => Float64Array.from(rows, value);
  const norms = groups.map((group) => [gradientNorm(group), numbers((row) => row.gradientNorms[group])]);
  const lists = Object.entries(shortListColumns).map(([name, Type]) => [
    shortList(name),
    new Type(rows.map((row) => row.shortLists[name as keyof typeof shortListColumns])),
  ]);
  const columns = {
    step: Uint32Array.from(rows, ({ step }) => step),
    seconds: numbers(({ seconds }) => seconds),
    loss: numbers(({ loss }) => loss),
    psnr: numbers(({ psnr }) => psnr),
    ...Object.fromEntries([...norms, ...lists]),
  };
  return arrowFile(columns, metadata(config));
}

/** gradients.arrow: for each recorded step, a row a blob. */
export function gradientsFile(config: TrainConfig, records: GradientRecord[]): Uint8Array {
  const writer = new GradientsWriter(config);
  return concat([...records.map((record) => writer.add(record)), writer.end()]);
}

/** Writes gradients.arrow as the records come, since many do not fit into memory. */
export class GradientsWriter {
  readonly #writer: ArrowFileWriter;
  readonly #blobs: Uint32Array;
  readonly #config: TrainConfig;

  constructor(config: TrainConfig) {
    const columns = { step: new Uint32Array(), blob: new Uint32Array(), ...byName(config, new Float32Array()) };
    this.#writer = new ArrowFileWriter(columns, metadata(config));
    this.#blobs = countUp(config.blobs);
    this.#config = config;
  }

  /** The file's next bytes, with this record in them. */
  add({ step, gradients }: GradientRecord): Uint8Array {
    const steps = new Uint32Array(this.#blobs.length).fill(step);
    return this.#writer.add({ step: steps, blob: this.#blobs, ...byName(this.#config, gradients) });
  }

  /** The file's last bytes. */
  end(): Uint8Array {
    return this.#writer.end();
  }
}

/**
 * Reads parameters.arrow: the raw parameters; the decoded ones follow from them.
 * @throws Error of one sentence if it is damaged, of another version, or does not hold a number for each blob
 */
export function readParameters(bytes: Uint8Array): { config: TrainConfig; step: number; parameters: Float32Array } {
  const file = "parameters.arrow";
  const { table, config, step } = readRun(bytes, file);
  return { config, step, parameters: readByName(table, config, file) };
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
  const firstMoments = readByName(table, config, file, firstMoment);
  return { config, step, firstMoments, secondMoments: readByName(table, config, file, secondMoment) };
}

/**
 * Reads metrics.arrow.
 * @throws Error of one sentence if it is damaged, of another version, or lacks a column
 */
export function readMetrics(bytes: Uint8Array): { config: TrainConfig; rows: MetricsRow[] } {
  const file = "metrics.arrow";
  const table = readArrowFile(bytes, file);
  const config = readConfig(table, file);
  const numbers = (name: string) => readColumn(table, name, new Float64Array(), file);
  const steps = readColumn(table, "step", new Uint32Array(), file);
  const [seconds, loss, psnr] = ["seconds", "loss", "psnr"].map(numbers);
  const norms = groups.map((group) => [group, numbers(gradientNorm(group))] as const);
  const lists = Object.entries(shortListColumns).map(
    ([name, Type]) => [name, readColumn<Column>(table, shortList(name), new Type(), file)] as const,
  );
  const at = (columns: (readonly [string, Column])[], i: number) =>
    Object.fromEntries(columns.map(([name, values]) => [name, values[i]]));
  const rows = Array.from(steps, (step, i) => ({
    step,
    seconds: seconds[i],
    loss: loss[i],
    psnr: psnr[i],
    gradientNorms: at(norms, i) as MetricsRow["gradientNorms"],
    shortLists: at(lists, i) as unknown as MetricsRow["shortLists"],
  }));
  return { config, rows };
}

/**
 * Reads gradients.arrow: the records in the order in which they stand.
 * @throws Error of one sentence, as `readParameters`
 */
export function readGradients(bytes: Uint8Array): { config: TrainConfig; records: GradientRecord[] } {
  const file = "gradients.arrow";
  const table = readArrowFile(bytes, file);
  const config = readConfig(table, file);
  if (table.numRows % config.blobs !== 0) {
    throw new Error(`${file} has ${table.numRows} rows, which is no multiple of ${config.blobs} blobs.`);
  }
  const steps = readColumn(table, "step", new Uint32Array(), file);
  const records = Array.from({ length: table.numRows / config.blobs }, (_, record) => {
    const rows = table.slice(record * config.blobs, (record + 1) * config.blobs);
    return { step: steps[record * config.blobs], gradients: readByName(rows, config, file) };
  });
  return { config, records };
}

const firstMoment = (name: string) => `first_moment_${name}`;
const secondMoment = (name: string) => `second_moment_${name}`;
const gradientNorm = (group: string) => `gradient_norm_${group}`;
const shortList = (name: string) => `short_list_${name}`;

function metadata(config: TrainConfig, step?: number): Record<string, string> {
  const entries = { splatbook: JSON.stringify(config), splatbook_format: String(formatVersion) };
  return step === undefined ? entries : { ...entries, step: String(step) };
}

function countUp(length: number, start = 0): Uint32Array {
  return Uint32Array.from({ length }, (_, i) => start + i);
}

/** A field-major buffer's nine columns, of the blobs start ≤ i < end. */
function byName(
  { parameterization }: TrainConfig,
  slots: Float32Array,
  rename = (name: string) => name,
  start?: number,
  end?: number,
) {
  return columnsOf(rawNames(parameterization).map(rename), slots, start, end);
}

function columnsOf(
  names: string[],
  slots: Float32Array,
  start = 0,
  end = slots.length / parameterCount,
): Record<string, Float32Array> {
  const blobs = slots.length / parameterCount;
  return Object.fromEntries(
    names.map((name, field) => [name, slots.subarray(field * blobs + start, field * blobs + end)]),
  );
}

/** Nine columns as one field-major buffer, checked to hold a finite number for each blob, in blob order. */
function readByName(
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
    const wrong = values.findIndex((value) => !Number.isFinite(value));
    if (wrong >= 0) throw new Error(`In ${file}, ${rename(name)} of blob ${wrong} is ${values[wrong]}.`);
    slots.set(values, field * blobs);
  }
  return slots;
}

function readRun(bytes: Uint8Array, file: string): { table: Table; config: TrainConfig; step: number } {
  const table = readArrowFile(bytes, file);
  const config = readConfig(table, file);
  const step = Number(table.schema.metadata.get("step") ?? Number.NaN);
  if (!Number.isInteger(step) || step < 0) throw new Error(`${file} does not say of which step it is.`);
  return { table, config, step };
}

function readConfig(table: Table, file: string): TrainConfig {
  const text = table.schema.metadata.get("splatbook");
  const version = table.schema.metadata.get("splatbook_format");
  if (text === undefined || version === undefined) throw new Error(`${file} was not written by splatbook.`);
  checkVersion(Number(version), file);
  return parseConfig(() => JSON.parse(text), file);
}
