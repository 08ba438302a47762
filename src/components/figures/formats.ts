import { DataType, type Table } from "apache-arrow";
import { showNumber } from "../page/format.js";

/** How `Inputs.table` writes the columns of an Arrow table: whole numbers as they are, others with five digits. */
export function formats({ schema }: Table): Record<string, (value: number) => string> {
  return Object.fromEntries(schema.fields.map(({ name, type }) => [name, DataType.isInt(type) ? String : showNumber]));
}
