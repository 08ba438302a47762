import { gradientNotes, parameterNotes } from "../../engine/files/columnNotes.js";
import { decodedValues, decodeField, type Model } from "../../engine/model/blob.js";
import { decodedNames, type Parameterization, parameterCount, rawNames } from "../../engine/model/blobs.js";
import { runInWorker, runInWorkerTransferring } from "../worker/runInWorker.js";
import type { ColumnHelp } from "./columnHelp.js";
import { rowOrder } from "./rowOrder.js";

/** A table's numbers, by column and row; only what is looked at is computed. */
export interface TableColumns {
  rows: number;
  names: readonly string[];
  /** What the columns hold, by name, as far as it is known. */
  help?: Record<string, ColumnHelp>;
  value(column: number, row: number): number;
  /** Whether a column's type is one of whole numbers. */
  isWhole?(column: number): boolean;
  /** Row numbers in the order of a column, ties in ascending row; what is no number comes last. */
  order(column: number, isDescending: boolean): Promise<Uint32Array>;
  /** The blob of a row, where that is not its number. */
  blob?(row: number): number;
}

/** Rows that are sorted sooner than they are sent to a worker; a file that opens from disk has none. */
const maxLocalRows = 5000;

/** Columns of one length by name, such as those that `readArrow` gives. */
export function tableColumns(
  columns: Record<string, ArrayLike<number>>,
  help?: Record<string, ColumnHelp>,
): TableColumns {
  const values = Object.values(columns);
  const rows = values[0]?.length ?? 0;
  return {
    rows,
    names: Object.keys(columns),
    ...(help && { help }),
    value: (column, row) => values[column][row],
    isWhole: (column) => /^(Big)?(Int|Uint)\d/.test(values[column].constructor.name),
    order: async (column, isDescending) => {
      const keys = Float32Array.from(values[column]);
      return rows <= maxLocalRows
        ? rowOrder(keys, isDescending)
        : runInWorkerTransferring("rowOrder", keys, isDescending);
    },
  };
}

/** A 9·N field-major buffer of raw parameters, or of their gradients, by column: a row a blob. */
export function rawColumns(
  slots: Float32Array,
  parameterization: Parameterization,
  of: "parameters" | "gradients",
): TableColumns {
  const blobs = slots.length / parameterCount;
  const column = (name: string, field: number) => [name, slots.subarray(field * blobs, (field + 1) * blobs)];
  const notes = of === "gradients" ? gradientNotes : parameterNotes;
  return tableColumns(Object.fromEntries(rawNames(parameterization).map(column)), notes({ parameterization }));
}

/** The same blobs, decoded, with their standard deviations in pixels: as float32, which is what parameters.arrow holds. */
export function decodedColumns(parameters: Float32Array, model: Model): TableColumns {
  const rows = parameters.length / parameterCount;
  return {
    rows,
    names: decodedNames,
    help: parameterNotes(model),
    value: (column, row) => Math.fround(decodedValues(parameters, row, model)[column]),
    order: async (column, isDescending) =>
      rows <= maxLocalRows
        ? rowOrder(decodeField(parameters, model, column), isDescending)
        : runInWorker("decodedOrder", isDescending, parameters, model, column),
  };
}
