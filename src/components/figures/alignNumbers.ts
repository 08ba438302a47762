import { isNumberText } from "../page/numberText.js";

/** How `Inputs.table` aligns rows of texts: a column whose texts begin with numbers stands right, as numbers do. */
export function alignNumbers(rows: readonly Record<string, unknown>[]): Record<string, "right"> {
  const names = Object.keys(rows[0] ?? {}).filter((name) =>
    rows.every((row) => isNumberText(String(row[name] ?? "–"))),
  );
  return Object.fromEntries(names.map((name) => [name, "right"]));
}
