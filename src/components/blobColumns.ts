import { parameterCount, parameterNames } from "../engine/blobs.js";
import { decode, type Model, valueNames } from "../engine/cpu/blob.js";
import { backstage, handBackstage } from "./backstage.js";

/** A table's numbers, by column and row; only what is looked at is computed. */
export interface TableColumns {
  rows: number;
  names: readonly string[];
  value(column: number, row: number): number;
  /** Row numbers in the order of a column, ties in ascending row; what is no number comes last. */
  order(column: number, isDescending: boolean): Promise<Uint32Array>;
}

/** Columns of one length by name, such as those that src/host/arrowReader.ts reads. */
export function tableColumns(columns: Record<string, ArrayLike<number>>): TableColumns {
  const values = Object.values(columns);
  return {
    rows: values[0]?.length ?? 0,
    names: Object.keys(columns),
    value: (column, row) => values[column][row],
    order: (column, isDescending) => handBackstage("rowOrder", Float32Array.from(values[column]), isDescending),
  };
}

/** A 9·N field-major buffer by column: a row a blob. */
export function rawColumns(slots: Float32Array): TableColumns {
  const blobs = slots.length / parameterCount;
  const column = (name: string, field: number) => [name, slots.subarray(field * blobs, (field + 1) * blobs)];
  return tableColumns(Object.fromEntries(parameterNames.map(column)));
}

/** The same blobs, decoded: as float32, which is what parameters.arrow holds. */
export function decodedColumns(parameters: Float32Array, model: Model): TableColumns {
  return {
    rows: parameters.length / parameterCount,
    names: parameterNames,
    value: (column, row) => Math.fround(decode(parameters, row, model)[valueNames[column]]),
    order: (column, isDescending) => backstage("decodedOrder", isDescending, parameters, model, column),
  };
}

/** A decoded parameter of every blob. */
export function decodedColumn(parameters: Float32Array, model: Model, column: number): Float32Array {
  const rows = { length: parameters.length / parameterCount };
  return Float32Array.from(rows, (_, row) => decode(parameters, row, model)[valueNames[column]]);
}
