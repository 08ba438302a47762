import type { Size } from "../engine/image/image.js";

/** Image formats that Node decodes. */
export type ImageFormat = "png" | "jpeg" | "webp";

/** Returns the format of an image from its first bytes; undefined for other formats, such as SVG. */
export function formatOf(bytes: Uint8Array): ImageFormat | undefined {
  if (hasText(bytes, 0, "\x89PNG\r\n\x1a\n")) return "png";
  if (hasText(bytes, 0, "\xff\xd8\xff")) return "jpeg";
  return hasText(bytes, 0, "RIFF") && hasText(bytes, 8, "WEBP") ? "webp" : undefined;
}

/** Returns the size in the header of a PNG or a JPEG, before its EXIF orientation is applied; undefined for others. */
export function sizeInHeader(bytes: Uint8Array): Size | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const format = formatOf(bytes);
  try {
    if (format === "png") return { width: view.getUint32(16), height: view.getUint32(20) };
    return format === "jpeg" ? jpegSize(view) : undefined;
  } catch {
    // The file is truncated.
    return undefined;
  }
}

/** Returns whether bytes have a text at an offset. */
function hasText(bytes: Uint8Array, at: number, text: string): boolean {
  return [...text].every((character, i) => bytes[at + i] === character.charCodeAt(0));
}

/** @throws RangeError if the bytes are truncated */
function jpegSize(view: DataView): Size {
  for (let at = 2; ; ) {
    const marker = view.getUint8(at + 1);
    // Padding between segments is skipped, and so are markers without contents.
    if (view.getUint8(at) !== 0xff || marker === 0xff) at++;
    else if (marker <= 0x01 || (marker >= 0xd0 && marker <= 0xd9)) at += 2;
    // The markers C4, C8 and CC are no frame headers.
    else if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker))
      return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    else at += 2 + view.getUint16(at + 2);
  }
}
