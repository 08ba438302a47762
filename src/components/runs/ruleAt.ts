import * as Plot from "@observablehq/plot";

/**
 * Marks for a chart of a run: a rule where its reader looks, and the value there.
 * @param row what was measured there; without one there are no marks
 * @param x name of the row's number along the chart
 * @param y name of the one that its line shows, where it has one line
 * @param format how that is written
 * @returns marks of Plot's, whose types another project may not have
 */
export function ruleAt<Row extends object>(
  row: Row | null | undefined,
  x: keyof Row & string,
  y?: keyof Row & string,
  format: (value: number) => string = (value) => String(Number(value.toPrecision(4))),
): object[] {
  if (!row) return [];
  const rule = Plot.ruleX([row], { x, stroke: "var(--theme-foreground)", strokeDasharray: "2 2" });
  if (!y) return [rule];
  const text = (shown: Row) => format(shown[y] as number);
  return [
    rule,
    Plot.dot([row], { x, y, r: 4, fill: "var(--theme-foreground)" }),
    Plot.text([row], {
      x,
      y,
      text,
      dx: 8,
      dy: 10,
      textAnchor: "start",
      fontWeight: 600,
      stroke: "var(--theme-background)",
      fill: "var(--theme-foreground)",
    }),
  ];
}
