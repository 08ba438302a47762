import { extname } from "node:path";
import type { Table } from "apache-arrow";
import { parquetWriteBuffer, type SchemaElement } from "hyparquet-writer";
import { concat } from "../engine/concat.js";
import { parametersFile } from "../engine/files/arrow.js";
import { type Column, readArrowFile, readColumn } from "../engine/files/arrowFile.js";
import { openBlobs } from "../runs/blobSource.js";
import { isFile, readBytes } from "../runs/inputFile.js";
import type { TableFormat } from "./exportFormats.js";

/** Columns of equal length, in order, and the metadata of their schema. */
interface ExportedTable {
  columns: [name: string, values: Column][];
  rows: number;
  metadata: ReadonlyMap<string, string>;
}

/**
 * Opens an Arrow file, or the parameters of a run or a .splat2d file as a table.
 * @throws Failure, or an Error of one sentence about its contents
 */
export async function openTable(path: string): Promise<ExportedTable> {
  if (extname(path).toLowerCase() === ".arrow" && (await isFile(path))) {
    return columnsOf(readArrowFile(await readBytes(path), path), path);
  }
  const source = await openBlobs(path);
  const bytes = parametersFile(source.config, source.size, { parameters: await source.parameters() });
  return columnsOf(readArrowFile(bytes, path), path);
}

/** An array of each type that tables have. */
const arrays: Record<string, Column> = {
  Uint32: new Uint32Array(),
  Float32: new Float32Array(),
  Float64: new Float64Array(),
  Utf8: [],
};

function columnsOf(table: Table, path: string): ExportedTable {
  const { fields, metadata } = table.schema;
  const columns = fields.map(({ name, type }): [string, Column] => {
    const like = arrays[String(type)];
    if (!like) throw new Error(`${path} is not a table of splatbook: its column ${name} is of type ${type}.`);
    return [name, readColumn(table, name, like, path)];
  });
  return { columns, rows: table.numRows, metadata };
}

/** Returns a table as a file. */
export const tableWriters: Record<TableFormat, (table: ExportedTable) => Uint8Array> = {
  parquet: ({ columns, metadata }) => {
    const schema: SchemaElement[] = [
      { name: "root", num_children: columns.length },
      ...columns.map(([name, values]) => ({ name, repetition_type: "REQUIRED" as const, ...parquetType(values) })),
    ];
    const columnData = columns.map(([name, data]) => ({ name, data }));
    const kvMetadata = Array.from(metadata, ([key, value]) => ({ key, value }));
    return new Uint8Array(parquetWriteBuffer({ schema, columnData, kvMetadata }));
  },
  csv: ({ columns, rows }) => {
    const texts = columns.map(([, values]) => valueText(values, csvText));
    const head = columns.map(([name]) => csvText(name)).join(",");
    return encodeRows(rows, `${head}\n`, (row) => `${texts.map((text) => text(row)).join(",")}\n`);
  },
  json: ({ columns, rows }) => {
    const members = columns.map(([name, values]) => {
      const text = valueText(values, JSON.stringify);
      const isNumber = (row: number) => typeof values[row] === "string" || Number.isFinite(values[row]);
      return (row: number) => `${JSON.stringify(name)}:${isNumber(row) ? text(row) : null}`;
    });
    const rowText = (row: number) => `{${members.map((member) => member(row)).join(",")}}`;
    return encodeRows(rows, "[", (row) => `${row === 0 ? "" : ","}\n${rowText(row)}`, "\n]\n");
  },
};

function parquetType(values: Column): Pick<SchemaElement, "type" | "converted_type"> {
  if (Array.isArray(values)) return { type: "BYTE_ARRAY", converted_type: "UTF8" };
  if (values instanceof Uint32Array) return { type: "INT32", converted_type: "UINT_32" };
  return { type: values instanceof Float32Array ? "FLOAT" : "DOUBLE" };
}

/** Returns a function from a row to the text of its value. A number's text reads back as the same bits. */
function valueText(values: Column, quote: (text: string) => string): (row: number) => string {
  if (Array.isArray(values)) return (row) => quote(values[row]);
  const text = values instanceof Float32Array ? float32Text : String;
  return (row) => (Object.is(values[row], -0) ? "-0" : text(values[row]));
}

/** Returns a decimal with at most nine digits that reads back as the same float32. */
function float32Text(value: number): string {
  for (let digits = 6; digits < 9; digits++) {
    const rounded = Number(value.toPrecision(digits));
    if (Math.fround(rounded) === value) return String(rounded);
  }
  return String(Number(value.toPrecision(9)));
}

function csvText(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Encodes rows in pieces, since the text of a large table exceeds the longest string. */
function encodeRows(rows: number, head: string, rowText: (row: number) => string, foot = ""): Uint8Array {
  const encoder = new TextEncoder();
  const pieces = [encoder.encode(head)];
  const pieceRows = 10_000;
  for (let start = 0; start < rows; start += pieceRows) {
    const length = Math.min(pieceRows, rows - start);
    pieces.push(encoder.encode(Array.from({ length }, (_, i) => rowText(start + i)).join("")));
  }
  return concat([...pieces, encoder.encode(foot)]);
}
