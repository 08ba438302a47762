import type { FileHandle } from "node:fs/promises";
import { DataType, type RecordBatch, RecordBatchReader, type Vector } from "apache-arrow";
import { checkTextColumn } from "../engine/files/arrowFile.js";
import { type Block, checkBlock, footerRange, magic, readFooter, tailLength } from "../engine/files/arrowFraming.js";
import { toSingleLine } from "../engine/quoted.js";
import { SerialQueue } from "../engine/serialQueue.js";

/** The values of a column: floats, integers of up to 32 bits, or strings. */
type ReadColumn =
  | Int8Array
  | Int16Array
  | Int32Array
  | Uint8Array
  | Uint16Array
  | Uint32Array
  | Float32Array
  | Float64Array
  | string[];

/** Rows of an Arrow file. */
export interface ArrowRows {
  rows: number;
  columns: Record<string, ReadColumn>;
  /** Of the file's schema. */
  metadata: Record<string, string>;
  /** Metadata of each field, by column. */
  fields: Record<string, Record<string, string>>;
}

/** An Arrow IPC file that is read one record batch at a time. */
export interface ArrowBatches {
  count: number;
  /** Of the file's schema. */
  metadata: Record<string, string>;
  /**
   * Reads a record batch with one request.
   * @throws Error of one sentence if the batch is damaged, or has a column of an unsupported type
   */
  read(batch: number): Promise<ArrowRows>;
}

/** A file that is read in slices, like a Blob. */
export interface SliceableFile {
  size: number;
  /** Returns the bytes from `start` to before `end`, which must be within the file. */
  slice(start: number, end: number): { arrayBuffer(): Promise<ArrayBuffer> };
}

/**
 * Opens an Arrow IPC file. Only its first and last bytes are read.
 * @throws Error of one sentence if it is not an Arrow file, truncated or damaged
 */
export async function openArrow(file: SliceableFile, name: string): Promise<ArrowBatches> {
  const { size } = file;
  const cached = new CachedSlices(file);
  // The reader checks the magic too.
  await cached.retain(0, Math.min(size, 8));
  const ends = [cached.read(0, magic.length), cached.read(Math.max(0, size - magic.length), size)];
  const isMagic = (bytes: Uint8Array) => new TextDecoder().decode(bytes) === magic;
  if (!(await Promise.all(ends)).every(isMagic)) throw new Error(`${name} is not a complete Arrow file.`);
  const damaged = () => {
    throw new Error(`${name} is a damaged Arrow file.`);
  };
  const metadataOf = ({ offset, metadataLength }: Block) => cached.read(offset, offset + metadataLength);
  const checkFraming = async () => {
    const { start, end } = footerRange(await cached.read(Math.max(0, size - tailLength), size), size);
    const framing = readFooter(await cached.read(start, end), start);
    for (const block of framing.dictionaries) checkBlock(await metadataOf(block), block);
    return framing;
  };
  const { batches, fields } = await checkFraming().catch(damaged);
  const opened = RecordBatchReader.from(handleOf(cached)).then((reader) => reader.open());
  const reader = await opened.catch(damaged);
  if (!reader.isFile()) return damaged();
  // The reader has a single position in the file.
  const queue = new SerialQueue();
  return {
    count: reader.numRecordBatches,
    metadata: Object.fromEntries(reader.schema.metadata),
    async read(i) {
      const { offset, metadataLength, bodyLength } = batches[i];
      const release = await cached.retain(offset, offset + metadataLength + bodyLength);
      try {
        await metadataOf(batches[i])
          .then((metadata) => checkBlock(metadata, batches[i], fields))
          .catch(damaged);
        const batch = await queue.run(() => Promise.resolve(reader.readRecordBatch(i)).catch(damaged));
        return batch ? rowsOf(batch, name) : damaged();
      } finally {
        release();
      }
    },
  };
}

/** A file with cached slices. Reads inside a cached slice make no request. */
class CachedSlices {
  readonly size: number;
  readonly #file: SliceableFile;
  readonly #cached = new Set<{ start: number; bytes: Uint8Array }>();

  constructor(file: SliceableFile) {
    this.size = file.size;
    this.#file = file;
  }

  /** Reads and caches a slice. Resolves with a function that releases it. */
  async retain(start: number, end: number): Promise<() => void> {
    const entry = { start, bytes: await this.read(start, end) };
    this.#cached.add(entry);
    return () => this.#cached.delete(entry);
  }

  async read(start: number, end: number): Promise<Uint8Array> {
    for (const cached of this.#cached) {
      const from = start - cached.start;
      if (from >= 0 && end <= cached.start + cached.bytes.length)
        return cached.bytes.subarray(from, end - cached.start);
    }
    return new Uint8Array(await this.#file.slice(start, end).arrayBuffer());
  }
}

/** Returns all batches joined into whole columns. */
export async function joinBatches({ count, read }: ArrowBatches): Promise<ArrowRows> {
  let joined: ArrowRows | undefined;
  for (let i = 0; i < count; i++) {
    const { rows, columns, ...schema } = await read(i);
    joined ??= { rows: 0, columns: {}, ...schema };
    for (const [name, values] of Object.entries(columns)) {
      joined.columns[name] = append(joined.columns[name], joined.rows, values, rows * (count - i));
    }
    joined.rows += rows;
  }
  if (!joined) return { rows: 0, columns: {}, metadata: {}, fields: {} };
  const { rows, columns, ...schema } = joined;
  const whole = Object.entries(columns).map(([name, values]) => [name, trim(values, rows)]);
  return { rows, columns: Object.fromEntries(whole), ...schema };
}

/**
 * Returns a column with values appended after its first `rows` values. A column without enough capacity grows by
 * `extraRows`.
 */
function append(column: ReadColumn | undefined, rows: number, values: ReadColumn, extraRows: number): ReadColumn {
  if (Array.isArray(values)) return [...((column as string[] | undefined) ?? []), ...values];
  let buffer = column as Float64Array | undefined;
  if (!buffer || buffer.length < rows + values.length) {
    const larger = new (values.constructor as Float64ArrayConstructor)(rows + extraRows);
    if (buffer) larger.set(buffer.subarray(0, rows));
    buffer = larger;
  }
  buffer.set(values, rows);
  return buffer;
}

function trim(column: ReadColumn, rows: number): ReadColumn {
  return Array.isArray(column) || column.length === rows ? column : column.slice(0, rows);
}

function rowsOf(batch: RecordBatch, name: string): ArrowRows {
  const { fields, metadata } = batch.schema;
  const columns = fields.map((field, i) => [field.name, valuesOf(batch.getChildAt(i)!, field.name, name)]);
  return {
    rows: batch.numRows,
    columns: Object.fromEntries(columns),
    metadata: Object.fromEntries(metadata),
    fields: Object.fromEntries(fields.map((field) => [field.name, Object.fromEntries(field.metadata)])),
  };
}

function valuesOf(vector: Vector, column: string, file: string): ReadColumn {
  const { type } = vector;
  if (vector.nullCount > 0)
    throw new Error(`Column ${toSingleLine(column)} of ${file} has null values, which are not supported.`);
  const isText = (type: DataType) => DataType.isUtf8(type) || DataType.isLargeUtf8(type);
  if (isText(type) || (DataType.isDictionary(type) && isText(type.dictionary))) return textsOf(vector, file);
  const isNumber = (DataType.isInt(type) && type.bitWidth < 64) || (DataType.isFloat(type) && type.precision > 0);
  if (isNumber) return whole(vector.toArray() as ReadColumn, vector, file);
  throw new Error(
    `Column ${toSingleLine(column)} of ${file} has the type ${toSingleLine(String(type))}, which is not supported.`,
  );
}

/** Returns the strings of a column. Each dictionary is decoded once. */
function textsOf(vector: Vector, file: string): ReadColumn {
  const texts = vector.data.flatMap(({ dictionary, values, length }) => {
    if (!dictionary) return readTexts(vector, file);
    const dictionaryTexts = readTexts(dictionary, file);
    return Array.from({ length }, (_, i) => dictionaryTexts[Number(values[i])]);
  });
  return whole(texts, vector, file);
}

function readTexts(vector: Vector, file: string): string[] {
  try {
    checkTextColumn(vector);
  } catch {
    throw new Error(`${file} is a damaged Arrow file.`);
  }
  return [...vector] as string[];
}

function whole(column: ReadColumn, { length }: Vector, file: string): ReadColumn {
  const isComplete = column.length === length && !(Array.isArray(column) && column.includes(undefined as never));
  if (!isComplete) throw new Error(`${file} is a damaged Arrow file.`);
  return column;
}

/** Returns a file as the FileHandle of Node that Arrow's reader expects. */
function handleOf(file: CachedSlices): FileHandle {
  const handle = {
    fd: 0,
    stat: async () => ({ size: file.size }),
    async read(buffer: Uint8Array, offset: number, length: number, position: number) {
      const bytes = await file.read(position, Math.min(position + length, file.size));
      buffer.set(bytes, offset);
      return { bytesRead: bytes.length, buffer };
    },
    async close() {},
  };
  return handle as unknown as FileHandle;
}
