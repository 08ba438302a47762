import { DataType, type Table } from "apache-arrow";
import { showNumber } from "../page/format.js";

/** Returns the `format` option of `Inputs.table` for an Arrow table: integers as they are, other numbers with five decimals. */
export function formats({ schema }: Table): Record<string, (value: number) => string> {
  return Object.fromEntries(schema.fields.map(({ name, type }) => [name, DataType.isInt(type) ? String : showNumber]));
}
