import { parameterCount, parameterNames } from "../engine/blobs.js";
import { decode, type Model, valueNames } from "../engine/cpu/blob.js";

/** A table's numbers: a row a blob. */
export interface BlobColumns {
  rows: number;
  value(column: number, row: number): number;
  /** The blob of a row, where that is not its number. */
  blob?(row: number): number;
}

/** The names of the columns: the nine parameters. */
export const columnNames: readonly string[] = parameterNames;

/** A 9·N field-major buffer by column. */
export function rawColumns(slots: Float32Array): BlobColumns {
  const rows = slots.length / parameterCount;
  return { rows, value: (column, row) => slots[column * rows + row] };
}

/** The same blobs, decoded: as float32, which is what parameters.arrow holds. */
export function decodedColumns(parameters: Float32Array, model: Model): BlobColumns {
  return {
    rows: parameters.length / parameterCount,
    value: (column, row) => Math.fround(decode(parameters, row, model)[valueNames[column]]),
  };
}

/** Row numbers in the order of a column, or of the blobs where column is −1; what is no number comes last. */
export function sortedRows({ rows, value }: BlobColumns, column: number, isDescending: boolean): Uint32Array {
  const order = Uint32Array.from({ length: rows }, (_, row) => (isDescending && column < 0 ? rows - 1 - row : row));
  if (column < 0) return order;
  const sign = isDescending ? -1 : 1;
  const keys = Float32Array.from({ length: rows }, (_, row) => {
    const key = sign * value(column, row);
    return Number.isNaN(key) ? Number.POSITIVE_INFINITY : key;
  });
  return order.sort((a, b) => keys[a] - keys[b] || a - b);
}
