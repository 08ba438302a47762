import { type ReadAt, readFromMemory } from "./readAt.js";

/**
 * Chunks with text, which is not needed. Decoders inflate all of it when they open a file, and 8 kB may inflate to 8
 * MB.
 */
const textChunkTypes = ["tEXt", "zTXt", "iTXt"];

/** Largest number of bytes before the pixels of a PNG, without text. Most of them are colour profiles. */
const maxBytes = 2 ** 24;

interface PngHeader {
  /** Without the text. */
  bytes: Uint8Array;
  hasText: boolean;
  end: number;
}

/**
 * Reads the bytes before the pixels of a PNG.
 * @throws RangeError if there are no pixels, or too many bytes before them
 */
export function readPngHeader(read: ReadAt): PngHeader {
  const chunks = [read(0, 8)];
  let [end, length, hasText] = [8, 8, false];
  for (;;) {
    const start = Buffer.from(read(end, 8));
    const size = 12 + start.readUInt32BE();
    const type = start.toString("latin1", 4);
    if (type === "IDAT") return { bytes: Buffer.concat(chunks), hasText, end };
    if (textChunkTypes.includes(type)) hasText = true;
    else {
      length += size;
      if (length > maxBytes) throw new RangeError("The header is too large.");
      chunks.push(read(end, size));
    }
    end += size;
  }
}

/** Returns a PNG without the text before its pixels. A damaged PNG is returned unchanged. */
export function withoutText(png: Uint8Array): Uint8Array {
  try {
    const { bytes, hasText, end } = readPngHeader(readFromMemory(png));
    return hasText ? Buffer.concat([bytes, png.subarray(end)]) : png;
  } catch (error) {
    if (error instanceof RangeError) return png;
    throw error;
  }
}
