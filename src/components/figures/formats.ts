import { DataType, type Table } from "apache-arrow";
import { showNumber } from "../page/format.js";
import { isNumberText } from "../page/numberText.js";

/** How `Inputs.table` aligns rows of texts: a column whose texts begin with numbers stands right, as numbers do. */
export function alignNumbers(rows: readonly Record<string, unknown>[]): Record<string, "right"> {
  const names = Object.keys(rows[0] ?? {}).filter((name) =>
    rows.every((row) => isNumberText(String(row[name] ?? "–"))),
  );
  return Object.fromEntries(names.map((name) => [name, "right"]));
}

/** How `Inputs.table` writes the columns of an Arrow table: whole numbers as they are, others with five digits. */
export function formats({ schema }: Table): Record<string, (value: number) => string> {
  return Object.fromEntries(schema.fields.map(({ name, type }) => [name, DataType.isInt(type) ? String : showNumber]));
}
