import { DataType, type Table } from "apache-arrow";
import { showNumber } from "../page/format.js";
import { isNumberText } from "../page/numberText.js";

/** Returns the `align` option of `Inputs.table` for rows of texts: columns of numbers with units are right-aligned. */
export function alignNumbers(rows: readonly Record<string, unknown>[]): Record<string, "right"> {
  const names = Object.keys(rows[0] ?? {}).filter((name) =>
    rows.every((row) => isNumberText(String(row[name] ?? "–"))),
  );
  return Object.fromEntries(names.map((name) => [name, "right"]));
}

/** Returns the `format` option of `Inputs.table` for an Arrow table: integers as they are, other numbers with five decimals. */
export function formats({ schema }: Table): Record<string, (value: number) => string> {
  return Object.fromEntries(schema.fields.map(({ name, type }) => [name, DataType.isInt(type) ? String : showNumber]));
}
