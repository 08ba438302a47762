import { Deflate, Z_BLOCK, Z_FINISH, Z_HUFFMAN_ONLY } from "pako";
import { concat } from "../../concat.js";
import { inflateAtMost } from "../inflate.js";
import { ByteReader, ByteWriter, unzigzag, zigzag } from "./bytes.js";

/** How a column is written: as differences from one number, or from the previous value. */
interface Coding {
  isDelta: boolean;
  /** The number that is subtracted from the first value, or from every value. */
  base: number;
  /** Number of low bits of each difference that are stored uncompressed, because they are nearly random. */
  lowBits: number;
}

const deltaFlag = 0x80;
const maxLowBits = 20;

/**
 * Packs columns of equal length, of integers below 2⁵⁰ in magnitude, into bytes. The low bits of each difference are
 * stored uncompressed; the rest is Huffman-coded by zlib, with a separate table for each column.
 */
export function packColumns(columns: readonly Float64Array[]): Uint8Array {
  const codings = columns.map(chooseCoding);
  const header = new ByteWriter();
  const lows = new BitWriter();
  // String matches, which deflate would search for, only cost space here.
  const deflate = new Deflate({ raw: true, level: 9, memLevel: 9, strategy: Z_HUFFMAN_ONLY });
  for (const [index, column] of columns.entries()) {
    const coding = codings[index];
    header.byte(coding.lowBits + (coding.isDelta ? deltaFlag : 0));
    header.count(zigzag(coding.base));
    const differences = differencesOf(column, coding);
    for (const difference of differences) lows.write(difference, coding.lowBits);
    // A block per column gets a table that fits the column.
    deflate.push(highBytes(differences, coding.lowBits), index + 1 < columns.length ? Z_BLOCK : Z_FINISH);
  }
  const highs = deflate.result as Uint8Array;
  header.count(highs.length);
  return concat([header.bytes(), highs, lows.bytes()]);
}

/**
 * Returns the columns that `packColumns` wrote. Memory is bounded by the number of bytes.
 * @throws any error for other bytes
 */
export function unpackColumns(bytes: Uint8Array, columnCount: number, length: number): Float64Array[] {
  const reader = new ByteReader(bytes);
  const codings = Array.from({ length: columnCount }, (): Coding => {
    const byte = reader.byte();
    const coding = { isDelta: byte >= deltaFlag, lowBits: byte % deltaFlag, base: unzigzag(reader.count()) };
    if (coding.lowBits > maxLowBits) throw new RangeError("A column has too many low bits.");
    return coding;
  });
  const packed = reader.take(reader.count());
  // A Huffman code has at least one bit, and without matches each represents one byte.
  if (columnCount * length > 8 * packed.length) throw new RangeError("The columns are too short.");
  const highs = new ByteReader(inflateAtMost(packed, 8 * packed.length));
  const lows = new BitReader(reader.rest());
  if (columnCount * length > highs.bytes.length) throw new RangeError("The columns are too short.");
  const columns = codings.map(({ isDelta, base, lowBits }) => {
    const column = new Float64Array(length);
    let previous = base;
    for (let i = 0; i < length; i++) {
      const value = previous + unzigzag(highs.count() * 2 ** lowBits + lows.read(lowBits));
      column[i] = value;
      if (isDelta) previous = value;
    }
    return column;
  });
  if (!highs.done || !lows.done) throw new RangeError("The columns are too long.");
  return columns;
}

/** Returns the coding with the fewest bits, by an estimate. */
function chooseCoding(column: Float64Array): Coding {
  const median = column.slice().sort()[column.length >> 1];
  let best: Coding = { isDelta: false, base: 0, lowBits: 0 };
  let fewest = Number.POSITIVE_INFINITY;
  for (const [isDelta, base] of [
    [false, median],
    [true, column[0]],
  ] as const) {
    const differences = differencesOf(column, { isDelta, base });
    const mean = differences.reduce((sum, difference) => sum + difference, 0) / column.length;
    // Bits as high as the mean are never nearly random; bits far below always are.
    const highest = Math.min(Math.floor(Math.log2(mean + 1)) + 1, maxLowBits);
    for (let lowBits = Math.max(0, highest - 9); lowBits <= highest; lowBits++) {
      const bits = lowBits * column.length + huffmanBits(differences, lowBits);
      if (bits >= fewest) continue;
      fewest = bits;
      best = { isDelta, base, lowBits };
    }
  }
  return best;
}

function differencesOf(column: Float64Array, { isDelta, base }: Pick<Coding, "isDelta" | "base">): Float64Array {
  return column.map((value, i) => zigzag(value - (isDelta && i > 0 ? column[i - 1] : base)));
}

function highBytes(differences: Float64Array, lowBits: number): Uint8Array {
  const writer = new ByteWriter();
  const unit = 2 ** lowBits;
  for (const difference of differences) writer.count(Math.floor(difference / unit));
  return writer.bytes();
}

/** Estimates the bits of `highBytes` as one Huffman-coded block: their entropy plus the table of code lengths. */
function huffmanBits(differences: Float64Array, lowBits: number): number {
  const counts = new Uint32Array(256);
  const unit = 2 ** lowBits;
  let length = 0;
  for (const difference of differences) {
    let rest = Math.floor(difference / unit);
    for (; rest >= 128; rest = Math.floor(rest / 128), length++) counts[(rest & 127) + 128]++;
    counts[rest]++;
    length++;
  }
  let bits = 0;
  for (const count of counts) if (count > 0) bits += 4 - count * Math.log2(count / length);
  return bits;
}

class BitWriter {
  readonly #writer = new ByteWriter();
  /** Bits of the unfinished byte, and their number. */
  #rest = 0;
  #used = 0;

  /** Writes the low bits of an integer, the lowest first. */
  write(value: number, bits: number): void {
    this.#rest |= (value & (2 ** bits - 1)) << this.#used;
    for (this.#used += bits; this.#used >= 8; this.#used -= 8, this.#rest >>= 8) this.#writer.byte(this.#rest);
  }

  bytes(): Uint8Array {
    if (this.#used > 0) this.#writer.byte(this.#rest);
    return this.#writer.bytes();
  }
}

class BitReader {
  #at = 0;

  constructor(readonly bytes: Uint8Array) {}

  read(bits: number): number {
    if (this.#at + bits > 8 * this.bytes.length) throw new RangeError("There are too few bits.");
    const { bytes } = this;
    const byte = this.#at >> 3;
    const word = bytes[byte] | (bytes[byte + 1] << 8) | (bytes[byte + 2] << 16) | (bytes[byte + 3] << 24);
    const value = (word >> (this.#at & 7)) & (2 ** bits - 1);
    this.#at += bits;
    return value;
  }

  /** Whether only the padding of the last byte is left. */
  get done(): boolean {
    return 8 * this.bytes.length - this.#at < 8;
  }
}
