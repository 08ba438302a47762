import { type Table, tableFromIPC, tableToIPC } from "apache-arrow";

const files = new WeakMap<Table, Uint8Array>();

/** Returns the table in an Arrow file. Both share the file's bytes. */
export function arrowTable(file: Uint8Array): Table {
  const table = tableFromIPC(file);
  files.set(table, file);
  return table;
}

/** Returns a table as an Arrow file: the bytes that it was read from, if there are any. */
export function arrowFile(table: Table): Uint8Array {
  return files.get(table) ?? tableToIPC(table, "file");
}
