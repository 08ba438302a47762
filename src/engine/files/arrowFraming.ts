// Checks the framing of an Arrow IPC file before apache-arrow reads it. apache-arrow trusts every length and offset, so a
// few wrong bytes can make it loop forever or allocate memory for rows without any bytes. The checks are those of
// FlatBuffers' verifiers, and the format's rules for blocks, nodes and buffers.
// https://arrow.apache.org/docs/format/Columnar.html#serialization-and-interprocess-communication-ipc

/** The position of a message in the file, in bytes: its metadata, followed by its body. */
export interface Block {
  offset: number;
  metadataLength: number;
  bodyLength: number;
}

/** The contents of a valid footer. */
interface Framing {
  batches: Block[];
  dictionaries: Block[];
  fields: FieldShape[];
}

/** The shape of a column. */
interface FieldShape {
  /** Number of nodes, including children. */
  nodes: number;
  /** Whether each of its rows takes at least one byte. */
  takesBytes: boolean;
}

/** The file's first and last bytes. */
export const magic = "ARROW1";

/** Bytes after the footer: its length and the magic. */
const tailLength = 4 + magic.length;

const [dictionaryHeader, batchHeader] = [2, 3];
/** Version 4 of the format, of 2017; earlier ones have other structs. */
const firstVersion = 3;
const [timestampType, unionType] = [10, 14];
/** None, Null, Bool, Struct, FixedSizeBinary, FixedSizeList and RunEndEncoded. */
const typesWithoutBytes = [0, 1, 6, 13, 15, 16, 22];
const maxFieldDepth = 32;

/**
 * Returns the position of a file's footer.
 * @throws RangeError
 */
export function footerRange(bytes: Uint8Array): { start: number; end: number } {
  const end = bytes.length - tailLength;
  const length = viewOf(bytes).getInt32(end, true);
  requireSound(length > 0 && length <= end - magic.length);
  return { start: end - length, end };
}

/**
 * Reads and checks a footer.
 * @param start position of the footer in the file
 * @throws RangeError unless its tables lie within it, and the blocks before it without overlap
 */
export function readFooter(bytes: Uint8Array, start: number): Framing {
  const footer = FlatTable.root(bytes);
  requireSound(footer.int16(0) >= firstVersion);
  const schema = footer.table(1);
  requireSound(schema !== undefined);
  const fields = schema!.tables(1).map((field) => fieldShape(field, 0));
  checkMetadata(schema!, 2);
  const blocks = (slot: number) =>
    footer.structs(slot, 24).map(
      (at): Block => ({
        offset: footer.count(at),
        metadataLength: footer.view.getInt32(at + 8, true),
        bodyLength: footer.count(at + 16),
      }),
    );
  const [dictionaries, batches] = [blocks(2), blocks(3)];
  let nextFree = magic.length;
  for (const { offset, metadataLength, bodyLength } of [...dictionaries, ...batches].sort(
    (a, b) => a.offset - b.offset,
  )) {
    requireSound(offset >= nextFree && metadataLength >= 8);
    nextFree = offset + metadataLength + bodyLength;
  }
  requireSound(nextFree <= start);
  return { batches, dictionaries, fields };
}

/**
 * Checks the metadata of a block's message.
 * @param bytes of the block, without its body
 * @param fields of the schema; absent for a dictionary
 * @throws RangeError unless the message is of that kind, its buffers lie in its body and its rows have bytes there
 */
function checkBlock(bytes: Uint8Array, block: Block, fields?: FieldShape[]): void {
  const view = viewOf(bytes);
  const prefix = view.getInt32(0, true) === -1 ? 8 : 4;
  const length = view.getInt32(prefix - 4, true);
  requireSound(length > 0 && prefix + length <= block.metadataLength);
  const message = FlatTable.root(bytes.subarray(prefix, prefix + length));
  requireSound(message.int16(0) >= firstVersion);
  requireSound(message.byte(1) === (fields ? batchHeader : dictionaryHeader));
  const bodyLength = message.int64(3);
  requireSound(bodyLength <= block.bodyLength);
  checkMetadata(message, 4);
  const header = message.table(2);
  const batch = fields ? header : header?.table(1);
  requireSound(batch !== undefined);
  checkBatch(batch!, bodyLength, fields);
}

function checkBatch(batch: FlatTable, bodyLength: number, fields?: FieldShape[]): void {
  const rows = batch.int64(0);
  const lengths = batch.structs(1, 16).map((at) => {
    const [length, nulls] = [batch.count(at), batch.count(at + 8)];
    requireSound(nulls <= length && length <= 8 * bodyLength);
    return length;
  });
  for (const at of batch.structs(2, 16)) requireSound(batch.count(at) + batch.count(at + 8) <= bodyLength);
  for (const at of batch.structs(4, 8)) requireSound(batch.count(at) <= bodyLength);
  requireSound(rows <= 8 * bodyLength);
  let node = 0;
  for (const { nodes, takesBytes } of fields ?? []) {
    requireSound(lengths[node] === rows && (!takesBytes || rows <= bodyLength));
    node += nodes;
  }
  requireSound(!fields || node === lengths.length);
}

/**
 * Checks a complete file.
 * @throws RangeError
 */
export function checkArrowFile(bytes: Uint8Array): void {
  const { start, end } = footerRange(bytes);
  const { batches, dictionaries, fields } = readFooter(bytes.subarray(start, end), start);
  const metadataOf = ({ offset, metadataLength }: Block) => bytes.subarray(offset, offset + metadataLength);
  for (const block of dictionaries) checkBlock(metadataOf(block), block);
  for (const block of batches) checkBlock(metadataOf(block), block, fields);
}

/**
 * Checks the offsets of the texts of a column against the number of their bytes.
 * @param offsets one more than the number of texts
 * @throws RangeError
 */
export function checkTextOffsets(offsets: ArrayLike<number | bigint>, texts: number, bytes: number): void {
  requireSound(texts === 0 || offsets.length > texts);
  for (let i = 0; i < texts; i++) requireSound(offsets[i] <= offsets[i + 1]);
  requireSound(texts === 0 || (offsets[0] >= 0 && offsets[texts] <= bytes));
}

function requireSound(condition: boolean): void {
  if (!condition) throw new RangeError("The file's framing is damaged.");
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function fieldShape(field: FlatTable, depth: number): FieldShape {
  requireSound(depth < maxFieldDepth);
  field.text(0);
  const type = field.byte(2);
  const details = field.table(3);
  if (type === timestampType) details?.text(1);
  if (type === unionType) details?.structs(1, 4);
  const dictionary = field.table(4);
  dictionary?.table(1);
  const children = field.tables(5).map((child) => fieldShape(child, depth + 1));
  checkMetadata(field, 6);
  // The batches contain indices into the dictionary, not its values.
  if (dictionary) return { nodes: 1, takesBytes: true };
  const nodes = children.reduce((sum, child) => sum + child.nodes, 1);
  return { nodes, takesBytes: !typesWithoutBytes.includes(type) };
}

function checkMetadata(table: FlatTable, slot: number): void {
  for (const entry of table.tables(slot)) {
    entry.text(0);
    entry.text(1);
  }
}

/** Bytes of a FlatBuffer that may still be read. Without a limit, tables that share parts expand to more than the buffer holds. */
interface Allowance {
  bytes: number;
}

/** A table of a FlatBuffer. Reading beyond the buffer is a RangeError. https://flatbuffers.dev/internals */
class FlatTable {
  private constructor(
    readonly view: DataView,
    readonly at: number,
    readonly allowance: Allowance,
  ) {
    this.#spend(4);
  }

  static root(bytes: Uint8Array): FlatTable {
    const view = viewOf(bytes);
    return new FlatTable(view, view.getUint32(0, true), { bytes: 4 * bytes.length });
  }

  byte(slot: number): number {
    const at = this.#field(slot);
    return at === undefined ? 0 : this.view.getUint8(at);
  }

  int16(slot: number): number {
    const at = this.#field(slot);
    return at === undefined ? 0 : this.view.getInt16(at, true);
  }

  /** Returns a nonnegative integer. */
  int64(slot: number): number {
    const at = this.#field(slot);
    return at === undefined ? 0 : this.count(at);
  }

  table(slot: number): FlatTable | undefined {
    const at = this.#field(slot);
    return at === undefined ? undefined : this.#tableAt(at);
  }

  tables(slot: number): FlatTable[] {
    return this.structs(slot, 4).map((at) => this.#tableAt(at));
  }

  /** Returns the positions of the structs of a vector. */
  structs(slot: number, size: number): number[] {
    const { start, length } = this.#vector(slot, size);
    return Array.from({ length }, (_, i) => start + size * i);
  }

  /** Checks that a text lies within the buffer. */
  text(slot: number): void {
    this.#vector(slot, 1);
  }

  /** Returns a nonnegative 64-bit integer. */
  count(at: number): number {
    const value = Number(this.view.getBigInt64(at, true));
    requireSound(value >= 0 && Number.isSafeInteger(value));
    return value;
  }

  #vector(slot: number, size: number): { start: number; length: number } {
    const at = this.#field(slot);
    if (at === undefined) return { start: 0, length: 0 };
    const vectorStart = at + this.view.getUint32(at, true);
    const length = this.view.getUint32(vectorStart, true);
    this.#spend(4 + size * length);
    requireSound(vectorStart + 4 + size * length <= this.view.byteLength);
    return { start: vectorStart + 4, length };
  }

  #tableAt(at: number): FlatTable {
    return new FlatTable(this.view, at + this.view.getUint32(at, true), this.allowance);
  }

  #field(slot: number): number | undefined {
    const slots = this.at - this.view.getInt32(this.at, true);
    const offset =
      4 + 2 * slot < this.view.getUint16(slots, true) ? this.view.getUint16(slots + 4 + 2 * slot, true) : 0;
    return offset === 0 ? undefined : this.at + offset;
  }

  #spend(bytes: number): void {
    this.allowance.bytes -= bytes;
    requireSound(this.allowance.bytes >= 0);
  }
}
