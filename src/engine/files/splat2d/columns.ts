import { Deflate, Z_BLOCK, Z_FINISH, Z_HUFFMAN_ONLY } from "pako";
import { inflateAtMost } from "../inflate.js";
import { ByteReader, ByteWriter, unzigzag, zigzag } from "./bytes.js";

/** How a column is written: as differences from one number, or each from the one before. */
interface Coding {
  isDelta: boolean;
  /** What the first number, or every number, is taken from. */
  base: number;
  /** The lowest bits of each difference, which are as good as random, are left as they are. */
  lowBits: number;
}

const deltaFlag = 0x80;
const maxLowBits = 20;

/**
 * Columns of as many whole numbers each, below 2⁵⁰ in magnitude, as bytes. Of each difference the lowest bits stand as
 * they are, and the rest is Huffman-coded by zlib, with a table of its own for each column.
 */
export function packColumns(columns: readonly Float64Array[]): Uint8Array {
  const codings = columns.map(chooseCoding);
  const header = new ByteWriter();
  const lows = new BitWriter();
  // Matches of strings, which deflate would look for, only cost here.
  const deflate = new Deflate({ raw: true, level: 9, memLevel: 9, strategy: Z_HUFFMAN_ONLY });
  for (const [index, column] of columns.entries()) {
    const coding = codings[index];
    header.byte(coding.lowBits + (coding.isDelta ? deltaFlag : 0));
    header.count(zigzag(coding.base));
    const differences = differencesOf(column, coding);
    for (const difference of differences) lows.write(difference, coding.lowBits);
    // A block that ends with its column has a table that fits it.
    deflate.push(highBytes(differences, coding.lowBits), index + 1 < columns.length ? Z_BLOCK : Z_FINISH);
  }
  const highs = deflate.result as Uint8Array;
  header.count(highs.length);
  const head = header.bytes();
  const low = lows.bytes();
  const packed = new Uint8Array(head.length + highs.length + low.length);
  packed.set(head);
  packed.set(highs, head.length);
  packed.set(low, head.length + highs.length);
  return packed;
}

/**
 * The columns that `packColumns` wrote.
 * @throws whatever comes of bytes that it did not write; it takes memory in proportion to them alone
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
  // Huffman's codes have a bit at least, and without matches each stands for one byte of a number.
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

/** The coding that takes the fewest bits, by their estimate. */
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
    // Bits as high as the mean are never as good as random, and those far below it always are.
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

/** About the size of `highBytes` as one Huffman-coded block: their entropy, and the table's lengths of codes. */
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
  /** Bits that fill no byte yet, and how many they are. */
  #rest = 0;
  #used = 0;

  /** The lowest bits of a whole number, the lowest first. */
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
    if (this.#at + bits > 8 * this.bytes.length) throw new RangeError("The bits are at an end.");
    const { bytes } = this;
    const byte = this.#at >> 3;
    const word = bytes[byte] | (bytes[byte + 1] << 8) | (bytes[byte + 2] << 16) | (bytes[byte + 3] << 24);
    const value = (word >> (this.#at & 7)) & (2 ** bits - 1);
    this.#at += bits;
    return value;
  }

  /** Whether nothing is left but what fills the last byte. */
  get done(): boolean {
    return 8 * this.bytes.length - this.#at < 8;
  }
}
