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
} from "apache-arrow";
import { concat } from "../concat.js";
import { mustBe } from "../quoted.js";
import { checkArrowFile, checkTextOffsets, magic } from "./arrowFraming.js";
import type { ColumnNotes } from "./columnNotes.js";

/** The values of a column, none of them null. The type of the array determines that of the column. */
export type Column = Uint32Array | Float32Array | Float64Array | string[];

/** Returns the name of a field's column: learning_rate for learningRate. */
export function columnOf(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function typeOf(column: Column): Uint32 | Float32 | Float64 | Utf8 {
  if (column instanceof Uint32Array) return new Uint32();
  if (column instanceof Float32Array) return new Float32();
  return column instanceof Float64Array ? new Float64() : new Utf8();
}

/** Arrow's builders compile functions from text, which the content security policy of the published site forbids. */
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

/** Writes an Arrow IPC file one record batch at a time, without keeping it in memory. */
export class ArrowFileWriter {
  readonly #schema: Schema;
  readonly #pieces = new ChunkQueue();
  readonly #writer = new RecordBatchFileWriter();

  /**
   * @param columns names and types; the values are not written
   * @param metadata of the schema
   * @param notes metadata of the fields, by column
   */
  constructor(columns: Record<string, Column>, metadata: Record<string, string>, notes: ColumnNotes = {}) {
    const fields = Object.entries(columns).map(([name, column]) => {
      const [unit, description] = notes[name] ?? [];
      const note = unit === undefined ? [] : Object.entries({ unit, description });
      return new Field(name, typeOf(column), false, new Map(note));
    });
    this.#schema = new Schema(fields, new Map(Object.entries(metadata)));
    this.#writer.reset(this.#pieces, this.#schema);
  }

  /** Returns the file's next bytes, with these rows. All columns have the same length. */
  add(columns: Record<string, Column>): Uint8Array {
    const values = Object.values(columns);
    const children = values.map(dataOf);
    const type = new Struct(this.#schema.fields);
    const struct = makeData({ type, length: values[0].length, nullCount: 0, children });
    this.#writer.write(new RecordBatch(this.#schema, struct));
    return this.#pieces.take();
  }

  /** Returns the file's last bytes. */
  end(): Uint8Array {
    this.#writer.finish();
    return this.#pieces.take();
  }
}

/** Collects the writer's output until it is taken. */
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

/** Returns an Arrow IPC file with one record batch; the arguments are those of `ArrowFileWriter`. */
export function arrowFile(
  columns: Record<string, Column>,
  metadata: Record<string, string>,
  notes?: ColumnNotes,
): Uint8Array {
  const writer = new ArrowFileWriter(columns, metadata, notes);
  return concat([writer.add(columns), writer.end()]);
}

/**
 * Reads an Arrow IPC file.
 * @param file name in errors
 * @throws Error of one sentence if the file is truncated, damaged or something else
 */
export function readArrowFile(bytes: Uint8Array, file: string): Table {
  const textAt = (offset: number) => String.fromCharCode(...bytes.subarray(offset, offset + magic.length));
  const isComplete = textAt(0) === magic && textAt(bytes.length - magic.length) === magic;
  if (!isComplete) throw new Error(`${file} is not a complete Arrow file.`);
  try {
    checkArrowFile(bytes);
    return tableFromIPC(bytes);
  } catch {
    throw new Error(`${file} is a damaged Arrow file.`);
  }
}

/**
 * Returns the values of a column.
 * @param like an array of the type that the column must have
 * @throws Error of one sentence if the column is absent, of another type or has nulls
 */
export function readColumn<C extends Column>(table: Table, name: string, like: C, file: string): C {
  const vector = table.getChild(name);
  if (!vector) throw new Error(`${file} has no column ${name}.`);
  const expectedType = typeOf(like);
  if (String(vector.type) !== String(expectedType)) {
    throw new Error(mustBe(`Column ${name} of ${file}`, String(expectedType), String(vector.type)));
  }
  if (vector.nullCount > 0) throw new Error(`Column ${name} of ${file} has rows without a value.`);
  try {
    if (Array.isArray(like)) {
      for (const { length, valueOffsets, values } of vector.data) checkTextOffsets(valueOffsets, length, values.length);
    }
    const values = vector.toArray() as C;
    if (values.length === table.numRows) return values;
  } catch {
    // Reported below.
  }
  throw new Error(`${file} is a damaged Arrow file.`);
}
