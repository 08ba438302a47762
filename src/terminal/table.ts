/**
 * Returns the lines of a table, with a head. The first column is aligned to the left, all others to the right. Numbers
 * have three digits.
 */
export function tableLines(rows: readonly Record<string, string | number>[]): string[] {
  const names = Object.keys(rows[0] ?? {});
  const cells = [names, ...rows.map((row) => names.map((name) => asText(row[name])))];
  const widths = names.map((_, column) => Math.max(...cells.map((row) => row[column].length)));
  return cells.map(([first, ...others]) =>
    [first.padEnd(widths[0]), ...others.map((cell, i) => cell.padStart(widths[i + 1]))].join("  "),
  );
}

function asText(value: string | number): string {
  if (typeof value === "string") return value;
  if (Number.isNaN(value)) return "-";
  return value >= 1000 ? value.toFixed(0) : value < 0.001 ? value.toFixed(6) : value.toPrecision(3);
}
