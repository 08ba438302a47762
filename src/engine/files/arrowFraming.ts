// Checks the framing of an Arrow IPC file with flat columns before apache-arrow reads it. apache-arrow trusts every length
// and offset, so a few wrong bytes can make it loop forever or allocate memory for rows without any bytes. The checks are
// those of FlatBuffers' verifiers, and the format's rules for blocks, nodes and buffers.
// https://arrow.apache.org/docs/format/Columnar.html#serialization-and-interprocess-communication-ipc

/** The file's first and last bytes. */
export const magic = "ARROW1";

/** Version 4 of the format, of 2017; earlier ones have other structs. */
const firstVersion = 3;
const batchHeader = 3;
/** Int, FloatingPoint and Utf8: splatbook writes no others, and each row of them takes at least one byte. */
const columnTypes = [2, 3, 5];

/**
 * Checks a complete file.
 * @throws RangeError unless its columns are flat, the tables of its footer lie within it, the blocks before it without
 * overlap, and the rows of each block have bytes there
 */
export function checkArrowFile(bytes: Uint8Array): void {
  const end = bytes.length - magic.length - 4;
  const footerLength = viewOf(bytes).getInt32(end, true);
  const footerStart = end - footerLength;
  requireSound(footerLength > 0 && footerStart >= magic.length);
  const footer = FlatTable.root(bytes.subarray(footerStart, end));
  requireSound(footer.integer(0, 2) >= firstVersion && footer.structs(2, 24).length === 0);
  const schema = footer.table(1);
  requireSound(schema);
  const fields = schema.tables(1);
  for (const field of fields) {
    field.structs(0, 1);
    requireSound(columnTypes.includes(field.integer(2, 1)) && field.table(3));
    requireSound(field.table(4) === undefined && field.tables(5).length === 0);
    checkMetadata(field, 6);
  }
  checkMetadata(schema, 2);
  const blocks = footer.structs(3, 24).map((at) => {
    const start = footer.count(at);
    const bodyStart = start + footer.view.getInt32(at + 8, true);
    return { start, bodyStart, end: bodyStart + footer.count(at + 16) };
  });
  let nextFree = magic.length;
  for (const { start, bodyStart, end } of blocks.sort((a, b) => a.start - b.start)) {
    requireSound(start >= nextFree && bodyStart >= start + 8 && end <= footerStart);
    checkBatch(bytes.subarray(start, bodyStart), end - bodyStart, fields.length);
    nextFree = end;
  }
}

/**
 * Checks the message of a record batch.
 * @param bytes of its block, without the body
 * @throws RangeError unless its buffers lie in the body and its rows have bytes there
 */
function checkBatch(bytes: Uint8Array, maxBodyLength: number, columns: number): void {
  const view = viewOf(bytes);
  const prefix = view.getInt32(0, true) === -1 ? 8 : 4;
  const length = view.getInt32(prefix - 4, true);
  requireSound(length > 0 && prefix + length <= bytes.length);
  const message = FlatTable.root(bytes.subarray(prefix, prefix + length));
  requireSound(message.integer(0, 2) >= firstVersion && message.integer(1, 1) === batchHeader);
  const bodyLength = message.integer(3, 8);
  requireSound(bodyLength <= maxBodyLength);
  checkMetadata(message, 4);
  const batch = message.table(2);
  requireSound(batch);
  const rows = batch.integer(0, 8);
  const nodes = batch.structs(1, 16);
  requireSound(rows <= bodyLength && nodes.length === columns && batch.structs(4, 8).length === 0);
  for (const at of nodes) requireSound(batch.count(at) === rows && batch.count(at + 8) <= rows);
  for (const at of batch.structs(2, 16)) requireSound(batch.count(at) + batch.count(at + 8) <= bodyLength);
}

/**
 * Checks the offsets of the texts of a column against the number of their bytes.
 * @param offsets one more than the number of texts
 * @throws RangeError
 */
export function checkTextOffsets(offsets: ArrayLike<number | bigint>, texts: number, bytes: number): void {
  if (texts === 0) return;
  requireSound(offsets.length > texts && offsets[0] >= 0 && offsets[texts] <= bytes);
  for (let i = 0; i < texts; i++) requireSound(offsets[i] <= offsets[i + 1]);
}

function requireSound(condition: unknown): asserts condition {
  if (!condition) throw new RangeError("The file's framing is damaged.");
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function checkMetadata(table: FlatTable, slot: number): void {
  for (const entry of table.tables(slot)) for (const text of [0, 1]) entry.structs(text, 1);
}

/** A table of a FlatBuffer. Reading beyond the buffer is a RangeError. https://flatbuffers.dev/internals */
class FlatTable {
  /** @param allowance bytes to read. Without a limit, tables that share parts expand to more than the buffer holds */
  private constructor(
    readonly view: DataView,
    readonly at: number,
    readonly allowance: { bytes: number },
  ) {
    this.#spend(4);
  }

  static root(bytes: Uint8Array): FlatTable {
    const view = viewOf(bytes);
    return new FlatTable(view, view.getUint32(0, true), { bytes: 4 * bytes.length });
  }

  /** Returns a field of 1, 2 or 8 bytes; 0 if it is absent. */
  integer(slot: number, size: 1 | 2 | 8): number {
    const at = this.#field(slot);
    if (at === undefined) return 0;
    if (size === 8) return this.count(at);
    return size === 1 ? this.view.getUint8(at) : this.view.getInt16(at, true);
  }

  table(slot: number): FlatTable | undefined {
    const at = this.#field(slot);
    return at === undefined ? undefined : this.#tableAt(at);
  }

  tables(slot: number): FlatTable[] {
    return this.structs(slot, 4).map((at) => this.#tableAt(at));
  }

  /** Returns the positions of the structs of a vector, or of the bytes of a text. */
  structs(slot: number, size: number): number[] {
    const at = this.#field(slot);
    if (at === undefined) return [];
    const start = at + this.view.getUint32(at, true) + 4;
    const length = this.view.getUint32(start - 4, true);
    this.#spend(4 + size * length);
    requireSound(start + size * length <= this.view.byteLength);
    return Array.from({ length }, (_, i) => start + size * i);
  }

  /** Returns a nonnegative 64-bit integer. */
  count(at: number): number {
    const value = Number(this.view.getBigInt64(at, true));
    requireSound(value >= 0 && Number.isSafeInteger(value));
    return value;
  }

  #tableAt(at: number): FlatTable {
    return new FlatTable(this.view, at + this.view.getUint32(at, true), this.allowance);
  }

  #field(slot: number): number | undefined {
    const slots = this.at - this.view.getInt32(this.at, true);
    const hasSlot = 4 + 2 * slot < this.view.getUint16(slots, true);
    const offset = hasSlot ? this.view.getUint16(slots + 4 + 2 * slot, true) : 0;
    return offset === 0 ? undefined : this.at + offset;
  }

  #spend(bytes: number): void {
    this.allowance.bytes -= bytes;
    requireSound(this.allowance.bytes >= 0);
  }
}
