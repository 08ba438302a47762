import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { createInflate, inflate } from "node:zlib";
import { ifWhole, viewOf } from "../imageHeader.js";
import type { ReadAt } from "./readAt.js";

const tags = {
  width: 256,
  height: 257,
  bits: 258,
  compression: 259,
  photometric: 262,
  fillOrder: 266,
  stripOffsets: 273,
  samples: 277,
  rowsPerStrip: 278,
  stripBytes: 279,
  planes: 284,
  tileWidth: 322,
  tileHeight: 323,
  tileOffsets: 324,
  tileBytes: 325,
  extraSamples: 338,
  sampleFormats: 339,
};

const deflateCodes = [8, 32946];
const jpegCode = 7;

/** Compressions that are read: none, CCITT, LZW, JPEG, deflate and PackBits. */
const readCodes = [1, 2, 3, 4, 5, jpegCode, ...deflateCodes, 32773];
const unreadNames: Record<number, string> = {
  6: "old-style JPEG",
  34712: "JPEG 2000",
  34887: "LERC",
  34925: "LZMA",
  50000: "ZSTD",
  50001: "WebP",
};

/** Colour samples by photometric interpretation: grey, RGB, palette, CMYK and YCbCr. */
const colorSamples: Record<number, number> = { 0: 1, 1: 1, 2: 3, 3: 1, 5: 4, 6: 3 };
const ycbcr = 6;
const spaceNames: Record<number, string> = { 8: "CIELab", 9: "ICCLab", 10: "ITULab", 32844: "LogL", 32845: "LogLuv" };

/** Sample formats other than unsigned integers, 1, and undefined ones, 4. */
const formatNames: Record<number, string> = { 2: "signed", 3: "float", 5: "complex", 6: "complex float" };

/** What the tags of a TIFF declare about its first image. */
interface TiffKind {
  /** What libvips reads wrongly or not at all. */
  unsupported?: string | undefined;
  isTiled: boolean;
  /** Whether a sample follows the colours that is not alpha. */
  hasOtherSample: boolean;
}

/** Returns what the tags of a TIFF declare; undefined if they are damaged. */
export function tiffKind(read: ReadAt): TiffKind | undefined {
  return ifWhole(() => {
    const values = readFields(read);
    const [compression = 1] = values(tags.compression);
    const [samples = 1] = values(tags.samples);
    const [photometric = samples < 3 ? 1 : 2] = values(tags.photometric);
    const [bits = 1, ...otherBits] = new Set(values(tags.bits));
    const format = values(tags.sampleFormats).find((code) => code !== 1 && code !== 4);
    const isTiled = values(tags.tileWidth).length > 0;
    const extra = samples - colorSamples[photometric];
    const hasAlpha = [1, 2].includes(values(tags.extraSamples)[0]);
    const sampleBits = bits === 8 || bits === 16 || (samples === 1 && [1, 2, 4].includes(bits));
    const unsupported = (): string | undefined => {
      if (!readCodes.includes(compression))
        return `${unreadNames[compression] ?? `unknown (${compression})`} compression`;
      const isRawYcbcr = photometric === ycbcr && compression !== jpegCode;
      if (isRawYcbcr || !(photometric in colorSamples))
        return `colours in ${isRawYcbcr ? "YCbCr" : (spaceNames[photometric] ?? `space ${photometric}`)}`;
      if (format !== undefined) return `${bits}-bit ${formatNames[format] ?? "unknown"} samples`;
      if (!sampleBits || otherBits.length > 0) return `${[bits, ...otherBits].join(" and ")}-bit samples`;
      if (extra < 0 || extra > 1) return `${samples} samples per pixel`;
      return isTiled && samples > 1 && values(tags.planes)[0] === 2 ? "separate planes in tiles" : undefined;
    };
    return { unsupported: unsupported(), isTiled, hasOtherSample: extra === 1 && !hasAlpha };
  });
}

/** Largest strip that is inflated at once, and size of the pieces of a larger one, in bytes. */
const maxInflateBytes = 2 ** 24;
const pieceBytes = 2 ** 20;

const inflateOnce = promisify(inflate);

/**
 * Returns whether the checksums of the deflated strips or tiles of a TIFF's first image match. libtiff does not check
 * them, and decodes damaged pixels without an error.
 * @returns true if there is nothing to check; other damage is detected by the decoder
 */
export async function hasSoundStrips(read: ReadAt): Promise<boolean> {
  try {
    const values = readFields(read);
    const first = (tag: number, fallback: number) => values(tag)[0] ?? fallback;
    if (!deflateCodes.includes(first(tags.compression, 1)) || first(tags.fillOrder, 1) !== 1) return true;
    const [width, height, samples] = [first(tags.width, 0), first(tags.height, 0), first(tags.samples, 1)];
    const isTiled = values(tags.tileWidth).length > 0;
    const rows = isTiled ? first(tags.tileHeight, 0) : Math.min(first(tags.rowsPerStrip, height), height);
    const columns = isTiled ? first(tags.tileWidth, 0) : width;
    const isPlanar = first(tags.planes, 1) === 2;
    const bits = Math.max(1, ...values(tags.bits));
    // Some writers pad the last strip, so a strip may inflate to a little more.
    const maxBytes = 2 * rows * Math.ceil((columns * (isPlanar ? 1 : samples) * bits) / 8) + 4096;
    const count = Math.ceil(height / rows) * Math.ceil(width / columns) * (isPlanar ? samples : 1);
    const offsets = values(isTiled ? tags.tileOffsets : tags.stripOffsets);
    const lengths = values(isTiled ? tags.tileBytes : tags.stripBytes);
    for (let i = 0; i < Math.min(count, offsets.length, lengths.length); i++) {
      if (lengths[i] > 0 && !(await hasValidChecksum(read, offsets[i], lengths[i], maxBytes))) return false;
    }
    return true;
  } catch (error) {
    if (error instanceof RangeError) return true;
    throw error;
  }
}

/** Returns whether deflated bytes have a valid checksum. */
async function hasValidChecksum(read: ReadAt, start: number, length: number, maxBytes: number): Promise<boolean> {
  try {
    if (Math.max(length, maxBytes) <= maxInflateBytes)
      await inflateOnce(read(start, length), { maxOutputLength: maxBytes });
    else await inflatePieces(readPieces(read, start, start + length), maxBytes);
    return true;
  } catch (error) {
    if (/^(Z_|ERR_BUFFER_TOO_LARGE)/.test((error as NodeJS.ErrnoException).code ?? "")) return false;
    throw error;
  }
}

async function inflatePieces(compressed: Iterable<Uint8Array>, maxBytes: number): Promise<void> {
  let inflated = 0;
  await pipeline(compressed, createInflate(), async (chunks: AsyncIterable<Buffer>) => {
    for await (const { length } of chunks) {
      inflated += length;
      if (inflated > maxBytes) throw Object.assign(new Error("too much"), { code: "ERR_BUFFER_TOO_LARGE" });
    }
  });
}

function* readPieces(read: ReadAt, start: number, end: number): Generator<Uint8Array> {
  for (let at = start; at < end; at += pieceBytes) yield read(at, Math.min(pieceBytes, end - at));
}

/** Bytes per value by field type: SHORT, LONG and LONG8. Other types are ignored. */
const valueBytes: Record<number, number> = { 3: 2, 4: 4, 16: 8 };

/**
 * Returns a function that reads the values of a tag of a TIFF's first image; none if it lacks the tag.
 * @throws RangeError if the file is truncated
 */
function readFields(read: ReadAt): (tag: number) => number[] {
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
  const fields = new Map<number, () => number[]>();
  for (let i = 0; i < count; i++) {
    const at = start + countBytes + entryBytes * i;
    const entry = read(at, entryBytes);
    const valueSize = valueBytes[number(entry, 2, 2)];
    if (valueSize === undefined) continue;
    const length = number(entry, 4, word);
    fields.set(number(entry, 0, 2), () => {
      const bytes =
        valueSize * length <= word ? entry.subarray(4 + word) : read(number(entry, 4 + word, word), valueSize * length);
      return Array.from({ length }, (_, k) => number(bytes, valueSize * k, valueSize));
    });
  }
  return (tag) => fields.get(tag)?.() ?? [];
}
