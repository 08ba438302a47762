import { type FieldName, fieldOf, isNumeric } from "../engine/fields.js";
import type { SweptRow } from "../engine/files/sweepFile.js";
import { rankedRows } from "../engine/sweep/ranking.js";
import type { Sweep } from "../engine/sweep/sweep.js";
import { colored } from "../terminal/color.js";
import { formatCount } from "../terminal/formatCount.js";

/** Most rows of a table. */
const maxRows = 20;

interface Column {
  head: string;
  isNumber: boolean;
  text: (row: SweptRow) => string;
}

const psnrColumn: Column = {
  head: "PSNR (dB)",
  isNumber: true,
  text: ({ psnr }) => psnr.toFixed(2).replace("Infinity", "∞"),
};
const stepsColumn: Column = { head: "Steps", isNumber: true, text: ({ step }) => formatCount(step) };
/** The columns that a narrow terminal has no space for, starting with the last. */
const optionalColumns: Column[] = [
  { head: "Loss", isNumber: true, text: ({ loss }) => loss.toPrecision(3) },
  { head: "Seconds", isNumber: true, text: ({ seconds }) => seconds.toFixed(1) },
];

/**
 * Returns the runs of a sweep as a table for stdout, best first. If some are not finished, it has their steps.
 * @param width of the terminal, in characters
 */
export function sweepTable({ vary }: Sweep, rows: readonly SweptRow[], width = Number.POSITIVE_INFINITY): string {
  const ranked = rankedRows(rows);
  const shown = ranked.slice(0, maxRows);
  const settings = vary
    .map(({ field }, i) => settingColumn(field, i))
    .filter(({ text }) => new Set(ranked.map(text)).size > 1);
  const isPartial = ranked.some(({ status }) => status === "stopped");
  const kept = [...settings, psnrColumn, ...(isPartial ? [stepsColumn] : [])];
  const columns = [...kept, ...optionalColumns].map((column) => layOut(column, shown));
  while (columns.length > kept.length && lineOf(columns, 0).length > width) columns.pop();
  const lines = [undefined, ...shown].map((_, i) => lineOf(columns, i).trimEnd());
  const [head, best, ...others] = lines;
  const rest = ranked.length > maxRows ? [`${ranked.length - maxRows} more`] : [];
  return [colored("bold", head, "stdout"), colored("green", best, "stdout"), ...others, ...rest].join("\n");
}

function settingColumn(field: FieldName, i: number): Column {
  return { head: fieldOf(field).label, isNumber: isNumeric(field), text: ({ values }) => String(values[i]) };
}

/** Returns the cells of a column, its head first, all of the same width. */
function layOut({ head, isNumber, text }: Column, rows: readonly SweptRow[]): string[] {
  const cells = [head, ...rows.map(text)];
  const width = Math.max(...cells.map((cell) => cell.length));
  return cells.map((cell) => (isNumber ? cell.padStart(width) : cell.padEnd(width)));
}

function lineOf(columns: readonly string[][], i: number): string {
  return columns.map((cells) => cells[i]).join("  ");
}
