import {
  AsyncByteQueue,
  Field,
  Float32,
  Float64,
  makeData,
  RecordBatch,
  RecordBatchFileWriter,
  Schema,
  Struct,
  type Table,
  tableFromIPC,
  Uint32,
  Utf8,
  type Vector,
} from "apache-arrow";
import { toSingleLine } from "../quoted.js";
import { checkArrowFile, checkTextOffsets, magic } from "./arrowFraming.js";
import type { ColumnNote, ColumnNotes } from "./columnNotes.js";

/** The values of a column; its type follows from the array's. No value is null. */
export type Column = Uint32Array | Float32Array | Float64Array | string[];

function typeOf(column: Column): Uint32 | Float32 | Float64 | Utf8 {
  if (column instanceof Uint32Array) return new Uint32();
  if (column instanceof Float32Array) return new Float32();
  return column instanceof Float64Array ? new Float64() : new Utf8();
}

function fieldMetadata(note: ColumnNote | undefined): Map<string, string> | undefined {
  return (
    note &&
    new Map([
      ["unit", note.unit],
      ["description", note.description],
    ])
  );
}

/** Arrow's own builders make their functions out of text, which the published site's policy forbids. */
function textData(texts: string[]) {
  const encoder = new TextEncoder();
  const encoded = texts.map((text) => encoder.encode(text));
  const valueOffsets = new Int32Array(texts.length + 1);
  for (const [i, { byteLength }] of encoded.entries()) valueOffsets[i + 1] = valueOffsets[i] + byteLength;
  return makeData({ type: new Utf8(), length: texts.length, nullCount: 0, valueOffsets, data: concat(encoded) });
}

function dataOf(column: Column) {
  if (Array.isArray(column)) return textData(column);
  return makeData({ type: typeOf(column) as Float64, data: column as Float64Array });
}

/** Writes an Arrow IPC file piece by piece, one record batch at a time, without holding it in memory. */
export class ArrowFileWriter {
  readonly #schema: Schema;
  readonly #pieces = new ChunkQueue();
  readonly #writer = new RecordBatchFileWriter();

  /**
   * @param columns names and types; their values are not written
   * @param metadata of the schema
   * @param notes what is written into the metadata of the fields, by column
   */
  constructor(columns: Record<string, Column>, metadata: Record<string, string>, notes: ColumnNotes = {}) {
    const fields = Object.entries(columns).map(
      ([name, column]) => new Field(name, typeOf(column), false, fieldMetadata(notes[name])),
    );
    this.#schema = new Schema(fields, new Map(Object.entries(metadata)));
    this.#writer.reset(this.#pieces, this.#schema);
  }

  /** The file's next bytes, with these rows in them. All columns are of one length. */
  add(columns: Record<string, Column>): Uint8Array {
    const values = Object.values(columns);
    const children = values.map(dataOf);
    const type = new Struct(this.#schema.fields);
    const struct = makeData({ type, length: values[0].length, nullCount: 0, children });
    this.#writer.write(new RecordBatch(this.#schema, struct));
    return this.#pieces.take();
  }

  /** The file's last bytes. */
  end(): Uint8Array {
    this.#writer.finish();
    return this.#pieces.take();
  }
}

/** Keeps what the writer writes until it is taken. */
class ChunkQueue extends AsyncByteQueue {
  #pieces: Uint8Array[] = [];

  override write(piece: Uint8Array): void {
    this.#pieces.push(piece);
  }

  take(): Uint8Array {
    const pieces = this.#pieces;
    this.#pieces = [];
    return concat(pieces);
  }
}

/** The bytes of an Arrow IPC file with one record batch; the arguments are those of `ArrowFileWriter`. */
export function arrowFile(
  columns: Record<string, Column>,
  metadata: Record<string, string>,
  notes?: ColumnNotes,
): Uint8Array {
  const writer = new ArrowFileWriter(columns, metadata, notes);
  return concat([writer.add(columns), writer.end()]);
}

/** Bytes one after the other. */
export function concat(pieces: Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.byteLength, 0));
  let offset = 0;
  for (const piece of pieces) {
    bytes.set(piece, offset);
    offset += piece.byteLength;
  }
  return bytes;
}

/**
 * Reads an Arrow IPC file.
 * @param file its name, for the errors
 * @throws Error of one sentence if the file is truncated, damaged or something else
 */
export function readArrowFile(bytes: Uint8Array, file: string): Table {
  const textAt = (offset: number) => String.fromCharCode(...bytes.subarray(offset, offset + magic.length));
  const isComplete = textAt(0) === magic && textAt(bytes.length - magic.length) === magic;
  if (!isComplete) throw new Error(`${file} is not a whole Arrow file.`);
  try {
    checkArrowFile(bytes);
    return tableFromIPC(bytes);
  } catch {
    throw new Error(`${file} is a damaged Arrow file.`);
  }
}

/**
 * The values of a column.
 * @param like an array of the type that the column must have
 * @throws Error of one sentence if the column is absent, of another type or has nulls
 */
export function readColumn<C extends Column>(table: Table, name: string, like: C, file: string): C {
  const vector = table.getChild(name);
  if (!vector) throw new Error(`${file} has no column ${name}.`);
  const expectedType = typeOf(like);
  if (String(vector.type) !== String(expectedType)) {
    throw new Error(`Column ${name} of ${file} is ${toSingleLine(String(vector.type))}, but must be ${expectedType}.`);
  }
  if (vector.nullCount > 0) throw new Error(`Column ${name} of ${file} has rows without a value.`);
  try {
    if (Array.isArray(like)) checkTextColumn(vector);
    const values = vector.toArray() as C;
    if (values.length === table.numRows) return values;
  } catch {
    // Told below.
  }
  throw new Error(`${file} is a damaged Arrow file.`);
}

/**
 * Checks a column of texts before they are read.
 * @throws RangeError if they are longer together than their bytes
 */
export function checkTextColumn(vector: Vector): void {
  for (const { length, valueOffsets, values } of vector.data) {
    checkTextOffsets(valueOffsets, length, (values as Uint8Array).length);
  }
}
