import type { Size } from "../engine/image/image.js";

/** Image formats, detected from the first bytes. */
export type ImageFormat = "png" | "jpeg" | "webp" | "gif" | "bmp" | "tiff" | "avif";

/** The header of an image file. */
interface ImageHeader {
  format: ImageFormat;
  /** Size in pixels before the EXIF orientation is applied; absent if the header does not have it, as in TIFF. */
  size?: Size;
}

/**
 * Returns the format and size of an image without decoding it.
 * @param bytes the file, or its beginning
 * @returns undefined for other formats, such as SVG
 */
export function imageHeader(bytes: Uint8Array): ImageHeader | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (const [format, { matches, size }] of Object.entries(formats)) {
    if (!matches(bytes)) continue;
    try {
      const found = size?.(view);
      return { format: format as ImageFormat, ...(found && { size: found }) };
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      // The header is truncated.
      return { format: format as ImageFormat };
    }
  }
  return undefined;
}

interface Format {
  matches(bytes: Uint8Array): boolean;
  /** Returns the size. Throws a RangeError if the bytes are truncated. */
  size?(view: DataView): Size | undefined;
}

const formats: Record<ImageFormat, Format> = {
  png: {
    matches: (bytes) => hasText(bytes, 0, "\x89PNG\r\n\x1a\n"),
    size: (view) => ({ width: view.getUint32(16), height: view.getUint32(20) }),
  },
  jpeg: { matches: (bytes) => hasText(bytes, 0, "\xff\xd8\xff"), size: jpegSize },
  webp: { matches: (bytes) => hasText(bytes, 0, "RIFF") && hasText(bytes, 8, "WEBP"), size: webpSize },
  gif: { matches: (bytes) => hasText(bytes, 0, "GIF87a") || hasText(bytes, 0, "GIF89a"), size: gifSize },
  bmp: {
    matches: (bytes) => hasText(bytes, 0, "BM"),
    size: (view) =>
      view.getUint32(14, true) === 12
        ? { width: view.getUint16(18, true), height: view.getUint16(20, true) }
        : { width: Math.abs(view.getInt32(18, true)), height: Math.abs(view.getInt32(22, true)) },
  },
  tiff: { matches: (bytes) => ["II*\0", "MM\0*", "II+\0", "MM\0+"].some((mark) => hasText(bytes, 0, mark)) },
  avif: { matches: isAvif, size: avifSize },
};

function hasText(bytes: Uint8Array, at: number, text: string): boolean {
  return [...text].every((character, i) => bytes[at + i] === character.charCodeAt(0));
}

/**
 * Iterates over the segments of a JPEG: their markers, and the offset and length of their contents.
 * @throws RangeError if the bytes are truncated
 */
export function* jpegSegments(view: DataView): Generator<{ marker: number; start: number; length: number }> {
  for (let at = 2; ; ) {
    const marker = view.getUint8(at + 1);
    // Padding between segments is skipped, and so are markers without contents.
    if (view.getUint8(at) !== 0xff || marker === 0xff) at++;
    else if (marker <= 0x01 || (marker >= 0xd0 && marker <= 0xd9)) at += 2;
    else {
      const length = view.getUint16(at + 2);
      yield { marker, start: at + 4, length: length - 2 };
      at += 2 + length;
    }
  }
}

/** Finds the frame header (markers C0 to CF except C4, C8 and CC), which follows segments of any length. */
function jpegSize(view: DataView): Size | undefined {
  for (const { marker, start } of jpegSegments(view)) {
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { width: view.getUint16(start + 3), height: view.getUint16(start + 1) };
  }
  return undefined;
}

function webpSize(view: DataView): Size | undefined {
  const chunk = view.getUint32(12);
  const uint24 = (at: number) => view.getUint16(at, true) + 2 ** 16 * view.getUint8(at + 2);
  if (chunk === 0x56503858) return { width: 1 + uint24(24), height: 1 + uint24(27) };
  if (chunk === 0x56503820)
    return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
  if (chunk !== 0x5650384c) return undefined;
  const bits = view.getUint32(21, true);
  return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >> 14) & 0x3fff) };
}

/** Returns the size of the screen, enlarged to the first frame as decoders do. */
function gifSize(view: DataView): Size {
  const table = (flags: number) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);
  const screen = { width: view.getUint16(6, true), height: view.getUint16(8, true) };
  let at = 13 + table(view.getUint8(10));
  // Extensions consist of a label and blocks until an empty one.
  while (view.getUint8(at) === 0x21) {
    for (at += 2; view.getUint8(at) > 0; ) at += 1 + view.getUint8(at);
    at++;
  }
  if (view.getUint8(at) !== 0x2c) return screen;
  const [left, top, width, height] = [1, 3, 5, 7].map((offset) => view.getUint16(at + offset, true));
  return { width: Math.max(screen.width, left + width), height: Math.max(screen.height, top + height) };
}

function isAvif(bytes: Uint8Array): boolean {
  if (!hasText(bytes, 4, "ftyp") || bytes.length < 16) return false;
  const end = Math.min(new DataView(bytes.buffer, bytes.byteOffset).getUint32(0), bytes.length);
  for (let at = 8; at + 4 <= end; at += 4) if (hasText(bytes, at, "avif") || hasText(bytes, at, "avis")) return true;
  return false;
}

/** Returns the largest size in the property boxes, since a grid is larger than its tiles. */
function avifSize(view: DataView): Size | undefined {
  const mark = 0x69737065;
  let largest: Size | undefined;
  for (let at = 0; at + 16 <= Math.min(view.byteLength, 2 ** 16); at++) {
    if (view.getUint32(at) !== mark) continue;
    const size = { width: view.getUint32(at + 8), height: view.getUint32(at + 12) };
    if (!largest || size.width * size.height > largest.width * largest.height) largest = size;
  }
  return largest;
}
