import * as Plot from "@observablehq/plot";
import { psnrText } from "../page/format.js";

/**
 * Returns marks of Plot for a chart of a run: a rule at the displayed step, and the value there.
 * @param row the recorded row at that step; without one there are no marks
 * @param x the row's property along the x axis
 * @param y the row's property along the y axis, if the chart has one line
 * @param format returns the text of the value
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
 * Returns marks of Plot for a chart of a run: a dot with the PSNR of a render. It is not on the line, which shows the
 * training PSNR, from the loss before each step.
 * @param row the render; without a finite PSNR there are no marks
 * @param x the row's property along the x axis
 * @param latest the end of the x axis
 */
export function renderAt<Row extends { psnr?: number }>(
  row: Row | null | undefined,
  x: keyof Row & string,
  latest?: number,
): object[] {
  if (!row || !Number.isFinite(row.psnr)) return [];
  // A text left of an early step would cover the axis.
  const isEarly = latest !== undefined && Number(row[x]) < latest / 2;
  const place = isEarly ? { textAnchor: "start" as const, dx: 8 } : { textAnchor: "end" as const, dy: -14 };
  return valueAt(row, x, "psnr", { format: psnrText, ...place });
}

/**
 * Returns marks of Plot for a chart of a run: a triangle where it diverged, as in TensorBoard; none if it did not.
 * @param rows the recorded rows, by ascending step
 */
export function divergedAt<Row extends { step: number }>(
  alert: { step: number; sentence: string } | undefined,
  rows: readonly Row[],
  x: keyof Row & string,
  y: keyof Row & string,
): object[] {
  const last = alert && rows.findLast(({ step }) => step <= alert.step);
  if (!last) return [];
  return [Plot.dot([last], { x, y, symbol: "triangle", r: 6, fill: "var(--overflow)", title: () => alert.sentence })];
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
