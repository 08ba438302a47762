import { makeVector, Table } from "apache-arrow";
import { inactiveCenter } from "../../engine/training/initialState.js";

/**
 * Returns a table with a row per blob without the rows of blobs that density control has not activated yet. The column
 * `blob` keeps the index.
 * @param parameters the raw parameters of all blobs, 9·N, field-major
 */
export function activeRows(table: Table, parameters: Float32Array): Table {
  if (!parameters.subarray(0, table.numRows).includes(inactiveCenter)) return table;
  const rows = Uint32Array.from(table.getChild("blob")!.toArray()).filter(
    (blob) => parameters[blob] !== inactiveCenter,
  );
  const columns = table.schema.fields.map(({ name }) => {
    const values: Float32Array | Uint32Array = table.getChild(name)!.toArray();
    const kept = new (values.constructor as typeof Float32Array)(rows.length);
    for (const [row, blob] of rows.entries()) kept[row] = values[blob];
    return [name, makeVector(kept)];
  });
  return new Table(table.schema, Object.fromEntries(columns));
}

/** Returns the row of a blob, or undefined if the table has none. */
export function rowOfBlob(table: Table, blob: number) {
  const blobs = table.getChild("blob")!;
  const row: number = blobs.get(blob) === blob ? blob : blobs.indexOf(blob);
  return row < 0 ? undefined : table.get(row)!;
}
