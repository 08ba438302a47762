import type { SliceableFile } from "../arrowBatches.js";

/** Bytes of a file's end that are fetched at once, since an Arrow file is opened by them: most footers are shorter. */
const tailBytes = 2 ** 14;

/** Bytes of a file that are taken whole, of a host that sends no parts, at most: they stay in memory. */
const maxWholeBytes = 2 ** 28;

/** A file of a web host, of which only those bytes are fetched that are asked for; of a host that sends no parts, all. */
export class RangedFile implements SliceableFile {
  /** What came first, and from which byte on: the file's end, or all of it. */
  #first: Promise<{ from: number; bytes: ArrayBuffer }> | undefined;

  /**
   * @param size of the file, in bytes
   * @param name for errors
   */
  constructor(
    readonly address: string,
    readonly size: number,
    readonly name: string,
  ) {}

  slice(start: number, end: number): ReturnType<SliceableFile["slice"]> {
    return { arrayBuffer: (signal) => this.#read(start, end, signal) };
  }

  /** @throws Error of one sentence, or the signal's reason */
  async #read(start: number, end: number, signal?: AbortSignal): Promise<ArrayBuffer> {
    if (end <= start) return new ArrayBuffer();
    this.#first ??= this.#fetch(Math.max(0, this.size - tailBytes), this.size);
    const { from, bytes } = await this.#first.catch((error) => {
      // It may be there when it is asked for again.
      this.#first = undefined;
      throw error;
    });
    if (start >= from) return bytes.slice(start - from, end - from);
    return (await this.#fetch(start, end, signal)).bytes;
  }

  async #fetch(start: number, end: number, signal?: AbortSignal): Promise<{ from: number; bytes: ArrayBuffer }> {
    const headers = { Range: `bytes=${start}-${end - 1}` };
    const fail = () => {
      signal?.throwIfAborted();
      throw new Error(`${this.name} cannot be fetched.`);
    };
    const response = await fetch(this.address, { headers, signal }).catch(fail);
    if (!response.ok) fail();
    const isPartial = response.status === 206;
    if (!isPartial && this.size > maxWholeBytes) {
      void response.body?.cancel();
      throw new Error(`${this.name} is too large for a host that sends files only whole.`);
    }
    const bytes = await response.arrayBuffer().catch(fail);
    const isExpectedRange =
      !isPartial || response.headers.get("Content-Range") === `bytes ${start}-${end - 1}/${this.size}`;
    if (!isExpectedRange || bytes.byteLength !== (isPartial ? end - start : this.size)) {
      throw new Error(`${this.name} is not as long as its site says.`);
    }
    return { from: isPartial ? start : 0, bytes };
  }
}
