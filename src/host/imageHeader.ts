import type { Size } from "../engine/image/image.js";
import type { Rect } from "../engine/regions/plan.js";

/** Image formats, detected from the first bytes. */
export type ImageFormat = "png" | "jpeg" | "webp" | "gif" | "bmp" | "tiff" | "avif" | "heic";

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
  const view = viewOf(bytes);
  for (const [format, { matches, size }] of Object.entries(formats)) {
    if (!matches(bytes)) continue;
    const found = ifWhole(() => size?.(view));
    return { format: format as ImageFormat, ...(found && { size: found }) };
  }
  return undefined;
}

/** Returns a view of bytes. */
export const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array) => new DataView(buffer, byteOffset, byteLength);

/** Returns what a reader of bytes returns; undefined if they are truncated. */
export function ifWhole<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return undefined;
  }
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
  gif: {
    matches: (bytes) => hasText(bytes, 0, "GIF87a") || hasText(bytes, 0, "GIF89a"),
    size: (view) => gifFrame(view).canvas,
  },
  bmp: {
    matches: (bytes) => hasText(bytes, 0, "BM"),
    size: (view) =>
      view.getUint32(14, true) === 12
        ? { width: view.getUint16(18, true), height: view.getUint16(20, true) }
        : { width: Math.abs(view.getInt32(18, true)), height: Math.abs(view.getInt32(22, true)) },
  },
  tiff: { matches: (bytes) => ["II*\0", "MM\0*", "II+\0", "MM\0+"].some((mark) => hasText(bytes, 0, mark)) },
  avif: { matches: (bytes) => hasBrand(bytes, ["avif", "avis"]), size: avifSize },
  heic: { matches: (bytes) => hasBrand(bytes, ["heic", "heix", "heim", "heis", "hevc", "hevx"]) },
};

/** Returns whether bytes have a text at an offset. */
export function hasText(bytes: Uint8Array, at: number, text: string): boolean {
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

function jpegSize(view: DataView): Size {
  for (const { marker, start } of jpegSegments(view)) {
    // The markers C4, C8 and CC are no frame headers.
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker))
      return { width: view.getUint16(start + 3), height: view.getUint16(start + 1) };
  }
  throw new RangeError("There is no frame.");
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

/**
 * Returns the canvas of a GIF, enlarged to its first frame as decoders do, and that frame.
 * @throws RangeError if the bytes are truncated
 */
export function gifFrame(view: DataView): { canvas: Size; frame: Rect } {
  const table = (flags: number) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);
  const screen = { width: view.getUint16(6, true), height: view.getUint16(8, true) };
  let at = 13 + table(view.getUint8(10));
  // Extensions consist of a label and blocks until an empty one.
  while (view.getUint8(at) === 0x21) {
    for (at += 2; view.getUint8(at) > 0; ) at += 1 + view.getUint8(at);
    at++;
  }
  if (view.getUint8(at) !== 0x2c) return { canvas: screen, frame: { x: 0, y: 0, ...screen } };
  const [x, y, width, height] = [1, 3, 5, 7].map((offset) => view.getUint16(at + offset, true));
  const canvas = { width: Math.max(screen.width, x + width), height: Math.max(screen.height, y + height) };
  return { canvas, frame: { x, y, width, height } };
}

/** Returns whether a file starts with a box of its type that lists one of these brands. */
function hasBrand(bytes: Uint8Array, brands: string[]): boolean {
  if (!hasText(bytes, 4, "ftyp") || bytes.length < 16) return false;
  const end = Math.min(viewOf(bytes).getUint32(0), bytes.length);
  for (let at = 8; at + 4 <= end; at += 4) if (brands.some((brand) => hasText(bytes, at, brand))) return true;
  return false;
}

/** Returns the offsets of a name of property boxes near the start of an AVIF. */
export function* avifBoxes(view: DataView, name: string): Generator<number> {
  const mark = [...name].reduce((sum, letter) => 256 * sum + letter.charCodeAt(0), 0);
  const end = Math.min(view.byteLength, 2 ** 16) - 16;
  for (let at = 0; at <= end; at++) if (view.getUint32(at) === mark) yield at;
}

/** Returns the largest size in the property boxes, since a grid is larger than its tiles. */
function avifSize(view: DataView): Size | undefined {
  let largest: Size | undefined;
  for (const at of avifBoxes(view, "ispe")) {
    const size = { width: view.getUint32(at + 8), height: view.getUint32(at + 12) };
    if (!largest || size.width * size.height > largest.width * largest.height) largest = size;
  }
  return largest;
}
