// The Arrow files of recorded measurements: one row per measurement, and where it was made as metadata of the schema.
import { arrowFile, type Column, columnOf, readArrowFile, readColumn } from "../files/arrowFile.js";
import type { ColumnNotes } from "../files/columnNotes.js";
import { checkVersion, formatVersion } from "../files/formatVersion.js";

/** When, where and with which splatbook something was measured. */
export interface BenchOrigin {
  date: string;
  commit?: string;
  versions: Record<string, string>;
  host: string;
  /** Adapter and driver, or CPU engine; absent if several engines were measured. */
  adapter?: string;
}

/** The image of a measurement. */
export interface BenchImage {
  name: string;
  width: number;
  height: number;
  hash: string;
}

/** The columns by field: unit, description, and the name in the file if it is not the field in snake case. */
type Columns = Readonly<Record<string, readonly [unit: string, description: string, name?: string]>>;

/** A row of a file: text where the unit is "text", otherwise a number, NaN if missing. */
export type RowOf<C extends Columns> = { -readonly [F in keyof C]: C[F][0] extends "text" ? string : number };

/** Encodes a file such as quality.arrow, where the kind is "quality". Numbers are float64. */
export function recordingFile(kind: string, columns: Columns, rows: readonly object[], origin: BenchOrigin) {
  const values: Record<string, Column> = {};
  const notes: ColumnNotes = {};
  for (const [field, [unit, description, name = columnOf(field)]] of Object.entries(columns)) {
    const column = rows.map((row) => row[field as keyof typeof row]);
    values[name] = unit === "text" ? column : Float64Array.from(column);
    notes[name] = [unit, description];
  }
  return arrowFile(values, { splatbook_format: String(formatVersion), [kind]: JSON.stringify(origin) }, notes);
}

/**
 * Reads a file.
 * @throws Error of one sentence if it is damaged, of another version, or lacks a column
 */
export function readRecording<C extends Columns>(kind: string, columns: C, bytes: Uint8Array) {
  const file = `${kind}.arrow`;
  const table = readArrowFile(bytes, file);
  const origin = table.schema.metadata.get(kind);
  if (origin === undefined) throw new Error(`${file} was not written by splatbook.`);
  const version = checkVersion(Number(table.schema.metadata.get("splatbook_format")), file);
  const values = Object.entries(columns).map(([field, [unit, , name = columnOf(field)]]) => {
    const like: Column = unit === "text" ? [] : new Float64Array();
    return [field, readColumn(table, name, like, file)] as const;
  });
  const rows = Array.from({ length: table.numRows }, (_, i) =>
    Object.fromEntries(values.map(([field, column]) => [field, column[i]])),
  );
  return { version, origin: parseOrigin(origin, file), rows: rows as RowOf<C>[] };
}

function parseOrigin(text: string, file: string) {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`${file} has damaged metadata.`);
  }
}
