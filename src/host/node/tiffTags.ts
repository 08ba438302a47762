import { pipeline } from "node:stream/promises";
import { createInflate } from "node:zlib";
import { ifWhole, viewOf } from "../imageHeader.js";
import type { ReadAt } from "./readAt.js";

const tags = {
  compression: 259,
  photometric: 262,
  fillOrder: 266,
  stripOffsets: 273,
  stripBytes: 279,
  tileOffsets: 324,
  tileBytes: 325,
  extraSamples: 338,
};

const [jpegCode, deflateCodes] = [7, [8, 32946]];
const ycbcr = 6;

/** Bytes to inflate at once. */
const pieceBytes = 2 ** 20;

/** What libvips reads wrongly in a TIFF, or without an error for damage. */
interface TiffKind {
  isTiled: boolean;
  /** Whether the first sample after its colours is alpha, as libvips assumes. */
  hasAlpha: boolean;
  /** Whether its colours are in YCbCr without JPEG compression. libvips reads them as RGB if no chroma is halved. */
  isRawYcbcr: boolean;
}

/** Returns the kind of a TIFF; undefined if its tags are damaged. */
export function tiffKind(read: ReadAt): TiffKind | undefined {
  return ifWhole(() => {
    const values = readTags(read);
    return {
      isTiled: values(tags.tileBytes).length > 0,
      hasAlpha: [1, 2].includes(values(tags.extraSamples)[0]),
      isRawYcbcr: values(tags.photometric)[0] === ycbcr && values(tags.compression)[0] !== jpegCode,
    };
  });
}

/**
 * Returns whether the checksums of the deflated strips or tiles of a TIFF's first image match. libtiff does not check
 * them, and decodes damaged pixels without an error.
 * @param maxBytes most bytes of all of them
 * @returns true if there is nothing to check; other damage is detected by the decoder
 */
export async function hasSoundStrips(read: ReadAt, maxBytes: number): Promise<boolean> {
  let left = maxBytes;
  for (const { start, end } of ifWhole(() => deflatedStrips(read)) ?? []) {
    try {
      await pipeline(readPieces(read, start, end), createInflate(), async (chunks: AsyncIterable<Buffer>) => {
        for await (const { length } of chunks) {
          left -= length;
          if (left < 0) throw Object.assign(new Error("The strips are too long."), { code: "Z_BUF_ERROR" });
        }
      });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code?.startsWith("Z_")) return false;
      throw error;
    }
  }
  return true;
}

function* readPieces(read: ReadAt, start: number, end: number): Generator<Uint8Array> {
  for (let at = start; at < end; at += pieceBytes) yield read(at, Math.min(pieceBytes, end - at));
}

/** @throws RangeError if the file is truncated */
function deflatedStrips(read: ReadAt): { start: number; end: number }[] {
  const values = readTags(read);
  const [[compression], [fillOrder = 1]] = [values(tags.compression), values(tags.fillOrder)];
  if (!deflateCodes.includes(compression) || fillOrder !== 1) return [];
  const offsets = [...values(tags.stripOffsets), ...values(tags.tileOffsets)];
  const lengths = [...values(tags.stripBytes), ...values(tags.tileBytes)];
  return lengths.flatMap((length, i) => (length > 0 ? { start: offsets[i], end: offsets[i] + length } : []));
}

/** Bytes per value by field type: SHORT, LONG and LONG8. Other types are ignored. */
const valueBytes: Record<number, number> = { 3: 2, 4: 4, 16: 8 };

/**
 * Returns a function that reads the values of a tag of a TIFF's first image; none if it lacks the tag.
 * @throws RangeError if the file is truncated
 */
function readTags(read: ReadAt): (tag: number) => number[] {
  const isLittle = read(0, 1)[0] === 0x49;
  const number = (bytes: Uint8Array, at: number, length: number): number => {
    const view = viewOf(bytes);
    if (length === 2) return view.getUint16(at, isLittle);
    return length === 4 ? view.getUint32(at, isLittle) : Number(view.getBigUint64(at, isLittle));
  };
  const isBig = number(read(2, 2), 0, 2) === 43;
  // BigTIFF has offsets and counts of 8 bytes.
  const [word, countBytes, entryBytes] = isBig ? [8, 8, 20] : [4, 2, 12];
  const start = number(read(isBig ? 8 : 4, word), 0, word);
  const count = Math.min(number(read(start, countBytes), 0, countBytes), 65535);
  const entries = Array.from({ length: count }, (_, i) => read(start + countBytes + entryBytes * i, entryBytes));
  return (tag) => {
    const entry = entries.find((bytes) => number(bytes, 0, 2) === tag);
    const size = entry && valueBytes[number(entry, 2, 2)];
    if (!size) return [];
    const length = number(entry, 4, word);
    const bytes = size * length <= word ? entry.subarray(4 + word) : read(number(entry, 4 + word, word), size * length);
    return Array.from({ length }, (_, i) => number(bytes, size * i, size));
  };
}
