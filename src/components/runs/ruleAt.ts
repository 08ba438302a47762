import * as Plot from "@observablehq/plot";
import { psnrText } from "../page/format.js";

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
  return [rule, ...valueAt(row, x, y, { format, textAnchor: "start", dx: 8, dy: 10 })];
}

/**
 * Marks for a chart of a run: a dot with the PSNR of a render, which is not a point of the line: the line shows the
 * training PSNR, from the loss before each step.
 * @param row without one there are no marks, nor if the PSNR is infinite
 * @param x name of the row's number along the chart
 */
export function renderAt<Row extends { psnr?: number }>(row: Row | null | undefined, x: keyof Row & string): object[] {
  if (!Number.isFinite(row?.psnr)) return [];
  return valueAt(row as Row, x, "psnr", { format: psnrText, textAnchor: "end", dx: -2, dy: 16 });
}

function valueAt<Row extends object>(
  row: Row,
  x: keyof Row & string,
  y: keyof Row & string,
  { format, ...place }: { format: (value: number) => string } & Plot.TextOptions,
): object[] {
  const text = (shown: Row) => format(shown[y] as number);
  return [
    Plot.dot([row], { x, y, r: 4, fill: "var(--theme-foreground)" }),
    Plot.text([row], {
      x,
      y,
      text,
      ...place,
      fontWeight: 600,
      stroke: "var(--theme-background)",
      fill: "var(--theme-foreground)",
    }),
  ];
}
