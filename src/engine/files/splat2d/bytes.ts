/** Writes integers as bytes, small ones in few bytes. */
export class ByteWriter {
  #bytes = new Uint8Array(64);
  #length = 0;

  byte(value: number): void {
    if (this.#length === this.#bytes.length) {
      const longer = new Uint8Array(2 * this.#length);
      longer.set(this.#bytes);
      this.#bytes = longer;
    }
    this.#bytes[this.#length++] = value;
  }

  /** Writes an integer 0 ≤ n < 2⁵³ as LEB128: seven bits per byte, the lowest first. */
  count(value: number): void {
    let rest = value;
    for (; rest >= 128; rest = Math.floor(rest / 128)) this.byte((rest & 127) + 128);
    this.byte(rest);
  }

  bytes(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }
}

/** Reads the output of `ByteWriter`; throws a RangeError at the end of the bytes or for a number that is too large. */
export class ByteReader {
  #at = 0;

  constructor(readonly bytes: Uint8Array) {}

  byte(): number {
    if (this.#at >= this.bytes.length) throw new RangeError("There are too few bytes.");
    return this.bytes[this.#at++];
  }

  count(): number {
    let value = 0;
    for (let unit = 1; ; unit *= 128) {
      const byte = this.byte();
      value += (byte & 127) * unit;
      if (value > Number.MAX_SAFE_INTEGER) throw new RangeError("A number is too large.");
      if (byte < 128) return value;
      if (unit > 2 ** 46) throw new RangeError("A number is too long.");
    }
  }

  /** Returns the next bytes. */
  take(length: number): Uint8Array {
    if (length > this.bytes.length - this.#at) throw new RangeError("There are too few bytes.");
    this.#at += length;
    return this.bytes.subarray(this.#at - length, this.#at);
  }

  /** Returns the remaining bytes. */
  rest(): Uint8Array {
    return this.take(this.bytes.length - this.#at);
  }

  get done(): boolean {
    return this.#at === this.bytes.length;
  }
}

/** Maps integers to nonnegative ones: 0, −1, 1, −2, 2 become 0, 1, 2, 3, 4. */
export function zigzag(value: number): number {
  return value >= 0 ? 2 * value : -2 * value - 1;
}

export function unzigzag(value: number): number {
  return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
}
