import { type Table, tableFromIPC, tableToIPC } from "apache-arrow";
import { evenlySpacedIndices } from "../../engine/evenlySpaced.js";

/** So many rows of a table at most, evenly chosen, as objects: a chart of more would say no more. */
export function sampleRows(table: Table, maxRows: number): Record<string, number>[] {
  return Array.from(evenlySpacedIndices(table.numRows, maxRows), (row) => table.get(row)!.toJSON());
}

const files = new WeakMap<Table, Uint8Array>();

/** The table in an Arrow file. It looks at the file's own bytes, so to keep them costs nothing. */
export function arrowTable(file: Uint8Array): Table {
  const table = tableFromIPC(file);
  files.set(table, file);
  return table;
}

/** The Arrow file of a table: the very bytes that it was read of, or new ones of a table that was made otherwise. */
export function arrowFile(table: Table): Uint8Array {
  return files.get(table) ?? tableToIPC(table, "file");
}
