/** The part of an Arrow table that is needed here. */
export interface Table extends Iterable<unknown> {
  numRows: number;
  schema: { fields: { name: string }[] };
}

/** Returns whether a value is an Arrow table, of any copy of the library. */
export function isTable(value: unknown): value is Table {
  return typeof value === "object" && value !== null && "numRows" in value && "schema" in value;
}

/** Returns the column names of an Arrow table, or of the first hundred rows of an array; none for other values. */
export function columnsOf(value: unknown): string[] {
  if (isTable(value)) return value.schema.fields.map(({ name }) => name);
  const rows = Array.isArray(value) ? value.slice(0, 100) : [];
  const isRow = (row: unknown) => typeof row === "object" && row !== null && !ArrayBuffer.isView(row);
  return [...new Set(rows.filter(isRow).flatMap(Object.keys))];
}
