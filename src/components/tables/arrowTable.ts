import { type Table, tableFromIPC, tableToIPC } from "apache-arrow";
import { evenChoice } from "../../engine/evenChoice.js";
import { type TableColumns, tableColumns } from "./blobColumns.js";

/** The columns of a table of numbers for `rowTable`, besides those that are named. */
export function arrowColumns(table: Table, ...besides: string[]): TableColumns {
  const names = table.schema.fields.map(({ name }) => name).filter((name) => !besides.includes(name));
  return tableColumns(Object.fromEntries(names.map((name) => [name, table.getChild(name)!.toArray()])));
}

/** So many rows of a table at most, evenly chosen, as objects: a chart of more would say no more. */
export function someRows(table: Table, most: number): Record<string, number>[] {
  return Array.from(evenChoice(table.numRows, most), (row) => table.get(row)!.toJSON());
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
