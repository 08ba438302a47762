import { gradientNotes, parameterNotes } from "../../engine/files/columnNotes.js";
import { decodedValues, decodeField, type Model } from "../../engine/model/blob.js";
import { decodedNames, type Parameterization, parameterCount, rawNames } from "../../engine/model/blobs.js";
import { runInWorker, runInWorkerTransferring } from "../worker/runInWorker.js";
import type { ColumnHelp } from "./columnHelp.js";
import { rowOrder } from "./rowOrder.js";

/** A table's numbers by column and row, computed when they are read. */
export interface TableColumns {
  rows: number;
  names: readonly string[];
  /** Descriptions of columns, by name. */
  help?: Record<string, ColumnHelp>;
  value(column: number, row: number): number;
  /** Returns row numbers in the order of a column, ties in ascending order; NaN comes last. */
  order(column: number, isDescending: boolean): Promise<Uint32Array>;
  /** Returns the blob of a row, if it differs from the row number. */
  blob?(row: number): number;
}

/** The most rows that are sorted here: that is faster than a worker, and pages opened from disk have no worker. */
const maxLocalRows = 5000;

/** Returns a table of columns of one length. */
function tableColumns(columns: Record<string, Float32Array>, help: Record<string, ColumnHelp>): TableColumns {
  const values = Object.values(columns);
  const rows = values[0]?.length ?? 0;
  return {
    rows,
    names: Object.keys(columns),
    help,
    value: (column, row) => values[column][row],
    order: async (column, isDescending) => {
      const keys = Float32Array.from(values[column]);
      return rows <= maxLocalRows
        ? rowOrder(keys, isDescending)
        : runInWorkerTransferring("rowOrder", keys, isDescending);
    },
  };
}

/** Returns a 9·N field-major buffer of raw parameters or their gradients as a table with one row per blob. */
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

/** Returns the decoded parameters of blobs as a table, with standard deviations in pixels; float32, as in parameters.arrow. */
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
