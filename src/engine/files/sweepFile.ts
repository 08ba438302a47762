import { fieldOf, isNumeric, type NumberField, type PowerField } from "../fields.js";
import { withPresentNames } from "../oldNames.js";
import {
  describeSweep,
  type Sweep,
  type SweepSettings,
  type SweptField,
  type SweptResult,
  sweepOf,
} from "../sweep/sweep.js";
import type { SweptValue } from "../sweep/sweptValues.js";
import { arrowFile, type Column, columnOf, readArrowFile, readColumn } from "./arrowFile.js";
import { sweepNotes } from "./columnNotes.js";
import { isObject } from "./fieldChecks.js";
import { checkVersion, formatVersion } from "./formatVersion.js";
import { dropUnusedCapacity } from "./parseConfig.js";

/** A row of sweep.arrow. */
export interface SweptRow extends SweptResult {
  /** The values of the swept fields. */
  values: SweptValue[];
  /** The run's folder, next to the file; empty if it has none. */
  run: string;
}

/** The contents of sweep.arrow. */
export interface SweepTable {
  sweep: Sweep;
  /** The target, with its size in pixels. */
  image: { name: string; width: number; height: number };
  rows: SweptRow[];
}

const fileName = "sweep.arrow";
/** The float64 columns besides those of the swept fields. */
const numberFields = ["loss", "psnr", "seconds", "stepsPerSecond"] as const;
const textColumns = ["status", "run", "sentence"] as const;

/**
 * Returns sweep.arrow: a row per run. A column for each swept field comes first: nonnegative integers as uint32, other
 * numbers as float64, names and tiles as text. Then `loss`, `psnr`, `seconds` and `steps_per_second` as float64, NaN
 * without a result; `step` as uint32; `status`, `run` and `sentence` as text. Schema metadata `splatbook` contains the
 * image's name and size, the common config and the swept values as JSON.
 */
export function sweepFile({ sweep, image, rows }: SweepTable): Uint8Array {
  const columns: Record<string, Column> = {};
  for (const [i, { field }] of sweep.vary.entries()) {
    const values = rows.map((row) => row.values[i]);
    columns[columnOf(field)] = toColumn(field, values);
  }
  for (const field of numberFields) columns[columnOf(field)] = Float64Array.from(rows, (row) => row[field]);
  columns.step = Uint32Array.from(rows, ({ step }) => step);
  for (const name of textColumns) columns[name] = rows.map((row) => row[name]);
  const description = { image, ...describeSweep(sweep) };
  const notes = sweepNotes(sweep.vary.map(({ field }) => [columnOf(field), field] as const));
  return arrowFile(columns, { splatbook: JSON.stringify(description), splatbook_format: String(formatVersion) }, notes);
}

/**
 * Reads sweep.arrow.
 * @throws Error of one sentence if it is damaged, of another version or lacks a column
 */
export function readSweepFile(bytes: Uint8Array): SweepTable {
  const table = readArrowFile(bytes, fileName);
  const { metadata } = table.schema;
  const { image, config, vary, random } = descriptionOf(metadata.get("splatbook"));
  if (random !== undefined)
    throw new Error(`${fileName} is of random combinations. The folders of its runs can be read.`);
  const version = checkVersion(Number(metadata.get("splatbook_format")), fileName);
  const isOld = version < 2 && !("pipeline" in vary);
  const sweep = sweepOf(isOld ? dropUnusedCapacity(config) : config, withPresentNames(vary));
  const swept = Object.keys(vary).map((name, i) => {
    const column = readColumn(table, columnOf(name), toColumn(sweep.vary[i].field, []), fileName);
    const [values] = Object.values(withPresentNames({ [name]: [...column] }));
    return values;
  });
  const numberValues = numberFields.map(
    (field) => [field, readColumn(table, columnOf(field), new Float64Array(), fileName)] as const,
  );
  const steps = readColumn(table, "step", new Uint32Array(), fileName);
  const textValues = textColumns.map((name) => [name, readColumn(table, name, [] as string[], fileName)] as const);
  const rows = Array.from({ length: table.numRows }, (_, row) => ({
    values: swept.map((column) => column[row]),
    step: steps[row],
    ...Object.fromEntries([...numberValues, ...textValues].map(([field, column]) => [field, column[row]])),
  }));
  return { sweep, image, rows: rows as unknown as SweptRow[] };
}

function descriptionOf(text = "{}"): SweepSettings & Pick<SweepTable, "image"> & { random?: number } {
  try {
    const { image, config, vary, random } = JSON.parse(text);
    const { name, width, height } = image;
    const isImage = typeof name === "string" && [width, height].every(Number.isSafeInteger);
    if (isImage && isObject(config) && isObject(vary)) {
      return { image: { name, width, height }, config: withPresentNames(config), vary, random };
    }
  } catch {
    // Reported below.
  }
  throw new Error(`${fileName} does not hold a sweep of splatbook.`);
}

function toColumn(field: SweptField["field"], values: SweptValue[]): Column {
  if (!isNumeric(field)) return values as string[];
  const { kind, least = -1 } = fieldOf(field) as NumberField | PowerField;
  return kind !== "number" && least >= 0 ? Uint32Array.from(values as number[]) : Float64Array.from(values as number[]);
}
