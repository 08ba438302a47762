import type { SliceableFile } from "../arrowBatches.js";

/** Bytes at the end of a file that are fetched first. They include the footer of most Arrow files. */
const tailBytes = 2 ** 14;

/** Largest file that is downloaded whole and kept in memory, if the host does not support ranges. */
const maxWholeBytes = 2 ** 28;

/** A file on a web host that is fetched in ranges, or whole if the host does not support ranges. */
export class RangedFile implements SliceableFile {
  /** The first response and its offset: the end of the file, or all of it. */
  #first: Promise<{ from: number; bytes: ArrayBuffer }> | undefined;

  /**
   * @param size size of the file in bytes
   * @param name name of the file in errors
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
      // The next read tries again.
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
      throw new Error(`${this.name} is too large for a host that does not support ranges.`);
    }
    const bytes = await response.arrayBuffer().catch(fail);
    const isExpectedRange =
      !isPartial || response.headers.get("Content-Range") === `bytes ${start}-${end - 1}/${this.size}`;
    if (!isExpectedRange || bytes.byteLength !== (isPartial ? end - start : this.size)) {
      throw new Error(`${this.name} has another size than its site reports.`);
    }
    return { from: isPartial ? start : 0, bytes };
  }
}
