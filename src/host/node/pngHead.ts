import { type ReadAt, readFromMemory } from "./readAt.js";

/**
 * Chunks that hold text, which nobody here reads. Decoders inflate all of it when they open a file, and 8 kB of it may
 * stand for 8 MB.
 */
const textChunkTypes = ["tEXt", "zTXt", "iTXt"];

/** Bytes before a PNG's pixels, besides its text, at most: a colour profile is the largest of them. */
const maxBytes = 2 ** 24;

/** What stands before a PNG's pixels. */
interface PngHeader {
  /** Without the text. */
  bytes: Uint8Array;
  hasText: boolean;
  /** Where the first chunk of pixels begins. */
  end: number;
}

/**
 * Reads what stands before a PNG's pixels.
 * @throws RangeError where there are none, or more before them than any picture needs
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
      if (length > maxBytes) throw new RangeError("There is more before the pixels than any picture needs.");
      chunks.push(read(end, size));
    }
    end += size;
  }
}

/** A PNG without the text before its pixels; one that is damaged as it is. */
export function withoutText(png: Uint8Array): Uint8Array {
  try {
    const { bytes, hasText, end } = readPngHeader(readFromMemory(png));
    return hasText ? Buffer.concat([bytes, png.subarray(end)]) : png;
  } catch (error) {
    if (error instanceof RangeError) return png;
    throw error;
  }
}
