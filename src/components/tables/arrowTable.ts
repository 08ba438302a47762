import { type Table, tableFromIPC, tableToIPC } from "apache-arrow";

/** Returns some rows of a table for `Inputs.table`, which reads those that it shows. */
export function rowsOf(table: Table, rows: Uint32Array): Iterable<unknown> & Pick<Table, "numRows" | "schema"> {
  return {
    numRows: rows.length,
    schema: table.schema,
    *[Symbol.iterator]() {
      for (const row of rows) yield table.get(row);
    },
  };
}

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
